//! `context-aware`.

use fuzzy_core::{Candidate, Similarity};

use super::block_anchor::Blocks;

/// Finds the blocks between the needle's outer lines with as many lines as the needle and half of the inner ones equal.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let Some(blocks) = Blocks::of(haystack, needle) else { return Vec::new() };
    let count = blocks.wanted.len();
    let mut found = Vec::new();
    for (first, last) in blocks.places() {
        if last - first + 1 != count {
            continue;
        }
        let pairs = (1..count - 1).map(|at| (blocks.lines[first + at], blocks.wanted[at]));
        let pairs: Vec<_> = pairs.filter(|pair| *pair != ("", "")).collect();
        let equal = pairs.iter().filter(|(a, b)| a == b).count();
        let share = if pairs.is_empty() { 1.0 } else { equal as f64 / pairs.len() as f64 };
        if 2 * equal >= pairs.len() {
            found.push(Candidate::new(blocks.span(first, last), Similarity::new(share)));
        }
    }
    found
}
