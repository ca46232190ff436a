//! `multi-occurrence`.

use fuzzy_core::{Candidate, Span};

use super::places::equal;

/// Finds the occurrences that do not overlap, as `str::match_indices` does.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let places = haystack.match_indices(needle).filter(|_| !needle.is_empty());
    equal(places.map(|(at, text)| Span::new(at, at + text.len())))
}
