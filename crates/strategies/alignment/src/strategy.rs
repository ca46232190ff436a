//! The strategy.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

use crate::search::best_places;

/// Proposes the place with the best alignment of the needle's lines, and the places equal to it.
#[derive(Debug)]
pub struct Alignment;

impl Strategy for Alignment {
    fn name(&self) -> &'static str {
        "alignment"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let places = best_places(query);
        if query.stopped().is_some() {
            return ControlFlow::Break(());
        }
        places.into_iter().try_for_each(|place| found.propose(place))
    }
}
