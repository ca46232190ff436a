//! Keeps the window of the needle's line count that is most alike.
//!
//! - Accepts: the best window, if about two thirds of it are the needle's.
//! - Refuses: less than that, several windows that are equally alike.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Similarity, Strategy, blank};

use crate::measured::{Measured, best};

/// Takes, among the windows of as many lines as the needle has between its leading and trailing blank lines, the one
/// whose similarity to the needle is highest, and all of them where several are.
///
/// The similarity is 1 - distance / longer side, in Unicode scalar values. A final `\n` of the needle is left aside.
#[derive(Debug)]
pub struct Boocode;

/// Similarity that a window must have: about two lines in three. Its source gives no reason for the value.
const LEAST: Similarity = Similarity::new(0.66);

impl Strategy for Boocode {
    fn name(&self) -> &'static str {
        "best-window/boocode"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let inked = blank::trim(query.needle());
        if inked.is_empty() {
            return ControlFlow::Continue(());
        }
        let lines = inked.split('\n').count();
        let text = query.needle().strip_suffix('\n').unwrap_or(query.needle());
        let windows = query.similar_windows(text, lines..=lines, LEAST)?;
        let best = best(&windows, LEAST, 0.0)?;
        let equals = best.iter().take_while(|it| it.similarity == best[0].similarity);
        equals.map(Measured::candidate).try_for_each(|candidate| found.propose(candidate))
    }
}
