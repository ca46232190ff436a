//! `levenshtein`.

use fuzzy_core::{Candidate, Similarity};

use super::distance::{longer_of, scalar_distance};
use super::places::windows;

/// Rates every window with as many lines as the needle; less than a fifth of the longer text may differ.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let needle = needle.strip_suffix('\n').unwrap_or(needle);
    let windows = windows(haystack, needle.split('\n').count()).into_iter();
    let measured = windows.filter_map(|window| {
        let there = window.text(haystack);
        let (distance, longer) = (scalar_distance(there, needle), longer_of(there, needle));
        let is_alike = longer == 0 || (distance as f64 / longer as f64) < 0.2;
        is_alike.then(|| Candidate::new(window, Similarity::of_distance(distance, longer)))
    });
    measured.collect()
}
