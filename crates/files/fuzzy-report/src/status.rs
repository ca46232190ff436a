//! Whether an edit was carried out.

use serde::{Deserialize, Serialize};

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The edit was carried out; if the new text is the old one, nothing was written.
    Applied,
    /// The new text is already where the edit would land; nothing was written.
    AlreadyApplied,
    /// The edit would be carried out; nothing was written, as asked.
    DryRun,
    /// The edit would be carried out, but another one of the same request failed; nothing was written.
    NotWritten,
    /// The edit failed; nothing was written.
    Failed,
}
