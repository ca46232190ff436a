//! Finds the needle in other upper and lower case: a strategy from outside the engine.
//!
//! - Accepts: ASCII letters in the other case.
//! - Refuses: other letters in the other case, and every difference in blanks.
//! - Cost: one comparison of the needle's length at every character.
//!
//! A program that depends on this crate and calls [`link`] has the strategy in the ladder `registered`, where its
//! priority puts it. No other ladder changes: each lists its strategies by name.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Proposes every place that equals the needle but for the case of ASCII letters.
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
            // No text here: the haystack is over, or the place would end inside a character.
            let Some(text) = haystack.get(start..end) else { continue };
            query.spend(needle.len())?;
            if text.eq_ignore_ascii_case(needle) {
                found.propose_equal(start, end)?;
            }
        }
        ControlFlow::Continue(())
    }
}

// Right after `exact`, whose priority is 10: a place that needs no other case is always preferred.
fuzzy_core::register!(IgnoreCase, priority = 11);
