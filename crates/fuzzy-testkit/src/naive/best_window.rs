//! `best-window`.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Similarity};

use super::distance::scalar_similarity;
use super::places::windows;

/// A window: its first line, how many lines, and the candidate that it would be.
type Window = (usize, usize, Candidate);

/// Measures every window of as many lines as the needle has, one more and one less; the best has to be well ahead.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    if needle.is_empty() {
        return Vec::new();
    }
    let mut rest = all_windows(haystack, needle.strip_suffix('\n').unwrap_or(needle));
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

/// Returns the windows in order of their first lines, those with fewer lines first.
fn all_windows(haystack: &str, needle: &str) -> Vec<Window> {
    let count = needle.split('\n').count();
    let mut all = Vec::new();
    for size in [count - 1, count, count + 1].into_iter().filter(|size| *size > 0) {
        for (first, window) in windows(haystack, size).into_iter().enumerate() {
            all.push((first, size, Candidate::new(window, scalar_similarity(window.text(haystack), needle))));
        }
    }
    all.sort_by_key(|(first, size, _)| (*first, *size));
    all
}

/// Measures every window of as many lines as the needle has from its first line that is not blank to its last; the best
/// ones are found if they are alike enough.
#[must_use]
pub fn boocode(haystack: &str, needle: &str) -> Vec<Candidate> {
    let lines: Vec<&str> = needle.split('\n').collect();
    let is_inked = |line: &&str| !line.chars().all(is_blank);
    let Some(first) = lines.iter().position(is_inked) else { return Vec::new() };
    let last = lines.iter().rposition(is_inked).unwrap_or(first);
    let needle = needle.strip_suffix('\n').unwrap_or(needle);
    let candidate = |window| Candidate::new(window, scalar_similarity(window.text(haystack), needle));
    let mut found: Vec<Candidate> = windows(haystack, last - first + 1).into_iter().map(candidate).collect();
    let best = found.iter().map(|window| window.similarity).fold(Similarity::new(0.66), Similarity::max);
    found.retain(|window| window.similarity >= best);
    found
}
