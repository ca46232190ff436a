//! Finds every exact occurrence of the old text, without overlaps.
//!
//! - Accepts: only the old text itself.
//! - Refuses: everything else.
//! - Cost: one substring pass, which an earlier strategy has usually made already.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Proposes the places of the old text that `replace_all` would replace.
#[derive(Debug)]
pub struct MultiOccurrence;

impl Strategy for MultiOccurrence {
    fn name(&self) -> &'static str {
        "multi-occurrence"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let Some(first) = query.first_exact() else { return ControlFlow::Continue(()) };
        let mut places = query.occurrences_from(query.old(), first);
        while let Some(start) = places.next() {
            let end = start + query.old().len();
            found.propose_equal(start, end)?;
            places.skip_to(end);
        }
        ControlFlow::Continue(())
    }
}

fuzzy_core::register!(MultiOccurrence, priority = 90);
