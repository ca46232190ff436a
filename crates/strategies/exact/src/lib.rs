//! Finds exact occurrences of the old text, byte for byte.
//!
//! - Accepts: only the old text itself.
//! - Refuses: everything else.
//! - Cost: one substring pass.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Proposes every place of the old text, overlapping ones included.
#[derive(Debug)]
pub struct Exact;

impl Strategy for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let length = query.old().len();
        // The query stores the first two places, and most policies need only these.
        let Some(first) = query.first_exact() else { return ControlFlow::Continue(()) };
        found.propose_equal(first, first + length)?;
        let Some(second) = query.second_exact() else { return ControlFlow::Continue(()) };
        for start in query.occurrences_from(query.old(), second) {
            found.propose_equal(start, start + length)?;
        }
        ControlFlow::Continue(())
    }
}

fuzzy_core::register!(Exact, priority = 10);
