//! `multi-occurrence`.

use fuzzy_core::{Candidate, Span};

use super::places::equal;

/// Finds the occurrences that do not overlap, like `str::match_indices`.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let places = haystack.match_indices(needle).filter(|_| !needle.is_empty());
    equal(places.map(|(at, text)| Span::new(at, at + text.len())))
}
