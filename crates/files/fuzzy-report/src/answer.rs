//! What is answered besides the reports of edits: where a text is, what was taken back, what a log remembers.

use serde::{Deserialize, Serialize};

use crate::{Code, Lines, Status};

/// Where the text is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Located {
    /// `found`, or `already_applied` if the new text is already there.
    pub status: &'static str,
    /// The path as the caller gave it.
    pub file_path: String,
    /// The strategy that found the place; none if the new text is already there.
    pub strategy: Option<&'static str>,
    /// How alike needle and place are under that strategy's rule, 0 to 1.
    pub similarity: f64,
    /// How sure it is that this is the place, 0 to 1.
    pub confidence: f64,
    /// How many places an edit would replace.
    pub occurrences: usize,
    /// Whether the edit would change the file, if the new text is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
    /// The first places.
    pub places: Vec<Place>,
    /// The encoding of the file.
    pub encoding: &'static str,
    /// Whether that is only likely: nothing says it, and the file is not valid UTF-8.
    pub encoding_detected: bool,
    /// What the caller should know about a needle that did not match exactly.
    pub note: Option<String>,
}

/// One place in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Place {
    /// Its lines.
    pub lines: Lines,
    /// Start and end in the file, in bytes.
    pub bytes: (usize, usize),
}

/// What taking back a batch did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Undone {
    /// `undone`, or `dry_run` if nothing was to be written.
    pub status: &'static str,
    /// The batch.
    pub batch: String,
    /// Each file of the batch.
    pub files: Vec<UndoneFile>,
}

/// The batches that can be taken back, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Batches {
    /// Always `listed`.
    pub status: &'static str,
    /// Each of them.
    pub batches: Vec<PastBatch>,
}

/// A batch of edits that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PastBatch {
    /// Names it.
    pub batch: String,
    /// When it was begun, in milliseconds since 1970.
    pub time_ms: Option<u64>,
    /// Why it cannot be taken back now: `stale` if a file changed since.
    pub code: Option<Code>,
    /// The file that this is about.
    pub file_path: Option<String>,
    /// What taking it back does to each of its files; nothing where it cannot be taken back.
    pub files: Vec<UndoneFile>,
    /// The absolute paths of its files.
    pub paths: Vec<String>,
}

/// What taking back a batch did to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct UndoneFile {
    /// Its absolute path.
    pub file_path: String,
    /// What became of it.
    pub action: UndoneAction,
}

/// What became of a file when a batch was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UndoneAction {
    /// It has its old text again.
    Restored,
    /// It had been created, and is gone.
    Removed,
    /// It had been removed, and is there again.
    Recreated,
}

/// One edit in a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LogRecord {
    /// Names the record; no two records of a log share it.
    pub id: String,
    /// When the edit was decided, in milliseconds since 1970.
    pub time_ms: u64,
    /// The path as the caller gave it.
    pub file_path: String,
    /// Tells this edit from every other: a hash of its path, its texts and its options.
    pub edit_hash: String,
    /// What became of it.
    pub status: Status,
    /// The failure, if it failed; its cause if it had failed before.
    pub code: Option<Code>,
    /// The rule that refuses the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The ladder that was walked.
    pub ladder: String,
    /// The strategy that found the place.
    pub strategy: Option<String>,
    /// How alike needle and place are under that strategy's rule, 0 to 1.
    pub similarity: Option<f64>,
    /// How sure it is that this is the place, 0 to 1.
    pub confidence: Option<f64>,
    /// Size of the text before the edit, in bytes of UTF-8; none if the file could not be read.
    pub content_bytes: Option<usize>,
    /// Size of the needle, in bytes.
    pub old_bytes: usize,
    /// Size of the replacement, in bytes.
    pub new_bytes: usize,
    /// How long the decision and the replacement took, in microseconds.
    pub us: f64,
    /// Whether every place was meant.
    pub replace_all: bool,
    /// The line that the caller named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The text before the edit. This one and the next two are there only if texts are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The needle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The replacement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}
