//! `best-window`.

use std::ops::Range;

use fuzzy_core::{Candidate, Similarity};

use super::distance::scalar_similarity;
use super::places::{is_blank_line, windows};

/// The least similarity of a candidate.
const MIN_SIMILARITY: f64 = 0.6;

/// The least lead of the best window, in similarity, over windows that compete with it.
const MIN_LEAD: f64 = 0.05;

/// Rates every window with as many lines as the needle, one more or one less; the best one needs a lead.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let mut rest = all_windows(haystack, needle.strip_suffix('\n').unwrap_or(needle));
    // Repeatedly takes the best window that overlaps no earlier one; the first of equal ones.
    let mut places: Vec<Candidate> = Vec::new();
    while let Some((best, candidate)) =
        rest.iter().cloned().reduce(|a, b| if b.1.similarity > a.1.similarity { b } else { a })
    {
        places.push(candidate);
        rest.retain(|(window, _)| window.end <= best.start || best.end <= window.start);
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

/// Returns the ranges of lines with their candidates in order of their first lines, those with fewer lines first.
fn all_windows(haystack: &str, needle: &str) -> Vec<(Range<usize>, Candidate)> {
    let count = needle.split('\n').count();
    let sizes = (count - 1..=count + 1).filter(|size| *size > 0);
    let windows = sizes.flat_map(|size| windows(haystack, size).into_iter().enumerate().map(move |at| (size, at)));
    let mut all: Vec<_> = windows
        .map(|(size, (first, window))| {
            (first..first + size, Candidate::new(window, scalar_similarity(window.text(haystack), needle)))
        })
        .collect();
    all.sort_by_key(|(window, _)| (window.start, window.end));
    all
}

/// Rates every window with as many lines as the needle has from its first to its last line that is not blank; returns
/// the best ones if they are similar enough.
pub(super) fn boocode(haystack: &str, needle: &str) -> Vec<Candidate> {
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
