//! The rung against its definition, tried on every window of every size.

use fuzzy_core::{Span, blank};
use fuzzy_subsequence::Subsequence;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;

fn trim(line: &str) -> &str {
    line.trim_matches(blank::is_blank)
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = needle.split('\n').map(trim).filter(|line| !line.is_empty()).collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Vec::new() };
    let is_place = |span: &Span| {
        let there: Vec<&str> = span.text(haystack).split('\n').map(trim).collect();
        let mut rest = there.iter();
        let in_order = lines.iter().all(|line| rest.any(|there| there == line));
        // With a single line, it is on both edges.
        in_order && there.first() == Some(first) && there.last() == Some(last)
    };
    let sizes = 1..=2 * lines.len();
    let mut places: Vec<Span> = sizes.flat_map(|size| windows(haystack, size)).filter(is_place).collect();
    places.sort();
    // Sorted by start and then by end: the first of each start ends earliest.
    places.dedup_by_key(|span| span.start());
    places.iter().map(|span| (span.start(), span.end())).collect()
}

/// Generates lines of few kinds, and a needle that leaves some of them out.
fn thinned() -> impl Strategy<Value = (String, String)> {
    let line = prop::sample::select(&["a", "a", "b", "c", " b", "\u{3000}c\r", "", " "][..]);
    (prop::collection::vec((line, 0..4_u8), 1..12), 0..12_usize, 0..12_usize).prop_map(|(lines, from, to)| {
        let haystack: Vec<&str> = lines.iter().map(|(line, _)| *line).collect();
        let (from, to) = (from.min(to).min(lines.len() - 1), from.max(to).min(lines.len() - 1));
        let kept = lines[from..=to].iter().filter(|(_, pick)| *pick > 0).map(|(line, _)| *line);
        (haystack.join("\n"), kept.collect::<Vec<_>>().join("\n"))
    })
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => thinned(), 2 => texts::pair(), 1 => texts::repeated()]) {
        prop_assert_eq!(spans(&Subsequence, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Subsequence, &haystack, &needle);
    }
}
