//! `trimmed-boundary` against its definition, tried on every span and every window of lines.

use fuzzy_core::blank::is_blank;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{all_spans, spans, texts, windows};
use fuzzy_trimmed_boundary::TrimmedBoundary;
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let trimmed = needle.trim_matches(is_blank);
    if trimmed == needle {
        return Vec::new();
    }
    let mut found = match trimmed {
        "" if haystack.is_empty() => vec![(0, 0)],
        "" => vec![(0, 0), (haystack.len(), haystack.len())],
        _ => all_spans(haystack, |span| span.text(haystack) == trimmed),
    };
    let windows = windows(haystack, needle.split('\n').count()).into_iter();
    let equal = windows.filter(|window| window.text(haystack).trim_matches(is_blank) == trimmed);
    found.extend(equal.map(|window| (window.start(), window.end())));
    found
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![texts::pair(), texts::respaced()]) {
        prop_assert_eq!(spans(&TrimmedBoundary, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&TrimmedBoundary, &haystack, &needle);
    }
}
