//! `multi-occurrence` against `str::match_indices`.

use fuzzy_multi_occurrence::MultiOccurrence;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let places = haystack.match_indices(needle).filter(|_| !needle.is_empty());
    places.map(|(at, found)| (at, at + found.len())).collect()
}

/// Texts whose places overlap.
fn repetitive() -> impl Strategy<Value = (String, String)> {
    ("[ab]{0,30}", "[ab]{0,3}")
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => repetitive()]) {
        prop_assert_eq!(spans(&MultiOccurrence, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&MultiOccurrence, &haystack, &needle);
    }
}
