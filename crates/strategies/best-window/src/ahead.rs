//! Keeps the most similar window if it is clearly ahead of every other place.
//!
//! - Accepts: the best window of about the needle's line count, if six tenths of it are the needle's.
//! - Refuses: less than that, another place that comes close.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Similarity, Strategy};

use crate::measured::{Measured, best};

/// Takes, among the windows of one line less than the needle has to one more, the one whose similarity to the needle is
/// highest; of equals the one that starts first, and then the shorter one. It has to be ahead of every window that
/// shares no line with it.
///
/// Where it is not ahead, it is proposed with those that come as close, if they are alike enough to be meant. The
/// similarity is 1 - distance / longer side, in Unicode scalar values. A final `\n` of the needle is left aside.
#[derive(Debug)]
pub struct BestWindow;

/// Similarity that a window must have. Two unrelated pieces of code share some four tenths of their characters.
const LEAST: f64 = 0.6;

/// How far the best window must be ahead: two typing errors in a block of forty characters.
const MARGIN: f64 = 0.05;

impl Strategy for BestWindow {
    fn name(&self) -> &'static str {
        "best-window"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        if query.needle().is_empty() {
            return ControlFlow::Continue(());
        }
        for place in places(query)? {
            found.propose(place.candidate())?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the best window, or all that may be meant where none is ahead.
fn places(query: &Query<'_>) -> ControlFlow<(), Vec<Measured>> {
    let mut windows = alike(query, LEAST)?;
    // A rival may be less alike than the best has to be.
    if windows.first().is_some_and(|best| best.similarity.get() - MARGIN < LEAST) {
        windows = alike(query, LEAST - MARGIN - f64::EPSILON)?;
    }
    let Some(best) = windows.first().copied() else { return ControlFlow::Continue(windows) };
    let comes_close = |it: &Measured| best.similarity.get() - it.similarity.get() < MARGIN;
    if !windows.iter().any(|it| comes_close(it) && !it.window.overlaps(&best.window)) {
        return ControlFlow::Continue(vec![best]);
    }
    // Overlapping windows compete, and the first of them here is the best.
    let mut places: Vec<Measured> = Vec::new();
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    for place in windows {
        let (first, end) = (place.window.first, place.window.first + place.window.lines);
        let is_free = taken.range(..end).next_back().is_none_or(|(_, taken)| *taken <= first);
        if is_free && comes_close(&place) && place.similarity.get() >= LEAST {
            taken.insert(first, end);
            places.push(place);
        }
    }
    if places.len() == 1 {
        // What comes close is not alike enough to be meant, but too much so for the best one to be certain.
        places.clear();
    }
    ControlFlow::Continue(places)
}

/// Returns the windows of similarity `least` or more that come close to the best, the best first.
fn alike(query: &Query<'_>, least: f64) -> ControlFlow<(), Vec<Measured>> {
    let text = query.needle().strip_suffix('\n').unwrap_or(query.needle());
    let lines = query.needle_lines_trimmed().len();
    let least = Similarity::new(least);
    best(&query.similar_windows(text, lines - 1..=lines + 1, least)?, least, MARGIN)
}
