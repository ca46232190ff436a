//! The text that lands in the file: the new text as given, or merged with the file's text.

use std::fmt;

use crate::Span;
use crate::outcome::{Match, Refusal};
use crate::query::Query;

/// One span of the text and its new text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Splice {
    /// The replaced bytes.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// The place where an edit lands, and the text that it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The match; with `replace_all`, the first one.
    pub found: Match,
    /// The splices, top to bottom, without overlaps. None if the new text lands as given: at the match, or with
    /// `replace_all` at every place of its text.
    pub splices: Option<Vec<Splice>>,
}

/// A whole corrected edit, for a caller to check and send. It never has a corrected old text alone: the new
/// text repeats the mistakes of the old one, and would write them into the file.
///
/// # Examples
///
/// ```
/// let edit = fuzzy_core::report::Proposal::new("a = 1".to_owned(), "a = 2".to_owned());
/// assert_eq!(edit.old, "a = 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Proposal {
    /// Text copied from the file, where it occurs once.
    #[cfg_attr(feature = "serde", serde(rename = "old_string"))]
    pub old: String,
    /// The new text, merged with that text.
    #[cfg_attr(feature = "serde", serde(rename = "new_string"))]
    pub new: String,
}

impl Proposal {
    /// Makes the edit that replaces `old` by `new`.
    #[must_use]
    pub const fn new(old: String, new: String) -> Self {
        Self { old, new }
    }
}

/// Fits a new text to the place where the old one was found.
pub trait Merge: fmt::Debug + Sync {
    /// Returns the text to write at the place `found` of the old text; the span may be wider. Checks
    /// every few milliseconds whether the query [is over](Query::is_over); its result is then ignored.
    ///
    /// # Errors
    ///
    /// Refuses a new text that it cannot fit with certainty.
    fn merge(&self, query: &Query<'_>, found: Span, new: &str) -> Result<Splice, Refusal>;
}
