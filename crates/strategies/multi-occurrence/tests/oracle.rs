//! `multi-occurrence` against `str::match_indices`.

use fuzzy_multi_occurrence::MultiOccurrence;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let places = haystack.match_indices(needle).filter(|_| !needle.is_empty());
    places.map(|(at, found)| (at, at + found.len())).collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => texts::repetitive()]) {
        prop_assert_eq!(spans(&MultiOccurrence, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&MultiOccurrence, &haystack, &needle);
    }
}
