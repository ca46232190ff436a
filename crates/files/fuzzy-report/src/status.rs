//! The outcome of a request.

use serde::{Deserialize, Serialize};

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The edit was applied; if old and new text are equal, nothing was written.
    Applied,
    /// The new text is already at the place; nothing was written.
    AlreadyApplied,
    /// The edit would be applied; nothing was written because the request is a dry run.
    DryRun,
    /// The edit would be applied, but another edit of the same request failed; nothing was written.
    NotWritten,
    /// The edit failed; nothing was written.
    Failed,
}

impl Status {
    /// Returns its word in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::AlreadyApplied => "already_applied",
            Self::DryRun => "dry_run",
            Self::NotWritten => "not_written",
            Self::Failed => "failed",
        }
    }
}
