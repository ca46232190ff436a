//! `context-aware`.

use fuzzy_core::{Candidate, Similarity};

use super::block_anchor::Blocks;

/// Finds the blocks between the needle's outer lines with as many lines as the needle and half of the inner ones equal.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let Some(blocks) = Blocks::of(haystack, needle) else { return Vec::new() };
    let count = blocks.wanted.len();
    let places = blocks.places().into_iter().filter(|(first, last)| last - first + 1 == count);
    let rated = places.filter_map(|(first, last)| {
        let pairs = (1..count - 1).map(|at| (blocks.lines[first + at], blocks.wanted[at]));
        let pairs: Vec<_> = pairs.filter(|pair| *pair != ("", "")).collect();
        let equal = pairs.iter().filter(|(a, b)| a == b).count();
        let share = if pairs.is_empty() { 1.0 } else { equal as f64 / pairs.len() as f64 };
        (2 * equal >= pairs.len()).then(|| Candidate::new(blocks.span(first, last), Similarity::new(share)))
    });
    rated.collect()
}
