//! Compares texts, then whole lines, trimmed at both ends.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Span, Strategy, Trimmed, blank};

/// Proposes every place of the trimmed old text, then every window with as many lines as the old text that consists of the
/// trimmed old text and blanks.
///
/// A blank old text becomes the empty text, which occurs everywhere; its places at both ends of the text are
/// proposed, so that neither is unique.
#[derive(Debug)]
pub struct TrimmedBoundary;

impl Strategy for TrimmedBoundary {
    fn name(&self) -> &'static str {
        "trimmed-boundary"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let trimmed = blank::trim(query.old());
        if trimmed == query.old() || query.known_absent_part(trimmed) {
            return ControlFlow::Continue(());
        }
        let lines = query.old_lines().len();
        if trimmed.is_empty() {
            let end = query.text().len();
            found.propose_equal(0, 0)?;
            if end > 0 {
                found.propose_equal(end, end)?;
            }
            return query.windows_equal_by(query.old_lines(), &Trimmed, |window| {
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
