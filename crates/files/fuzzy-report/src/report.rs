//! What is reported of an edit, to programs and to people.

use std::path::Path;

use serde::Serialize;

use crate::{Failure, Lines, Status, printable};

/// What is reported of one edit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Report {
    /// It succeeded, or would have.
    Success(Success),
    /// It failed.
    Failure(Box<Failure>),
}

/// An edit that succeeded, or would have.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Success {
    /// Whether it was written, and why not.
    pub status: Status,
    /// The path as the caller gave it.
    pub file_path: String,
    /// The strategy that found the place; none if the new text is already there.
    pub strategy: Option<&'static str>,
    /// How alike needle and place are under that strategy's rule, 0 to 1.
    pub similarity: f64,
    /// How sure it is that this is the place, 0 to 1.
    pub confidence: f64,
    /// How many places are replaced.
    pub occurrences: usize,
    /// Whether the new text differs from the old one.
    pub changed: bool,
    /// The replaced lines in the old text, from the first place to the last.
    pub lines_before: Lines,
    /// The same places in the new text.
    pub lines_after: Lines,
    /// What changes, as a unified diff.
    pub diff: String,
    /// What the caller should know about a needle that did not match exactly.
    pub note: Option<String>,
    /// SHA-256 of the file as it is on the disk now, in hexadecimal; none if there is no file now.
    pub file_hash: Option<String>,
    /// The encoding of the file; none if it was not read as text, or is a text in memory.
    pub encoding: Option<&'static str>,
    /// Whether that is only likely: nothing says it, and the file is not valid UTF-8.
    pub encoding_detected: bool,
}

impl Success {
    /// Makes the report of an operation that is planned, found exactly, and changes the file in no way known yet.
    #[must_use]
    pub fn planned(path: &Path, lines_before: Lines, lines_after: Lines) -> Self {
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
            diff: String::new(),
            note: None,
            file_hash: None,
            encoding: None,
            encoding_detected: false,
        }
    }

    /// Says in a few words what was done, to which file, on which lines, and at how many places.
    #[must_use]
    pub fn summary(&self) -> String {
        let done = match self.status {
            Status::DryRun => "would apply",
            _ if self.changed => "applied",
            _ => "nothing to change",
        };
        let places = if self.occurrences > 1 { format!(", {} places", self.occurrences) } else { String::new() };
        format!("{done}: `{}` {}{places}", printable(&self.file_path), self.lines_before)
    }
}

/// What is reported of a list of edits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ListReport {
    /// All succeeded, or would have.
    Success {
        /// Whether they were written.
        status: Status,
        /// Each edit, in order.
        edits: Vec<Report>,
    },
    /// One failed, so none was written.
    Failure {
        /// The first failure.
        #[serde(flatten)]
        failure: Box<Failure>,
        /// Each edit, in order.
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
