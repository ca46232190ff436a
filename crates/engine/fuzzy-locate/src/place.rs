//! Aligns a needle with the windows that got most votes of its lines, and scores each.

use std::ops::Range;
use std::time::Duration;

use fuzzy_core::Query;
use fuzzy_merge::{Key, Line, Pair, align_while};
use rustc_hash::FxHashMap;

use crate::candidates::{Window, windows};
use crate::index::{Index, LinePlaces};
use crate::needle::Needle;

/// The least score of a place without rivals in windows with few votes.
const MIN_EXPLAINED: f32 = 0.95;

/// The fewest votes of a window that may hold a rival of such a place, as a share of that place's votes.
const MIN_RIVAL_VOTES: f32 = 0.4;

/// The least share of the evidence in the main part of a place with wide gaps.
const MIN_MAIN_SHARE: f32 = 0.6;

/// The lines that the needle may lack on either side of the main part.
const SLACK: usize = 2;

/// A needle aligned with a part of the haystack.
#[derive(Clone, Debug)]
pub struct Place {
    /// Pairs lines of the needle with lines of the index.
    pub pairs: Vec<Pair>,
    /// The score: 1 if every line was found, less a cost for missing and extra lines.
    pub score: f32,
    /// The share of the needle's evidence that was found, 0 to 1.
    pub similarity: f32,
}

impl Place {
    /// Makes the place of a needle equal to the lines from `first` to `last`.
    #[must_use]
    pub fn whole(first: usize, last: usize) -> Self {
        let pairs = (first..=last).map(|at| Pair::equal(at - first, at)).collect();
        Self { pairs, score: 1.0, similarity: 1.0 }
    }

    /// Returns the indexes of the first line and the one after the last.
    #[must_use]
    pub fn lines(&self) -> (usize, usize) {
        let first = self.pairs.first().map_or(0, |pair| pair.right.start);
        let last = self.pairs.last().map_or(0, |pair| pair.right.end);
        (first, last)
    }

    /// Returns whether two places pair a line of the needle with the same line of the file.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.lines(), other.lines());
        a.0 < b.1
            && b.0 < a.1
            && self
                .pairs
                .iter()
                .any(|pair| other.pairs.iter().any(|found| found.left == pair.left && found.right == pair.right))
    }
}

/// Finds the places of the needle, the best first. Overlapping places count as one.
pub(crate) fn find(
    query: &Query<'_>,
    index: &Index<'_>,
    needle: &Needle<'_>,
    places: &FxHashMap<Key, LinePlaces>,
) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    if needle.total <= 0.0 {
        return found;
    }
    let mut fewest = None;
    let mut tried: Vec<Range<usize>> = Vec::new();
    for Window { from, to, votes } in windows(query, index, needle, places) {
        let is_rival = fewest.is_none_or(|fewest| votes >= fewest);
        if !is_rival || query.may_take(alignment_time(needle.lines.len(), to - from)).is_break() {
            break;
        }
        add(query, index, needle, from..to, &mut found);
        tried.push(from..to);
        if fewest.is_none() && found.iter().any(|place| place.score >= MIN_EXPLAINED) {
            // If only similar lines vote, all windows have few votes.
            fewest = Some(MIN_RIVAL_VOTES * votes.min(needle.total));
        }
    }
    sort(&mut found);
    // A rival may occur right beside the best place, in the same window.
    if let Some(best) = found.first().cloned() {
        let (first, last) = best.lines();
        let half = needle.lines.len().div_ceil(2);
        let around = tried.iter().filter(|window| window.start < last && first < window.end);
        let (from, to) = around.fold((first, last), |(from, to), window| (from.min(window.start), to.max(window.end)));
        for window in [from..first, last..to] {
            if window.len() >= half {
                add(query, index, needle, window, &mut found);
            }
        }
        // Where lines repeat more often than in the needle, the place may be a line further up or down.
        let has = |at: Option<usize>, line: Option<&Line<'_>>| {
            at.and_then(|at| index.lines.get(at)).map(|line| line.key) == line.map(|line| line.key)
        };
        if has(first.checked_sub(1), needle.lines.first()) {
            add(query, index, needle, from.min(first - 1)..last - 1, &mut found);
        }
        if has(Some(last), needle.lines.last()) {
            add(query, index, needle, first + 1..to.max(last + 1), &mut found);
        }
        sort(&mut found);
    }
    found
}

/// Estimates the time of an alignment of this many lines.
#[must_use]
pub fn alignment_time(ours: usize, theirs: usize) -> Duration {
    /// The time for one cell of the table, with a comparison of its lines if they differ.
    const NANOSECONDS_A_CELL: u64 = 20;
    Duration::from_nanos(NANOSECONDS_A_CELL.saturating_mul(ours.saturating_mul(theirs) as u64))
}

/// Sorts places by score, the best first.
pub(crate) fn sort(found: &mut [Place]) {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.lines().cmp(&b.lines())));
}

/// Adds the place inside a window, or replaces a worse one that overlaps it.
pub(crate) fn add(
    query: &Query<'_>,
    index: &Index<'_>,
    needle: &Needle<'_>,
    window: Range<usize>,
    found: &mut Vec<Place>,
) {
    let Some(place) = place_in(query, index, needle, window) else {
        return;
    };
    if let Some(same) = found.iter_mut().find(|other| other.overlaps(&place)) {
        if place.score > same.score {
            *same = place;
        }
        return;
    }
    found.push(place);
}

/// Aligns the needle inside one window; only a part of it if the query ends before.
#[must_use]
pub fn place_in(query: &Query<'_>, index: &Index<'_>, needle: &Needle<'_>, window: Range<usize>) -> Option<Place> {
    let aligned = align_while(&needle.lines, &index.plain_lines(window.clone()), true, &|| !query.is_over());
    if aligned.pairs.is_empty() {
        return None;
    }
    let down = window.start.cast_signed();
    let pairs: Vec<Pair> = aligned.pairs.into_iter().map(|pair| pair.shifted(0, down)).collect();
    let sum: f32 = pairs.iter().map(|pair| needle.weight(pair) * pair.similarity).sum();
    Some(Place { pairs, score: aligned.score / needle.total, similarity: sum / needle.total })
}

/// Aligns the needle again with the lines around the main part of a place with wide gaps; none without such gaps, or if
/// no part outweighs the rest.
#[must_use]
pub fn main_part(query: &Query<'_>, index: &Index<'_>, needle: &Needle<'_>, place: &Place) -> Option<Place> {
    let parts: Vec<&[Pair]> = place.pairs.chunk_by(|pair, next| !needle.is_wide(pair, next)).collect();
    let weights: Vec<f32> =
        parts.iter().map(|part| part.iter().map(|pair| needle.weight(pair) * pair.similarity).sum()).collect();
    let main = (0..parts.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]))?;
    if parts.len() < 2 || weights[main] < MIN_MAIN_SHARE * weights.iter().sum::<f32>() {
        return None;
    }
    let (first, last) = (parts[main].first()?, parts[main].last()?);
    let from = first.right.start.saturating_sub(first.left.start + SLACK);
    let to = end(parts[main]) + needle.lines.len() - last.left.end + SLACK;
    let before = main.checked_sub(1).map_or(0, |part| end(parts[part]));
    let after = parts.get(main + 1).map_or(index.lines.len(), |part| part[0].right.start);
    place_in(query, index, needle, from.max(before)..to.min(after))
}

/// Returns the index of the line after the last of some pairs.
fn end(pairs: &[Pair]) -> usize {
    pairs.last().map_or(0, |pair| pair.right.end)
}
