//! Finds a badly copied old text by aligning its lines with the file's.
//!
//! - Accepts: changed blanks, quotes, escapes and names; omitted, added, wrapped, joined or truncated lines; line
//!   numbers, fences and placeholders; all of these where the rest proves the place.
//! - Refuses: places that do not explain much of the old text.
//! - Cost: one pass over the text, then alignments with a few windows of the old text's size.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Proposes the place with the best alignment of the old text's lines, and the places equal to it.
#[derive(Debug)]
pub struct Alignment;

impl Strategy for Alignment {
    fn name(&self) -> &'static str {
        "alignment"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let places = fuzzy_locate::candidates(query);
        if query.stopped().is_some() {
            return ControlFlow::Break(());
        }
        places.into_iter().try_for_each(|place| found.propose(place))
    }
}

fuzzy_core::register!(Alignment, priority = 125);
