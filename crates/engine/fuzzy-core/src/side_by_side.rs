//! A needle beside the lines of the file that explain it best, for people who ask why.

use crate::{Similarity, Span};

/// A needle beside the lines of the file that explain it best, and where each line that lands comes from.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SideBySide {
    /// The lines of the file that are shown, as a place in the text that was searched.
    pub span: Span,
    /// What was undone in the needle before it was read, such as `line numbers`; empty if nothing was.
    pub undone: Vec<&'static str>,
    /// The rows, in the order of the file.
    pub rows: Vec<Row>,
    /// The lines that are written there, or would be; none if nothing can be written.
    pub lands: Vec<LandedLine>,
}

/// Lines of the needle and the lines of the file that they mean.
///
/// Usually there is one on each side. There are more where a line was wrapped or lines were joined, and none where only
/// the other side has the line.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Row {
    /// The needle's lines, as it was read.
    pub needle: Vec<NumberedLine>,
    /// The file's lines.
    pub file: Vec<NumberedLine>,
    /// How much the needle's lines prove, 0 to 1 for each: the rarer in the file and the longer, the more.
    pub evidence: f64,
    /// How alike the sides are but for blanks; nothing where one side is empty.
    pub similarity: Option<Similarity>,
}

/// A line and its number, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NumberedLine {
    /// The number of the line in its text.
    pub number: usize,
    /// The line without its `\n`.
    pub text: String,
}

/// A line that an edit writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LandedLine {
    /// The line without its `\n`.
    pub text: String,
    /// Whose text it is.
    pub origin: Origin,
    /// The number of the file's line that it is or was made of, counted from 1.
    pub file_line: Option<usize>,
    /// The number of the replacement's line that it is or was made of, counted from 1.
    pub new_line: Option<usize>,
}

/// Whose text a line that lands is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Origin {
    /// It is the file's, byte for byte.
    File,
    /// It is the replacement's, but for blanks.
    New,
    /// It has something of both.
    Merged,
}
