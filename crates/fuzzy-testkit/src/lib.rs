//! What tests share: those of all strategies, and those that start programs.
//!
//! - [`cases`]: worked cases of a strategy family, kept in a `cases.toml`.
//! - [`edits`]: edits of whole files, and what must come of them to the byte.
//! - [`naive`]: the rungs straight from their definitions, which tests and benches compare the strategies with.
//! - [`patches`]: the corpus of patches.
//! - [`picture`]: what a strategy found, drawn so that a person can judge it.
//! - [`contract`]: checks of the strategy trait's numbered rules.
//! - [`plain_edits`]: edits of real files whose results plain string operations know.
//! - [`programs`]: programs that are made by a test and started at once.
//! - [`shared`]: cases that every strategy runs.
//! - [`slipped_edits`]: generated edits with every slip that writers make, and what must come of them.
//! - [`small_edits`]: edits of a few lines with a slip, which shrink, for properties of a merge.
//! - [`snapshot`]: snapshots that hold the value alone.
//! - [`texts`]: generated haystacks and needles with everything that goes wrong in real files.
//! - [`verdict`]: what the text that an edit made is worth.

pub mod cases;
pub mod contract;
pub mod edits;
pub mod naive;
pub mod patches;
pub mod picture;
pub mod plain_edits;
pub mod programs;
pub mod shared;
pub mod slipped_edits;
pub mod small_edits;
pub mod snapshot;
pub mod texts;
pub mod verdict;

use fuzzy_core::{Candidate, Document, Found, Query, Strategy};
use std::ops::ControlFlow;

/// Returns all candidates of a strategy, in order.
///
/// # Panics
///
/// Panics if the strategy ends its search although nobody asked it to.
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

/// Returns the start and the end of all candidates, in order.
pub fn spans(strategy: &dyn Strategy, haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    candidates(strategy, haystack, needle).iter().map(|found| (found.span.start(), found.span.end())).collect()
}
