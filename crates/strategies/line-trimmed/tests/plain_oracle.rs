//! `line-trimmed` against its definition, tried on every window of lines.

use fuzzy_core::blank::is_blank;
use fuzzy_line_trimmed::LineTrimmed;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;

fn trimmed(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.trim_matches(is_blank)).collect()
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let wanted = trimmed(needle.strip_suffix('\n').unwrap_or(needle));
    let windows = windows(haystack, wanted.len()).into_iter();
    let found = windows.filter(|window| !needle.is_empty() && trimmed(window.text(haystack)) == wanted);
    found.map(|window| (window.start(), window.end())).collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => texts::respaced(), 1 => texts::repeated()]) {
        prop_assert_eq!(spans(&LineTrimmed, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&LineTrimmed, &haystack, &needle);
    }
}
