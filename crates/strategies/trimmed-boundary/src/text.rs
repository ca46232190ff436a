//! Searches the old text without the blanks at its ends.
//!
//! - Accepts: additional blanks and blank lines at the old text's ends.
//! - Refuses: blanks changed anywhere else.
//! - Cost: one substring pass.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, blank};

/// Finds the old text, trimmed at both ends, as text; the place includes none of the trimmed blanks. A blank old text has
/// no place.
#[derive(Debug)]
pub struct Text;

impl Strategy for Text {
    fn name(&self) -> &'static str {
        "trimmed-boundary/text"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let text = blank::trim(query.old());
        let Some(first) = query.first_occurrence(text) else { return ControlFlow::Continue(()) };
        query.occurrences_from(text, first).try_for_each(|start| found.propose_equal(start, start + text.len()))
    }
}
