//! Compares lines without trailing blanks.
//!
//! - Accepts: trailing blanks, blank lines around the old text.
//! - Refuses: changed indentation, another number of lines, changed blanks inside a line.
//! - Cost: a substring pass for each of the old text's first, last and rarest line; a window is verified only at a place
//!   of the rarest line.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, TrimmedEnd, blank};

/// Compares lines without trailing blanks, and the old text without its outer blank lines.
#[derive(Debug)]
pub struct Ends;

impl Strategy for Ends {
    fn name(&self) -> &'static str {
        "line-trimmed/ends"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        query.windows_equal_by(between_blank_lines(query.old_lines()), &TrimmedEnd, |window| {
            found.propose_equal(window.start(), window.end())
        })
    }
}

/// Removes the outer blank lines; nothing remains of blank lines only.
pub(crate) fn between_blank_lines<'a, 't>(mut lines: &'a [&'t str]) -> &'a [&'t str] {
    while let [first, rest @ ..] = lines
        && blank::is_blank_text(first)
    {
        lines = rest;
    }
    while let [rest @ .., last] = lines
        && blank::is_blank_text(last)
    {
        lines = rest;
    }
    lines
}
