//! Compares texts, then whole lines, trimmed at both ends.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Span, Strategy, Trimmed, blank};

/// Proposes every place of the trimmed needle, then every window with as many lines as the needle that consists of the
/// trimmed needle and blanks.
///
/// A blank needle becomes the empty text, which occurs everywhere; its places at both ends of the haystack are
/// proposed, so that neither is unique.
#[derive(Debug)]
pub struct TrimmedBoundary;

impl Strategy for TrimmedBoundary {
    fn name(&self) -> &'static str {
        "trimmed-boundary"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let trimmed = blank::trim(query.needle());
        if trimmed == query.needle() || query.known_absent_part(trimmed) {
            return ControlFlow::Continue(());
        }
        let lines = query.needle_lines().len();
        if trimmed.is_empty() {
            let end = query.haystack().len();
            found.propose_equal(0, 0)?;
            if end > 0 {
                found.propose_equal(end, end)?;
            }
            return query.windows_equal_by(query.needle_lines(), &Trimmed, |window| {
                found.propose_equal(window.start(), window.end())
            });
        }
        let Some(first) = query.first_occurrence(trimmed) else { return ControlFlow::Continue(()) };
        for start in query.occurrences_from(trimmed, first) {
            found.propose_equal(start, start + trimmed.len())?;
        }
        for start in query.occurrences_from(trimmed, first) {
            query.windows_around(Span::new(start, start + trimmed.len()), lines, |window| {
                found.propose_equal(window.start(), window.end())
            })?;
        }
        ControlFlow::Continue(())
    }
}
