//! Proposes windows of the haystack: every place of a needle's line votes for a start of the needle.
//!
//! A vote has the line's weight, so rare lines decide. For a line that occurs nowhere, lines with the same rare words
//! vote.

use std::time::Duration;

use fuzzy_core::Query;
use fuzzy_merge::{Key, Line};
use rustc_hash::FxHashMap;

use crate::index::{Index, LinePlaces};
use crate::needle::Needle;
use crate::rare_words::similar_lines;

/// The most windows to align: the right one nearly always has most votes, and a rival is among the next few.
const MAX_WINDOWS: usize = 8;

/// The share of a missing line's weight that its similar lines vote with.
const SIMILAR_VOTE: f32 = 0.8;

/// The most places of a line that votes.
const MAX_VOTES: usize = 64;

/// The most lines between a window and another vote for the same needle.
const MAX_DISTANCE: usize = 60;

/// The same for a needle with an elision, which replaces any number of lines.
const MAX_ELIDED_DISTANCE: usize = 500;

/// The share of the needle's weight in voting lines above which similar lines need not vote.
const MIN_EXPLAINED: f32 = 0.9;

/// The time that a vote takes: it is sorted twice, and summed.
const NANOSECONDS_PER_VOTE: usize = 64;

/// The least weight of a vote that widens a window near it.
const MIN_WIDENING_WEIGHT: f32 = 0.2;

/// Lines of the index that may hold the needle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The weight of the votes for a start near there.
    pub(crate) votes: f32,
}

/// A vote for a start of the needle.
#[derive(Clone, Copy, Debug)]
struct Vote {
    start: isize,
    line: usize,
    weight: f32,
}

impl Vote {
    fn new(needle_line: usize, file_line: usize, weight: f32) -> Self {
        Self { start: file_line.cast_signed() - needle_line.cast_signed(), line: file_line, weight }
    }
}

/// Returns the windows with most votes, the best first.
pub(crate) fn windows(
    query: &Query<'_>,
    index: &Index<'_>,
    needle: &Needle<'_>,
    places: &FxHashMap<Key, LinePlaces>,
) -> Vec<Window> {
    let votes = collect(query, index, needle, places);
    let count = needle.lines.len();
    let slack = (2 + count / 4).min(40).cast_signed();
    let before = (4 + count / 2).cast_signed();
    let far = if needle.elided { MAX_ELIDED_DISTANCE } else { MAX_DISTANCE.min(4 * count + 8) }.cast_signed();
    let count = count.cast_signed();
    let mut chosen: Vec<Window> = Vec::new();
    let mut taken: Vec<isize> = Vec::new();
    for (sum, at) in sums(&votes, slack) {
        let start = votes[at].start;
        if taken.iter().any(|&other| (other - start).abs() <= slack) {
            continue;
        }
        taken.push(start);
        let mut low = start - slack - before;
        let mut high = start + slack + count + before;
        // A vote nearby may belong to the same place, across omitted lines.
        for vote in &votes {
            let line = vote.line.cast_signed();
            if vote.weight >= MIN_WIDENING_WEIGHT && line >= start - far && line <= start + count + far {
                low = low.min(line - 2);
                high = high.max(line + 3);
            }
        }
        let from = usize::try_from(low).unwrap_or(0);
        let to = usize::try_from(high).unwrap_or(0).min(index.lines.len());
        if from < to {
            chosen.push(Window { from, to, votes: sum });
        }
        if chosen.len() >= MAX_WINDOWS {
            break;
        }
    }
    chosen
}

/// Collects the votes, in order of their start.
fn collect(
    query: &Query<'_>,
    index: &Index<'_>,
    needle: &Needle<'_>,
    places: &FxHashMap<Key, LinePlaces>,
) -> Vec<Vote> {
    let mut votes = Vec::new();
    let mut absent = Vec::new();
    let mut explained = 0.0;
    for (at, line) in needle.lines.iter().enumerate().filter(|(_, line)| !line.elision) {
        match places.get(&line.key) {
            Some(found) if found.count > MAX_VOTES => {}
            Some(found) if found.count > 0 => {
                explained += line.weight;
                votes.extend(found.lines.iter().map(|&place| Vote::new(at, place, line.weight)));
            }
            _ => absent.push(at),
        }
    }
    // Without other votes, common lines may decide together.
    let common = |line: &Line<'_>| places.get(&line.key).map_or(&[][..], |found| &found.lines);
    let is_common = votes.is_empty();
    let count = if is_common { needle.lines.iter().map(|line| common(line).len()).sum() } else { votes.len() };
    // There can be so many that they take a part of the time.
    if query.may_take(Duration::from_nanos((count * NANOSECONDS_PER_VOTE) as u64)).is_break() {
        return Vec::new();
    }
    if is_common {
        for (at, line) in needle.lines.iter().enumerate() {
            votes.extend(common(line).iter().map(|&place| Vote::new(at, place, line.weight)));
        }
    }
    if explained < MIN_EXPLAINED * needle.total && !absent.is_empty() {
        let texts: Vec<&str> = absent.iter().map(|&at| needle.lines[at].text).collect();
        for (&at, similar) in absent.iter().zip(similar_lines(query, index, &texts)) {
            let weight = needle.lines[at].weight * SIMILAR_VOTE;
            votes.extend(similar.into_iter().map(|(place, share)| Vote::new(at, place, weight * share)));
        }
    }
    votes.sort_unstable_by_key(|vote| (vote.start, vote.line));
    votes
}

/// Sums for each vote all votes for nearly the same start, most first.
fn sums(votes: &[Vote], slack: isize) -> Vec<(f32, usize)> {
    let mut sums: Vec<(f32, usize)> = Vec::with_capacity(votes.len());
    let (mut low, mut high, mut sum) = (0, 0, 0.0f32);
    for (at, vote) in votes.iter().enumerate() {
        while high < votes.len() && votes[high].start <= vote.start + slack {
            sum += votes[high].weight;
            high += 1;
        }
        while votes[low].start < vote.start - slack {
            sum -= votes[low].weight;
            low += 1;
        }
        sums.push((sum, at));
    }
    sums.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    sums
}
