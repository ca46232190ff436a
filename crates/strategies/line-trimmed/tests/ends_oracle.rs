//! `line-trimmed/ends` against its definition, tried on every window.

use fuzzy_core::{Span, blank};
use fuzzy_line_trimmed::Ends;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let trimmed: Vec<&str> = needle.split('\n').map(|line| line.trim_end_matches(blank::is_blank)).collect();
    let Some(first) = trimmed.iter().position(|line| !line.is_empty()) else { return Vec::new() };
    let last = trimmed.iter().rposition(|line| !line.is_empty()).unwrap_or(first);
    let needle = &trimmed[first..=last];
    let is_place = |span: &Span| {
        span.text(haystack).split('\n').map(|line| line.trim_end_matches(blank::is_blank)).eq(needle.iter().copied())
    };
    windows(haystack, needle.len()).into_iter().filter(is_place).map(|span| (span.start(), span.end())).collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![texts::pair(), texts::respaced()]) {
        prop_assert_eq!(spans(&Ends, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Ends, &haystack, &needle);
    }

    #[test]
    fn equals_the_definition_where_lines_repeat((haystack, needle) in texts::repeated()) {
        prop_assert_eq!(spans(&Ends, &haystack, &needle), by_definition(&haystack, &needle));
    }
}
