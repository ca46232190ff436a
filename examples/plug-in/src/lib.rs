//! Finds the needle with other letter case: a strategy from outside the engine.
//!
//! - Accepts: ASCII letters in the other case.
//! - Refuses: other letters in the other case, and every difference in blanks.
//! - Cost: one comparison of the needle's length at every character.
//!
//! A program that depends on this crate and calls [`link`] has the strategy in the ladder `registered`, at the position
//! of its priority. Other ladders do not change: each lists its strategies by name.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Proposes every place that equals the needle except for the case of ASCII letters.
#[derive(Debug)]
pub struct IgnoreCase;

impl Strategy for IgnoreCase {
    fn name(&self) -> &'static str {
        "ignore-case"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let (haystack, needle) = (query.haystack(), query.needle());
        if needle.is_empty() {
            return ControlFlow::Continue(());
        }
        for (start, _) in haystack.char_indices() {
            let end = start + needle.len();
            // No text: the haystack ends here, or the place would end inside a character.
            let Some(text) = haystack.get(start..end) else { continue };
            query.spend(needle.len())?;
            if text.eq_ignore_ascii_case(needle) {
                found.propose_equal(start, end)?;
            }
        }
        ControlFlow::Continue(())
    }
}

// Directly after `exact`, whose priority is 10: an exact place is always preferred.
fuzzy_core::register!(IgnoreCase, priority = 11);
