//! Finds the old text line by line, ignoring the blanks at both ends of every line.
//!
//! - Accepts: changed indentation, trailing blanks.
//! - Refuses: another number of lines, changed blanks inside a line.
//! - Cost: a substring pass for each of the old text's first, last and rarest line; a window is verified only at a place
//!   of the rarest line.

mod canonical;
mod ends;
mod unicode;

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, Trimmed};

pub use ends::Ends;
pub use unicode::Unicode;

/// Compares lines trimmed at both ends; a final `\n` of the old text does not count as a line.
#[derive(Debug)]
pub struct LineTrimmed;

impl Strategy for LineTrimmed {
    fn name(&self) -> &'static str {
        "line-trimmed"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        query.windows_equal_by(query.old_lines_trimmed(), &Trimmed, |window| {
            found.propose_equal(window.start(), window.end())
        })
    }
}

fuzzy_core::register! {
    Ends, priority = 18;
    LineTrimmed, priority = 20;
    Unicode, priority = 22;
}
