//! The text that lands in the file: the replacement as given, or merged with the file's text.

use std::fmt;

use crate::Span;
use crate::outcome::{Match, Refusal};
use crate::query::Query;

/// One span of the haystack and its new text.
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
    /// The splices, top to bottom, without overlaps. None if the replacement lands as given: at the match, or with
    /// `replace_all` at every place of its text.
    pub splices: Option<Vec<Splice>>,
}

/// A whole corrected edit, for a caller to check and send. It never has a corrected needle alone: the replacement
/// repeats the needle's mistakes, and would write them into the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Proposal {
    /// Text copied from the file, where it occurs once.
    pub needle: String,
    /// The replacement, merged with that text.
    pub replacement: String,
}

/// Fits a replacement to the place where its needle was found.
pub trait Merge: fmt::Debug + Sync {
    /// Returns the text to write at the place `found` of the query's needle; the span may be wider than `found`. Checks
    /// every few milliseconds whether the query [is over](Query::is_over); its result is then ignored.
    ///
    /// # Errors
    ///
    /// Refuses a replacement that it cannot fit with certainty.
    fn merge(&self, query: &Query<'_>, found: Span, replacement: &str) -> Result<Splice, Refusal>;
}
