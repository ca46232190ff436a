//! `subsequence` against its definition.

use fuzzy_subsequence::Subsequence;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Generates lines of few kinds, and a needle that omits some of them.
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
    fn subsequence_is_its_definition((haystack, needle) in prop_oneof![3 => thinned(), 2 => texts::pair(), 1 => texts::repeated()]) {
        agrees(&Subsequence, &haystack, &needle)?;
    }
}
