//! `exact` against the comparison of every span.

use fuzzy_exact::Exact;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{all_spans, spans, texts};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    all_spans(haystack, |span| !span.is_empty() && span.text(haystack) == needle)
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => texts::repetitive()]) {
        prop_assert_eq!(spans(&Exact, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Exact, &haystack, &needle);
    }
}
