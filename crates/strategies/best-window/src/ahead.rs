//! Finds the most similar window if it is clearly ahead of every other place.
//!
//! - Accepts: the best window with about as many lines as the old text, if its similarity is at least 0.6.
//! - Refuses: less similar windows, and a best window with a close rival.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Similarity, Strategy};

use crate::measured::{Measured, best};

/// Takes the window with the highest similarity to the old text among those with one line less to one line more than it;
/// of equal ones the first, then the shorter one. It must be ahead of every window that shares no line with it.
///
/// Otherwise it is proposed together with its close rivals, if they are similar enough. The similarity is 1 - distance
/// / longer side, in Unicode scalar values. A final `\n` of the old text is ignored.
#[derive(Debug)]
pub struct BestWindow;

/// The least similarity of a window. Two unrelated pieces of code share about 0.4 of their characters.
const MIN_SIMILARITY: f64 = 0.6;

/// The least lead of the best window: two typing errors in a block of forty characters.
const MIN_LEAD: f64 = 0.05;

impl Strategy for BestWindow {
    fn name(&self) -> &'static str {
        "best-window"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        if query.old().is_empty() {
            return ControlFlow::Continue(());
        }
        for place in places(query)? {
            found.propose(place.candidate())?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the best window, or with close rivals all of them.
fn places(query: &Query<'_>) -> ControlFlow<(), Vec<Measured>> {
    let mut windows = alike(query, MIN_SIMILARITY)?;
    // A rival may be less similar than the best window has to be.
    if windows.first().is_some_and(|best| best.similarity.get() - MIN_LEAD < MIN_SIMILARITY) {
        windows = alike(query, MIN_SIMILARITY - MIN_LEAD - f64::EPSILON)?;
    }
    let Some(best) = windows.first().copied() else { return ControlFlow::Continue(windows) };
    let comes_close = |it: &Measured| best.similarity.get() - it.similarity.get() < MIN_LEAD;
    if !windows.iter().any(|it| comes_close(it) && !it.window.overlaps(&best.window)) {
        return ControlFlow::Continue(vec![best]);
    }
    // Overlapping windows compete, and the first of them here is the best.
    let mut places: Vec<Measured> = Vec::new();
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    for place in windows {
        let (first, end) = (place.window.first, place.window.first + place.window.lines);
        let is_free = taken.range(..end).next_back().is_none_or(|(_, taken)| *taken <= first);
        if is_free && comes_close(&place) && place.similarity.get() >= MIN_SIMILARITY {
            taken.insert(first, end);
            places.push(place);
        }
    }
    if places.len() == 1 {
        // The close rivals are too dissimilar to be proposed, but too close for the best window to be certain.
        places.clear();
    }
    ControlFlow::Continue(places)
}

/// Returns the windows with a similarity of at least `least` that are close to the best one, the best first.
fn alike(query: &Query<'_>, least: f64) -> ControlFlow<(), Vec<Measured>> {
    let text = query.old().strip_suffix('\n').unwrap_or(query.old());
    let lines = query.old_lines_trimmed().len();
    let least = Similarity::new(least);
    best(&query.similar_windows(text, lines - 1..=lines + 1, least)?, least, MIN_LEAD)
}
