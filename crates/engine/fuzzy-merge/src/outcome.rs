//! The outcome of a merge.

use std::ops::Range;

/// A kind of rule: the part of a refused edit that is uncertain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The file lacks the text that the edit changes.
    Absent,
    /// File and new text differ from the old text at the same place, each in its own way.
    Conflict,
    /// Lines that the old text does not have are among those that the edit deletes.
    ForgottenLines,
    /// The merged text is a guess.
    Guess,
    /// New lines belong somewhere among lines that the old text does not have.
    InsertionPoint,
    /// The place itself, before any merge.
    Place,
}

/// A rule that refuses edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the rule, and of its file and fixtures with `_` for `-`.
    pub name: &'static str,
    /// The uncertain part.
    pub kind: Kind,
    /// The reason, for people: a clause without a full stop.
    pub why: &'static str,
}

/// A refusal by a rule, with the texts that it is about; they are empty where that is the whole merge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The file's text.
    pub file: String,
    /// The old text's.
    pub old: String,
    /// The new text's.
    pub new: String,
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

/// A merged edit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Merged {
    /// The bytes of the document that the text replaces: whole lines, with as many of the blank ones
    /// around the region as the old text has.
    pub span: Range<usize>,
    /// What to write there.
    pub text: String,
    /// The rules that refuse the text, in the order of [`RULES`](crate::RULES); empty if none does.
    pub findings: Vec<Finding>,
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
    #[error("the replacement says \"and so on\" where the old text does not")]
    Placeholder,
    /// The caller cancelled the merge.
    #[error("the merge was cancelled")]
    Cancelled,
}
