//! Finds windows with the old text's number of lines that are a few edits away from it.
//!
//! - Accepts: any change of less than a fifth of the characters.
//! - Refuses: more than that, another number of lines.
//! - Cost: one bit-parallel pass over the text that bounds the distance of every window, then a distance with a
//!   cutoff for the few remaining ones. It refuses if that would take more than about half a second.

use std::ops::ControlFlow;

use fuzzy_core::{Candidate, Found, Query, Similarity, Strategy};

/// Takes every window with as many lines as the old text and an edit distance below a fifth of the longer side, in
/// Unicode scalar values. A final `\n` of the old text is ignored.
#[derive(Debug)]
pub struct Levenshtein;

/// The distance must be below this share of the longer side. The original implementation gives a fifth as an example. A
/// block in which one name changed everywhere is below it, another block of the same form rarely is.
const MAX_DISTANCE: f64 = 0.2;

impl Strategy for Levenshtein {
    fn name(&self) -> &'static str {
        "levenshtein"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let needle = query.old();
        if needle.is_empty() {
            return ControlFlow::Continue(());
        }
        let text = needle.strip_suffix('\n').unwrap_or(needle);
        let lines = query.old_lines_trimmed().len();
        let least = Similarity::new(1.0 - MAX_DISTANCE);
        let windows = query.similar_windows(text, lines..=lines, least)?;
        for window in windows.all() {
            let Some(distance) = windows.distance(window, least)? else { continue };
            if (distance as f64 / window.longer.max(1) as f64) < MAX_DISTANCE {
                found.propose(Candidate::new(window.span, Similarity::of_distance(distance, window.longer)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

fuzzy_core::register! {
    Levenshtein, priority = 110;
}
