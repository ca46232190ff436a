//! Finds the most similar window with the old text's number of lines.
//!
//! - Accepts: the best window, if its similarity is at least 0.66.
//! - Refuses: less similar windows, and several equally similar ones.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Similarity, Strategy, blank};

use crate::measured::{Measured, best};

/// Takes the window with the highest similarity to the old text among those with as many lines as the old text has between
/// its leading and trailing blank lines; proposes all of several equal ones.
///
/// The similarity is 1 - distance / longer side, in Unicode scalar values. A final `\n` of the old text is ignored.
#[derive(Debug)]
pub struct Boocode;

/// The least similarity of a window: about two lines in three. The original implementation gives no reason for the
/// value.
const MIN_SIMILARITY: Similarity = Similarity::new(0.66);

impl Strategy for Boocode {
    fn name(&self) -> &'static str {
        "best-window/boocode"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let inked = blank::trim(query.old());
        if inked.is_empty() {
            return ControlFlow::Continue(());
        }
        let lines = inked.split('\n').count();
        let text = query.old().strip_suffix('\n').unwrap_or(query.old());
        let windows = query.similar_windows(text, lines..=lines, MIN_SIMILARITY)?;
        let best = best(&windows, MIN_SIMILARITY, 0.0)?;
        let equals = best.iter().take_while(|it| it.similarity == best[0].similarity);
        equals.map(Measured::candidate).try_for_each(|candidate| found.propose(candidate))
    }
}
