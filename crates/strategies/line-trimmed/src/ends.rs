//! Compares lines without the blanks at their ends only.
//!
//! - Accepts: trailing blanks, blank lines around the needle.
//! - Refuses: changed indentation, another number of lines, blanks changed inside a line.
//! - Cost: a substring pass for each of the needle's first, last and rarest line; a window is verified only where the
//!   rarest line is found.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, TrimmedEnd, blank};

/// Compares lines after trimming their ends, without the blank lines that the needle starts and ends with.
#[derive(Debug)]
pub struct Ends;

impl Strategy for Ends {
    fn name(&self) -> &'static str {
        "line-trimmed/ends"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        query.windows_equal_by(between_blank_lines(query.needle_lines()), &TrimmedEnd, |window| {
            found.propose_equal(window.start(), window.end())
        })
    }
}

/// Leaves out the blank lines at both ends; nothing is left of blank lines alone.
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
