//! What each text has where file and new text differ from the needle, each in its own way.

use crate::Span;

/// A place where the file and the new text both differ from the needle, each in its own way: which of them is meant, only
/// the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Conflict {
    /// Where the file differs from the needle; empty if it has nothing there.
    pub file: Span,
    /// What the needle has there.
    pub needle: String,
    /// What the new text has there.
    pub new: String,
    /// The whole lines that this is about, without the last one's ending: they stay if the file's text is meant. Empty
    /// if the file has no such line.
    pub lines: Span,
    /// What is there in their stead if the new text is meant, without the last line's ending; empty if nothing is.
    pub taken: String,
}
