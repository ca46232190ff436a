//! An edit in a log.

use serde::{Deserialize, Serialize};

use crate::{Code, Status};

/// One edit in a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LogRecord {
    /// The id of the record, unique in its log.
    pub id: String,
    /// The time of the decision, in milliseconds since 1970.
    pub time_ms: u64,
    /// The path as the caller gave it.
    pub file_path: String,
    /// A hash of the edit's path, texts and options. Equal edits have equal hashes.
    pub edit_hash: String,
    /// The outcome.
    pub status: Status,
    /// The code of the failure, if the edit failed. For an edit that failed before, the code of its cause.
    pub code: Option<Code>,
    /// The rule that rejected the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The name of the ladder.
    pub ladder: String,
    /// The strategy that found the place.
    pub strategy: Option<String>,
    /// The similarity of old text and place under that strategy's rule, 0 to 1.
    pub similarity: Option<f64>,
    /// The confidence that this is the right place, 0 to 1.
    pub confidence: Option<f64>,
    /// Size of the text before the edit, in bytes of UTF-8; none if the file could not be read.
    pub content_bytes: Option<usize>,
    /// Size of the old text, in bytes.
    pub old_bytes: usize,
    /// Size of the new text, in bytes.
    pub new_bytes: usize,
    /// Time that the decision and the edit of the text took, in microseconds.
    pub us: f64,
    /// Whether the edit replaces every place.
    pub replace_all: bool,
    /// The line hint of the caller, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The quote that names the lines, if the edit has no old text; set only if the log includes texts.
    #[serde(default, flatten)]
    pub quote: fuzzy_patch::LineQuote,
    /// The text before the edit. This field and the next two are set only if the log includes texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The old text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}
