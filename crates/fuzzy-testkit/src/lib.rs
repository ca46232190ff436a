//! Code shared by tests of strategies, and by tests that start programs.

pub mod cases;
pub mod contract;
pub mod naive;
pub mod named_edits;
pub mod patches;
pub mod picture;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod programs;
pub mod shared;
pub mod slipped_edits;
pub mod small_edits;
pub mod snapshot;
pub mod texts;
pub mod users_repository;

use fuzzy_core::{Candidate, Document, Found, Query, Strategy};
use std::ops::ControlFlow;

/// Returns all candidates of a strategy, in order.
///
/// # Panics
///
/// Panics if the strategy ends its search by itself.
pub fn candidates(strategy: &dyn Strategy, haystack: &str, needle: &str) -> Vec<Candidate> {
    let document = Document::new(haystack);
    let query = Query::new(&document, needle);
    let mut all = Vec::new();
    let flow = strategy.candidates(
        &query,
        &mut Found::new(&mut |candidate| {
            all.push(candidate);
            ControlFlow::Continue(())
        }),
    );
    assert!(flow.is_continue() || query.stopped().is_some(), "only a visitor or the query may stop a strategy");
    all
}

/// Returns the start and end of all candidates, in order.
pub fn spans(strategy: &dyn Strategy, haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    candidates(strategy, haystack, needle).iter().map(|found| (found.span.start(), found.span.end())).collect()
}
