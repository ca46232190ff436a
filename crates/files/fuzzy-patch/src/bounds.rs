//! The markers of envelopes, and the end of an envelope.

use crate::cursor::{Cursor, Line};
use crate::fence::Fence;

// The markers, as they begin their lines.
pub(crate) const BEGIN: &str = "*** Begin Patch";
pub(crate) const END: &str = "*** End Patch";
pub(crate) const END_OF_FILE: &str = "*** End of File";
pub(crate) const ADD: &str = "*** Add File:";
pub(crate) const DELETE: &str = "*** Delete File:";
pub(crate) const UPDATE: &str = "*** Update File:";
pub(crate) const MOVE: &str = "*** Move to:";

/// Returns whether a line is only the marker.
pub(crate) fn is(line: Line<'_>, marker: &str) -> bool {
    line.bare().trim_end() == marker
}

/// The rules for the end of an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    fence: Option<Fence>,
    /// Whether the envelope has an end marker without blanks before it.
    has_end: bool,
}

impl Bounds {
    /// Searches the end of an envelope that begins at `ahead`.
    pub(crate) fn of(mut ahead: Cursor<'_>, has_begin: bool, fence: Option<Fence>) -> Self {
        let mut has_end = !has_begin;
        while let Some(line) = ahead.advance().filter(|line| !has_end && !is(*line, BEGIN)) {
            has_end = is(line, END);
        }
        Self { fence, has_end }
    }

    /// Returns whether a line is the last one of the envelope.
    pub(crate) fn is_end(self, line: Line<'_>) -> bool {
        is(line, END) || (!self.has_end && line.bare().trim() == END)
    }

    /// Returns whether a line ends the section that a marker of the envelope began. A marker with blanks before it
    /// counts only where it cannot be a line of the file: as the end of an envelope without another end, or as the name
    /// of a file with a hunk below it.
    pub(crate) fn ends_section(self, line: Line<'_>, ahead: Cursor<'_>) -> bool {
        line.text.starts_with("*** ")
            || self.fence.is_some_and(|fence| fence.is_closed_by(line.bare()))
            || self.is_end(line)
            || (line.text.trim_start().starts_with(UPDATE) && ahead.starts_with("@@"))
    }
}
