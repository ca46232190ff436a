//! The cost of each strategy alone, listing all its candidates.

use fuzzy_pipeline::registry;

use crate::drift::Drift;
use crate::scenario::{Expected, Scenario};
use crate::search::Search;
use crate::texts;

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let haystack = texts::code(10_000);
    let mut scenarios = Vec::new();
    for strategy in registry().entries().iter().map(fuzzy_pipeline::Registration::strategy) {
        let name = strategy.name();
        for drift in [specialty(name), Drift::AbsentAll, Drift::Reversed] {
            let mut search = Search::drifted("strategies", &haystack, 10, drift);
            if name.starts_with("alignment") {
                // The strategy decides what is similar enough.
                search.expected = Expected::Stable;
            }
            scenarios.push(search.by_rung(strategy));
        }
    }
    scenarios
}

/// Returns a drift that the strategy is designed to find.
fn specialty(name: &str) -> Drift {
    match name {
        "line-trimmed" | "block-aligned" => Drift::Indent,
        "line-trimmed/ends" | "trimmed-boundary" | "trimmed-boundary/text" => Drift::Wrapped,
        "line-trimmed/unicode" => Drift::Typewriter,
        "block-anchor" | "block-anchor/guarded" | "block-anchor/whole" | "context-aware" => Drift::Middle,
        "escape-normalized" => Drift::Escaped,
        "levenshtein" | "best-window" | "best-window/boocode" => Drift::Typos,
        "subsequence" => Drift::Gap,
        _ if name.starts_with("whitespace-normalized") => Drift::Spaced,
        _ if name.starts_with("indentation-flexible") => Drift::Indent,
        _ => Drift::Exact,
    }
}
