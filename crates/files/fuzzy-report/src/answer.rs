//! Responses other than the reports of edits: located texts, undone batches.

use std::fmt;

use fuzzy_core::LineRange;
use serde::Serialize;

use crate::{Code, printable};

/// The places of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Located {
    /// `found`, or `already_applied` if the new text is already there.
    pub status: &'static str,
    /// The path as the caller gave it.
    pub file_path: String,
    /// The strategy that found the place; none if the new text is already there.
    pub strategy: Option<&'static str>,
    /// The similarity of old text and place under that strategy's rule, 0 to 1.
    pub similarity: f64,
    /// The confidence that this is the right place, 0 to 1.
    pub confidence: f64,
    /// The number of places that an edit would replace.
    pub occurrences: usize,
    /// Whether the edit would change the file, if the new text is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
    /// The first places, in order.
    pub places: Vec<Place>,
    /// The text from `first` to `last`, if they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The encoding of the file.
    pub encoding: &'static str,
    /// Whether the encoding is a guess: the file has no mark of its encoding and is not valid UTF-8.
    pub encoding_detected: bool,
    /// A note for the caller if the old text did not match exactly.
    pub note: Option<String>,
}

/// One place in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Place {
    /// The lines of the file that it touches; in a cell of a notebook, all lines of its source.
    pub lines: LineRange,
    /// Start and end of these in the file, in bytes.
    pub bytes: (usize, usize),
    /// The lines in the cell of a notebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Box<CellLines>>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cell {
            Some(cell) => cell.fmt(f),
            None => self.lines.fmt(f),
        }
    }
}

/// Lines of the source of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct CellLines {
    /// The number of the cell in its notebook, from 1.
    pub number: usize,
    /// The id of the cell, if the notebook has ids.
    pub id: Option<String>,
    /// The lines, counted from the first one of the source.
    pub lines: LineRange,
}

impl fmt::Display for CellLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.as_ref().map_or_else(String::new, |id| format!(" (`{}`)", printable(id)));
        write!(f, "cell {}{id}, {}", self.number, self.lines)
    }
}

/// The result of undoing a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Undone {
    /// `undone`, `redone` if the batch was an undo, or `dry_run` if the request was for a preview.
    pub status: &'static str,
    /// The id of the batch.
    pub batch: String,
    /// Each file of the batch.
    pub files: Vec<UndoneFile>,
}

/// The batches that can be undone, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Batches {
    /// Always `listed`.
    pub status: &'static str,
    /// The batches, the newest first.
    pub batches: Vec<PastBatch>,
    /// The paths of journals that are damaged, or of another version. An undo of the last batch is refused while one may
    /// belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

/// A batch of edits that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PastBatch {
    /// The id of the batch.
    pub batch: String,
    /// The start of the batch, in milliseconds since 1970.
    pub time_ms: Option<u64>,
    /// Why the batch cannot be undone now: `stale` if a file changed since.
    pub code: Option<Code>,
    /// The file that `code` is about.
    pub file_path: Option<String>,
    /// The newer batch whose undo makes the undo of this one possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<String>,
    /// The effect of an undo on each of its files; empty if the batch cannot be undone.
    pub files: Vec<UndoneFile>,
    /// The absolute paths of its files.
    pub paths: Vec<String>,
}

/// The effect of undoing a batch on one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct UndoneFile {
    /// Its absolute path.
    pub file_path: String,
    /// The effect.
    pub action: UndoneAction,
    /// A note, such as that another program has the old file open for writing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The effect of undoing a batch on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UndoneAction {
    /// The file has its old content again.
    Restored,
    /// The batch had created the file; the undo removed it.
    Removed,
    /// The batch had removed the file; the undo created it again.
    Recreated,
}
