//! An old text beside the file's lines that explain it best, for reports to people.

use crate::Similarity;

/// An old text beside the file's lines that explain it best, and the origin of each written line.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SideBySide {
    /// The names of the slips that were undone, such as `line-numbers`.
    pub undone: Vec<&'static str>,
    /// The rows, in the order of the file.
    pub rows: Vec<Row>,
    /// The lines that the edit writes or would write; may be empty.
    pub lands: Vec<LandedLine>,
}

/// Lines of the old text and the file's lines aligned with them.
///
/// Usually one line on each side. Several where a line was wrapped or lines were joined; none where only the other side
/// has the line.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Row {
    /// The old text's lines, after the conversions.
    pub old: Vec<NumberedLine>,
    /// The file's lines.
    pub file: Vec<NumberedLine>,
    /// The evidence of the old text's lines, 0 to 1 for each. Longer lines, and lines rarer in the file, have more.
    pub evidence: f64,
    /// The similarity of the sides without blanks; none if one side is empty.
    pub similarity: Option<Similarity>,
}

impl Row {
    /// Returns one character that compares the sides: `=` for equal lines, `~` for lines that differ, `-` for lines
    /// that only the old text has, `+` for lines that only the file has.
    #[must_use]
    pub fn sign(&self) -> char {
        match (&self.old[..], &self.file[..]) {
            (_, []) => '-',
            ([], _) => '+',
            ([ours], [theirs]) if ours.text == theirs.text => '=',
            _ => '~',
        }
    }
}

/// A line and its number, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NumberedLine {
    /// The number of the line in its text.
    pub number: usize,
    /// The line without its `\n`.
    pub text: String,
}

/// A line that an edit writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LandedLine {
    /// The line without its `\n`.
    pub text: String,
    /// The origin of its text.
    pub origin: Origin,
    /// The number of its line in the file, counted from 1.
    pub file_line: Option<usize>,
    /// The number of its line in the new text, counted from 1.
    pub new_line: Option<usize>,
}

/// The origin of a written line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Origin {
    /// The file's line, byte for byte.
    File,
    /// The new text's line, except for blanks.
    New,
    /// A merge of both.
    Merged,
}

impl Origin {
    /// Returns the word for reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::New => "new",
            Self::Merged => "merged",
        }
    }
}
