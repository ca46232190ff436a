//! The reasons why a request cannot be answered.

use std::str::Utf8Error;

/// Why bytes are not a valid request. The package writes the requests, so its users should not see most of these
/// errors.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BadRequest {
    /// The request has fewer bytes than its header states.
    #[error("the request has {0} bytes, fewer than it says")]
    Short(usize),
    /// The kind of the request is unknown.
    #[error("no question has the number {0}")]
    Unknown(u8),
    /// The number of the ladder is unknown.
    #[error("no ladder has the number {0}")]
    Ladder(u8),
    /// The minimum confidence is not between 0 and 1.
    #[error("the least confidence {0} is not between 0 and 1")]
    Confidence(f64),
    /// The request is about files, not about a document.
    #[error("the question is not about a document")]
    NoDocument,
    /// The engine was built without the feature `patches`.
    #[error("this module carries out no patches; fuzzy_edit_patch.wasm does")]
    NoPatches,
    /// The old text names no lines.
    #[error("the old text does not name lines")]
    Named,
    /// The old text has no base before it.
    #[error("the old text has no base before it")]
    Based,
    /// A text is not UTF-8.
    #[error("a text is not UTF-8: {0}")]
    Text(#[from] Utf8Error),
}
