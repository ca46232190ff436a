//! Finds the old text with other letter case: a strategy from outside the engine.
//!
//! - Accepts: ASCII letters in the other case.
//! - Refuses: other letters in the other case, and every difference in blanks.
//! - Cost: one comparison of the old text's length at every character.
//!
//! A program that depends on this crate and calls [`link`] has the strategy in the ladder `registered`, at the position
//! of its priority. Other ladders do not change: each lists its strategies by name.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Proposes every place that equals the old text except for the case of ASCII letters.
#[derive(Debug)]
pub struct IgnoreCase;

impl Strategy for IgnoreCase {
    fn name(&self) -> &'static str {
        "ignore-case"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let (file, old) = (query.text(), query.old());
        if old.is_empty() {
            return ControlFlow::Continue(());
        }
        for (start, _) in file.char_indices() {
            let end = start + old.len();
            // No text: the file ends here, or the place would end inside a character.
            let Some(text) = file.get(start..end) else { continue };
            query.spend(old.len())?;
            if text.eq_ignore_ascii_case(old) {
                found.propose_equal(start, end)?;
            }
        }
        ControlFlow::Continue(())
    }
}

// Directly after `exact`, whose priority is 10: an exact place is always preferred.
fuzzy_core::register!(IgnoreCase, priority = 11);
