//! Reports of edits, for programs and people.

use std::path::Path;

use fuzzy_core::LineRange;
use serde::Serialize;

use crate::{CellLines, Failure, NewLines, ReplacedLines, Status, printable};

/// The report of one edit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "nearly every report is a success")]
pub enum Report {
    /// The edit succeeded or would succeed.
    Success(Success),
    /// The edit failed.
    Failure(Box<Failure>),
}

/// An edit that succeeded or would succeed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Success {
    /// Whether the edit was written, or the reason why not.
    pub status: Status,
    /// The path as the caller gave it.
    pub file_path: String,
    /// The strategy that found the place; none if the new text is already there.
    pub strategy: Option<&'static str>,
    /// The similarity of old text and place under that strategy's rule, 0 to 1.
    pub similarity: f64,
    /// The confidence that this is the right place, 0 to 1.
    pub confidence: f64,
    /// The number of replaced places.
    pub occurrences: usize,
    /// Whether the new text differs from the old one.
    pub changed: bool,
    /// The replaced lines in the old text, from the first place to the last.
    pub lines_before: LineRange,
    /// The same places in the new text.
    pub lines_after: LineRange,
    /// The replaced lines in the source of a cell, if the edit is one of the source of a notebook's cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Box<CellLines>>,
    /// The replaced lines of an edit that names them by their ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Box<ReplacedLines>>,
    /// The new place of moved or copied lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_lines: Option<Box<NewLines>>,
    /// The change as a unified diff.
    pub diff: String,
    /// A note for the caller: how the file differs from the old text, what was adjusted, and what else changed than the
    /// named lines, a line each.
    pub note: Option<String>,
    /// SHA-256 of the file on disk now, in hexadecimal; none if there is no file now.
    pub file_hash: Option<String>,
    /// The encoding of the file; none if it was not read as text, or for a text in memory.
    pub encoding: Option<&'static str>,
    /// Whether the encoding is a guess: the file has no mark of its encoding and is not valid UTF-8.
    pub encoding_detected: bool,
}

impl Success {
    /// Makes the report of a planned operation: an exact match, and no change of the file yet.
    #[must_use]
    pub fn planned(path: &Path, lines_before: LineRange, lines_after: LineRange) -> Self {
        Self {
            status: Status::NotWritten,
            file_path: path.to_string_lossy().into_owned(),
            strategy: None,
            similarity: 1.0,
            confidence: 1.0,
            occurrences: 0,
            changed: false,
            lines_before,
            lines_after,
            cell: None,
            replaced: None,
            new_lines: None,
            diff: String::new(),
            note: None,
            file_hash: None,
            encoding: None,
            encoding_detected: false,
        }
    }

    /// Returns the action, file, lines and number of places in a few words.
    #[must_use]
    pub fn summary(&self) -> String {
        let done = match self.status {
            Status::DryRun => "would apply",
            _ if self.changed => "applied",
            _ => "nothing to change",
        };
        let place = self.cell.as_ref().map_or_else(|| self.lines_before.to_string(), ToString::to_string);
        format!("{done}: `{}` {place}{}", printable(&self.file_path), self.beside_place())
    }

    /// Returns the words after the place: the number of places, the replaced lines, and their new place.
    pub(crate) fn beside_place(&self) -> String {
        let places = if self.occurrences > 1 { format!(", {} places", self.occurrences) } else { String::new() };
        let ends =
            self.replaced.as_ref().map_or_else(String::new, |lines| format!(": {}", printable(&lines.summary())));
        let to = self.new_lines.as_ref().map_or_else(String::new, |lines| format!(", {}", printable(&lines.summary())));
        places + &ends + &to
    }
}

/// The report of a list of edits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ListReport {
    /// All edits succeeded or would succeed.
    Success {
        /// Whether the edits were written.
        status: Status,
        /// The reports of the edits, in order.
        edits: Vec<Report>,
    },
    /// An edit failed, so none was written.
    Failure {
        /// The first failure.
        #[serde(flatten)]
        failure: Box<Failure>,
        /// The reports of the edits, in order.
        edits: Vec<Report>,
    },
}

impl From<Vec<Report>> for ListReport {
    fn from(edits: Vec<Report>) -> Self {
        let mut status = None;
        for edit in &edits {
            match edit {
                Report::Failure(failure) => return Self::Failure { failure: failure.clone(), edits },
                Report::Success(success) if success.status == Status::AlreadyApplied => {}
                Report::Success(success) => status = Some(success.status),
            }
        }
        Self::Success { status: status.unwrap_or(Status::AlreadyApplied), edits }
    }
}
