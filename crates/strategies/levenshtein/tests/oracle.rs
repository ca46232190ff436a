//! The rung against its definition, tried on every window.

use fuzzy_core::{Candidate, Similarity};
use fuzzy_levenshtein::Levenshtein;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::naive::scalar_distance;
use fuzzy_testkit::{candidates, texts, windows};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<Candidate> {
    if needle.is_empty() {
        return Vec::new();
    }
    let text = needle.strip_suffix('\n').unwrap_or(needle);
    let measured = windows(haystack, text.split('\n').count()).into_iter().map(|span| {
        let there = span.text(haystack);
        (span, scalar_distance(text, there), there.chars().count().max(text.chars().count()))
    });
    measured
        .filter(|(_, distance, longer)| *longer == 0 || (*distance as f64 / *longer as f64) < 0.2)
        .map(|(span, distance, longer)| Candidate::new(span, Similarity::of_distance(distance, longer)))
        .collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::mistyped(), 1 => texts::pair()]) {
        prop_assert_eq!(candidates(&Levenshtein, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Levenshtein, &haystack, &needle);
    }
}
