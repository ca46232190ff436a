//! `exact`.

use fuzzy_core::Candidate;

use super::places::{equal, occurrences};

/// Compares the needle with the text at every offset.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    equal(occurrences(haystack, needle))
}
