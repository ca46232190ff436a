//! `best-window/boocode` against its definition, tried on every window.

use fuzzy_best_window::Boocode;
use fuzzy_core::{Candidate, Similarity, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::naive::scalar_distance;
use fuzzy_testkit::{candidates, texts, windows};
use proptest::prelude::*;

fn by_definition(haystack: &str, needle: &str) -> Vec<Candidate> {
    let lines: Vec<&str> = needle.split('\n').collect();
    let is_inked = |line: &&str| !line.chars().all(blank::is_blank);
    let Some(first) = lines.iter().position(is_inked) else { return Vec::new() };
    let last = lines.iter().rposition(is_inked).unwrap_or(first);
    let text = needle.strip_suffix('\n').unwrap_or(needle);
    let mut best: Vec<Candidate> = Vec::new();
    for span in windows(haystack, last - first + 1) {
        let there = span.text(haystack);
        let longer = there.chars().count().max(text.chars().count());
        let similarity = 1.0 - scalar_distance(text, there) as f64 / longer as f64;
        let best_yet = best.first().map_or(0.66, |best| best.similarity.get());
        if similarity > best_yet {
            best.clear();
        }
        if similarity >= best_yet {
            best.push(Candidate::new(span, Similarity::new(similarity)));
        }
    }
    best
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::mistyped(), 1 => texts::pair()]) {
        prop_assert_eq!(candidates(&Boocode, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Boocode, &haystack, &needle);
    }
}
