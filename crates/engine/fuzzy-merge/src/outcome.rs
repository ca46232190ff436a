//! The outcome of a merge.

use std::ops::Range;

/// The uncertain part of a refused edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The file lacks the text that the edit changes.
    Absent,
    /// File and new text both differ from the old text at the same place.
    Conflict,
    /// Forgotten lines are among the deleted ones.
    ForgottenLines,
    /// The merged text is a guess.
    Guess,
    /// New lines belong somewhere among forgotten lines.
    InsertionPoint,
    /// The place, before any merge.
    Place,
}

/// A rule that refuses edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name: also that of the folder with its cases and, with `_` for `-`, of its file.
    pub name: &'static str,
    /// The uncertain part.
    pub kind: Kind,
    /// The reason for people: a clause without a full stop.
    pub why: &'static str,
}

/// A refusal by a rule, with the hunk or region; the texts are empty for a rule about the whole merge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The file's text.
    pub file: String,
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
    /// The merged text, for a law.
    pub merged: String,
}

impl Finding {
    /// Makes the finding of a rule about parts of file and old text.
    #[must_use]
    pub fn about(rule: &'static Rule, file: &str, old: &str) -> Self {
        Self { file: file.to_owned(), old: old.to_owned(), ..Self::of(rule) }
    }

    /// Makes the finding of a law about a part of the merged text.
    #[must_use]
    pub fn in_merged(rule: &'static Rule, merged: String) -> Self {
        Self { merged, ..Self::of(rule) }
    }

    fn of(rule: &'static Rule) -> Self {
        Self { rule, file: String::new(), old: String::new(), new: String::new(), merged: String::new() }
    }
}

/// How much of the old text occurs in the file, in characters without blanks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// The length of the old text.
    pub old: f32,
    /// The part of it that the file has; a miscopied word counts in part.
    pub old_found: f32,
    /// The length of the old text's lines from which the edit deletes something.
    pub touched: f32,
    /// The part of these lines that the file has.
    pub touched_found: f32,
    /// The number of kept words for which the file has a different word or number.
    pub replaced_words: usize,
    /// The length of the place's tokens that the old text lacks.
    pub file_only: f32,
}

/// A merged edit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Merged {
    /// The replaced bytes of the document: whole lines, with as many blank ones at each end as the old text has.
    pub span: Range<usize>,
    /// The text that replaces them.
    pub text: String,
    /// The refusals, at most one a rule, in the order of [`RULES`](crate::RULES).
    pub findings: Vec<Finding>,
    /// How much of the old text was found.
    pub evidence: Evidence,
    /// The names of the slips that were undone in the new text, each once.
    pub undone: Vec<&'static str>,
    /// Old and new text as they were merged: without the slips that were undone in them.
    pub texts: [String; 2],
}

/// The reason why nothing was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The place is not in the document, or not on char boundaries.
    #[error("the place is not a range of the document")]
    Region,
    /// A text of so many bytes is too long.
    #[error("a text of {0} bytes is too long to be merged")]
    TooLong(usize),
    /// The new text has an elision that the old text lacks.
    #[error("the new text leaves lines out where the old text does not")]
    Placeholder,
    /// The caller cancelled the merge.
    #[error("the merge was cancelled")]
    Cancelled,
}
