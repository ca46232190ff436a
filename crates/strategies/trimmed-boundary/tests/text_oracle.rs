//! `trimmed-boundary/text` against its definition, tried on every span.

use fuzzy_core::{Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{all_spans, spans, texts};
use fuzzy_trimmed_boundary::Text;
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let trimmed = needle.trim_matches(blank::is_blank);
    all_spans(haystack, |span: Span| !span.is_empty() && span.text(haystack) == trimmed)
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![texts::respaced(), texts::pair()]) {
        prop_assert_eq!(spans(&Text, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Text, &haystack, &needle);
    }
}
