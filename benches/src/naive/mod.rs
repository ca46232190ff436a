//! The naive twins of the rungs: every line and every window looked at, no filter, no bound, nothing remembered.
//!
//! They are what one would write first. A scenario's answer is compared with theirs, and its time too.

mod blocks;
mod lines;
mod measured;
mod text;

use std::ops::ControlFlow;

use fuzzy_core::Found;
use fuzzy_pipeline::{Candidate, Ladder, Pipeline, Query, Similarity, Span, Strategy};

use crate::search::{Search, measures};

/// A place as start and end.
type Place = (usize, usize);

/// A rung, plainly computed.
#[derive(Debug)]
struct Naive {
    name: &'static str,
    find: fn(&str, &str) -> Vec<Place>,
}

const RUNGS: &[Naive] = &[
    Naive { name: "exact", find: text::exact },
    Naive { name: "line-trimmed", find: lines::trimmed },
    Naive { name: "line-trimmed/ends", find: lines::trimmed_ends },
    Naive { name: "line-trimmed/unicode", find: lines::unicode },
    Naive { name: "block-anchor", find: blocks::anchor },
    Naive { name: "block-anchor/guarded", find: blocks::anchor_guarded },
    Naive { name: "block-anchor/whole", find: blocks::anchor_whole },
    Naive { name: "whitespace-normalized", find: lines::collapsed },
    Naive { name: "whitespace-normalized/inline", find: text::inline },
    Naive { name: "whitespace-normalized/collapsed", find: text::collapsed },
    Naive { name: "indentation-flexible", find: lines::dedented },
    Naive { name: "indentation-flexible/stripped", find: text::stripped },
    Naive { name: "escape-normalized", find: lines::unescaped },
    Naive { name: "trimmed-boundary", find: lines::trimmed_boundary },
    Naive { name: "trimmed-boundary/text", find: text::trimmed },
    Naive { name: "context-aware", find: blocks::context },
    Naive { name: "multi-occurrence", find: text::apart },
    Naive { name: "block-aligned", find: lines::aligned },
    Naive { name: "levenshtein", find: measured::levenshtein_windows },
    Naive { name: "subsequence", find: measured::subsequence },
    Naive { name: "best-window", find: measured::best_window },
    Naive { name: "best-window/boocode", find: measured::best_window_boocode },
];

impl Strategy for Naive {
    fn name(&self) -> &'static str {
        self.name
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        for (start, end) in (self.find)(query.haystack(), query.needle()) {
            found.propose(Candidate::new(Span::new(start, end), Similarity::ONE))?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the twin of a ladder where it answers this search in a few seconds and has a twin of every rung.
pub(crate) fn ladder(pipeline: &Pipeline, search: &Search) -> Option<Pipeline> {
    let ladder = pipeline.ladder();
    if !affordable(search, measures(ladder.name()) || ladder.name() == "opencode") {
        return None;
    }
    let twins = ladder.strategies().iter().map(|strategy| twin(strategy.name())).collect::<Option<_>>()?;
    Some(Pipeline::new(Ladder::new(ladder.name(), ladder.decider(), twins)))
}

/// Returns the twin of a rung where it answers this search in a few seconds.
pub(crate) fn rung(name: &str, search: &Search) -> Option<&'static dyn Strategy> {
    let slow = ["levenshtein", "best-window", "best-window/boocode"].contains(&name);
    if affordable(search, slow) { twin(name) } else { None }
}

fn twin(name: &str) -> Option<&'static dyn Strategy> {
    RUNGS.iter().find(|naive| naive.name == name).map(|naive| naive as _)
}

/// The twins take time in proportion to haystack times needle, those that measure distances even more.
fn affordable(search: &Search, slow: bool) -> bool {
    search.question != "adversarial"
        && search.needle.len() <= 100_000
        && search.haystack.lines() <= if slow { 1_000 } else { 20_000 }
}

/// Returns the lines of a text with their offsets.
fn lines_of(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        lines.push((start, line));
        start += line.len() + 1;
    }
    lines
}

/// Returns the lines of a needle, less an empty last one.
fn needle_lines(needle: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = needle.split('\n').collect();
    if lines.len() > 1 && lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// Returns the place of some whole lines.
fn place(window: &[(usize, &str)]) -> Place {
    let last = window[window.len() - 1];
    (window[0].0, last.0 + last.1.len())
}
