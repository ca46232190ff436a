//! What a merge comes to.

use std::ops::Range;

/// A reason to doubt a merged text: a guess was needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// What the edit replaces does not occur in the file.
    Absent,
    /// File and new text differ from the old text at the same place, each in its own way.
    Conflict,
    /// Lines that the old text does not have are among those that the edit deletes.
    ForgottenLines,
    /// New lines have lost the indentation that they need, as the whole old text has.
    Indentation,
    /// The change reaches an end of the old text that does not occur in the file.
    Unpinned,
    /// New lines belong somewhere among lines that the old text does not have.
    InsertionPoint,
}

/// How much of the old text occurs in the file, in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// The number of the old text's characters that are not blank.
    pub old: f32,
    /// The number of those of them that the file has, a miscopied word in part.
    pub old_found: f32,
    /// The number of characters of the lines from which the edit takes something away.
    pub touched: f32,
    /// The number of those of them that the file has.
    pub touched_found: f32,
    /// The number of words that the edit keeps where the file has quite another word, or another number.
    pub another: usize,
    /// The number of characters of the region that the old text does not have.
    pub file_only: f32,
}

/// A replacement merged to a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Merged {
    /// The bytes of the document that the text replaces: whole lines, with as many of the blank ones
    /// around the region as the old text has.
    pub span: Range<usize>,
    /// What to write there.
    pub text: String,
    /// What had to be guessed; empty when nothing had to.
    pub doubts: Vec<Doubt>,
    /// How much of the old text was found.
    pub evidence: Evidence,
}

/// Why nothing was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The region does not lie in the document on char boundaries.
    #[error("the region is not a range of the document")]
    Region,
    /// A text is too long to be merged.
    #[error("a text of {0} bytes is too long to be merged")]
    TooLong(usize),
    /// The replacement leaves something out by a placeholder that the old text does not have.
    #[error("the replacement says \"and so on\" where the old does not")]
    Placeholder,
    /// The caller wants the text no longer.
    #[error("the text is no longer cancel")]
    Unwanted,
}
