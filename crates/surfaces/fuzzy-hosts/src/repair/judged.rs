//! The judgement of an edit.

use std::path::PathBuf;
use std::sync::Arc;

use fuzzy_edit::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One judged edit of a call.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) path: PathBuf,
    pub(crate) outcome: Outcome,
    pub(crate) code: Option<Code>,
    pub(crate) base: Option<Base>,
    pub(crate) content: Arc<str>,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) all: bool,
}

/// The outcome of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The host carries it out as the model sent it.
    Exact,
    /// The host carries it out after a repair.
    Repaired,
    /// The engine refuses it; the host receives it as the model sent it.
    Refused,
}

/// The text that the agent saw, as far as it decided an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// All lines of the file, as the agent saw them.
    Seen,
    /// The lines around the place, which the agent saw and the file has.
    SeenLines,
    /// The file at the begin of the turn.
    Turn,
}
