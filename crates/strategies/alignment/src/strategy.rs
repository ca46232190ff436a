//! What the engine sees of this crate: a strategy that proposes places,

use std::ops::ControlFlow;

use fuzzy_core::{Candidate, Found, Query, Similarity, Span, Strategy};

use crate::search::best_places;

/// Proposes the place that the needle's lines align with best, and its equals where the needle cannot tell them apart.
#[derive(Debug)]
pub struct Alignment;

/// Name under which the strategy is registered and reported.
const NAME: &str = "alignment";

impl Strategy for Alignment {
    fn name(&self) -> &'static str {
        NAME
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let places = best_places(query);
        if query.stopped().is_some() {
            return ControlFlow::Break(());
        }
        for (span, alike) in places {
            // A line ends before its ending, whichever that is.
            let end = span.end - usize::from(query.haystack()[span.clone()].ends_with('\r'));
            // The digits of a similarity beyond the third are not meant.
            let similarity = Similarity::new((f64::from(alike) * 1000.0).round() / 1000.0);
            found.propose(Candidate::new(Span::new(span.start, end), similarity))?;
        }
        ControlFlow::Continue(())
    }
}
