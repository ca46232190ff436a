//! `best-window`.

use fuzzy_core::{Candidate, Similarity};

use super::distance::scalar_similarity;
use super::places::{is_blank_line, windows};

/// The least similarity of a candidate.
const MIN_SIMILARITY: f64 = 0.6;

/// The least lead of the best window, in similarity, over windows that compete with it.
const MIN_LEAD: f64 = 0.05;

/// A window of lines.
#[derive(Clone, Copy)]
struct Window {
    /// The first line.
    first: usize,
    /// The line after the last one.
    end: usize,
    /// The candidate for this window.
    candidate: Candidate,
}

impl Window {
    /// Returns the better of two windows; the first of equal ones.
    fn better(self, other: Self) -> Self {
        if other.candidate.similarity > self.candidate.similarity { other } else { self }
    }
}

/// Rates every window with as many lines as the needle, one more or one less; the best one needs a lead.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    if needle.is_empty() {
        return Vec::new();
    }
    let mut rest = all_windows(haystack, needle.strip_suffix('\n').unwrap_or(needle));
    // Repeatedly takes the best window that overlaps no earlier one; the first of equal ones.
    let mut places: Vec<Candidate> = Vec::new();
    while let Some(best) = rest.iter().copied().reduce(Window::better) {
        places.push(best.candidate);
        rest.retain(|window| window.end <= best.first || best.end <= window.first);
    }
    let Some(best) = places.first().copied() else { return Vec::new() };
    let best = best.similarity.get();
    if best < MIN_SIMILARITY {
        return Vec::new();
    }
    let is_ahead = places.get(1).is_none_or(|second| best - second.similarity.get() >= MIN_LEAD);
    if is_ahead {
        places.truncate(1);
        return places;
    }
    places.retain(|place| place.similarity.get() >= MIN_SIMILARITY && best - place.similarity.get() < MIN_LEAD);
    if places.len() > 1 { places } else { Vec::new() }
}

/// Returns the windows in order of their first lines, those with fewer lines first.
fn all_windows(haystack: &str, needle: &str) -> Vec<Window> {
    let count = needle.split('\n').count();
    let mut all = Vec::new();
    for size in [count - 1, count, count + 1].into_iter().filter(|size| *size > 0) {
        for (first, window) in windows(haystack, size).into_iter().enumerate() {
            let candidate = Candidate::new(window, scalar_similarity(window.text(haystack), needle));
            all.push(Window { first, end: first + size, candidate });
        }
    }
    all.sort_by_key(|window| (window.first, window.end));
    all
}

/// Rates every window with as many lines as the needle has from its first to its last line that is not blank; returns
/// the best ones if they are similar enough.
#[must_use]
pub fn boocode(haystack: &str, needle: &str) -> Vec<Candidate> {
    let lines: Vec<&str> = needle.split('\n').collect();
    let Some(first) = lines.iter().position(|line| !is_blank_line(line)) else { return Vec::new() };
    let last = lines.iter().rposition(|line| !is_blank_line(line)).unwrap_or(first);
    let needle = needle.strip_suffix('\n').unwrap_or(needle);
    let windows = windows(haystack, last - first + 1).into_iter();
    let mut found: Vec<Candidate> =
        windows.map(|window| Candidate::new(window, scalar_similarity(window.text(haystack), needle))).collect();
    let best = found.iter().map(|window| window.similarity).fold(Similarity::new(0.66), Similarity::max);
    found.retain(|window| window.similarity >= best);
    found
}
