//! `levenshtein`.

use fuzzy_core::{Candidate, Similarity};

use super::distance::{longer_of, scalar_distance};
use super::places::windows;

/// Rates every window with as many lines as the needle; less than a fifth of the longer text may differ.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    if needle.is_empty() {
        return Vec::new();
    }
    let needle = needle.strip_suffix('\n').unwrap_or(needle);
    let measured = windows(haystack, needle.split('\n').count()).into_iter().map(|window| {
        let there = window.text(haystack);
        (window, scalar_distance(there, needle), longer_of(there, needle))
    });
    measured
        .filter(|(_, distance, longer)| *longer == 0 || (*distance as f64 / *longer as f64) < 0.2)
        .map(|(window, distance, longer)| Candidate::new(window, Similarity::of_distance(distance, longer)))
        .collect()
}
