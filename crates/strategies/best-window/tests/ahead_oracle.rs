//! `best-window` against its definition, tried on every window of every size.

use fuzzy_best_window::BestWindow;
use fuzzy_core::{Candidate, Similarity};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::naive::scalar_distance;
use fuzzy_testkit::{candidates, texts, windows};
use proptest::prelude::*;

/// A window: its first line, how many lines, and the candidate that it would be.
type Window = (usize, usize, Candidate);

fn all_windows(haystack: &str, needle: &str) -> Vec<Window> {
    let text = needle.strip_suffix('\n').unwrap_or(needle);
    let lines = text.split('\n').count();
    let mut all = Vec::new();
    for first in 0..haystack.split('\n').count() {
        for size in [lines - 1, lines, lines + 1].into_iter().filter(|size| *size > 0) {
            let Some(span) = windows(haystack, size).get(first).copied() else { continue };
            let longer = span.text(haystack).chars().count().max(text.chars().count());
            let distance = scalar_distance(text, span.text(haystack));
            all.push((first, size, Candidate::new(span, Similarity::of_distance(distance, longer))));
        }
    }
    all
}

fn by_definition(haystack: &str, needle: &str) -> Vec<Candidate> {
    if needle.is_empty() {
        return Vec::new();
    }
    let mut rest = all_windows(haystack, needle);
    // Again and again the best that overlaps none of those before it; of equals the first.
    let mut places: Vec<Candidate> = Vec::new();
    while let Some(best) = rest.iter().copied().reduce(|a, b| if b.2.similarity > a.2.similarity { b } else { a }) {
        places.push(best.2);
        rest.retain(|(first, size, _)| first + size <= best.0 || best.0 + best.1 <= *first);
    }
    let Some(best) = places.first().copied() else { return Vec::new() };
    let value = |candidate: &Candidate| candidate.similarity.get();
    if value(&best) < 0.6 {
        return Vec::new();
    }
    let is_ahead = places.get(1).is_none_or(|second| value(&best) - value(second) >= 0.05);
    if is_ahead {
        return vec![best];
    }
    places.retain(|place| value(place) >= 0.6 && value(&best) - value(place) < 0.05);
    if places.len() > 1 { places } else { Vec::new() }
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => texts::mistyped(), 1 => texts::pair()]) {
        prop_assert_eq!(candidates(&BestWindow, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&BestWindow, &haystack, &needle);
    }
}
