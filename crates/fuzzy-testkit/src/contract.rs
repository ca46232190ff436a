//! Checks of the strategy trait's numbered rules.

use std::ops::ControlFlow;

use fuzzy_core::{Document, Found, Query, Strategy};

use crate::candidates;

/// Asserts rules 1, 2, 3 and 5 of [`Strategy`] for one haystack and needle; rule 4 holds if this returns.
///
/// # Panics
///
/// Panics if a rule is violated.
pub fn assert_contract(strategy: &dyn Strategy, haystack: &str, needle: &str) {
    let found = candidates(strategy, haystack, needle);
    for candidate in &found {
        let span = candidate.span;
        assert!(haystack.get(span.range()).is_some(), "rule 1: {span:?} is not a range of characters");
    }
    assert_eq!(found, candidates(strategy, haystack, needle), "rule 2: the same query, other candidates");
    assert!(!needle.is_empty() || found.is_empty(), "rule 3: an empty needle was found");
    if found.len() > 1 {
        let document = Document::new(haystack);
        let query = Query::new(&document, needle);
        let mut seen = 0;
        let flow = strategy.candidates(
            &query,
            &mut Found::new(&mut |_| {
                seen += 1;
                ControlFlow::Break(())
            }),
        );
        assert!(flow.is_break() && seen == 1, "rule 5: asked to stop after 1, proposed {seen}");
    }
}
