//! `context-aware` against its definition, tried on every line.

use fuzzy_context_aware::ContextAware;
use fuzzy_core::{Candidate, Similarity, Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{candidates, texts, windows};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<Candidate> {
    let mut wanted: Vec<&str> = needle.split('\n').map(|line| line.trim_matches(blank::is_blank)).collect();
    if wanted.len() < 3 {
        return Vec::new();
    }
    if needle.ends_with('\n') {
        wanted.pop();
    }
    let spans = windows(haystack, 1);
    let lines: Vec<&str> = spans.iter().map(|line| line.text(haystack).trim_matches(blank::is_blank)).collect();
    let mut found = Vec::new();
    for first in (0..lines.len()).filter(|first| lines[*first] == wanted[0]) {
        let closing = (first + 2..lines.len()).find(|last| lines[*last] == wanted[wanted.len() - 1]);
        let Some(last) = closing.filter(|last| last - first + 1 == wanted.len()) else { continue };
        let pairs = (1..wanted.len() - 1).map(|at| (lines[first + at], wanted[at]));
        let pairs: Vec<_> = pairs.filter(|pair| *pair != ("", "")).collect();
        let equal = pairs.iter().filter(|(a, b)| a == b).count();
        if 2 * equal >= pairs.len() {
            let span = Span::new(spans[first].start(), spans[last].end());
            let share = if pairs.is_empty() { 1.0 } else { equal as f64 / pairs.len() as f64 };
            found.push(Candidate::new(span, Similarity::new(share)));
        }
    }
    found
}

/// Texts of so few different lines that anchors, near misses and overlapping blocks are frequent.
fn blocks() -> impl Strategy<Value = (String, String)> {
    ("([ ]{0,1}[abc]{0,1}\n){0,16}[abc]{0,1}", "([abc]{0,1}\n){0,7}[abc]{0,1}")
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 1 => texts::repeated(), 3 => blocks()]) {
        prop_assert_eq!(candidates(&ContextAware, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&ContextAware, &haystack, &needle);
    }
}
