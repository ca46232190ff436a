//! What lands in the file: the replacement as given, or one merged to the file's own text.

use std::fmt;

use crate::Span;
use crate::outcome::{Match, Refusal};
use crate::query::Query;

/// One stretch of the haystack and what to put there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Splice {
    /// The bytes that are replaced.
    pub span: Span,
    /// The text that takes their place.
    pub text: String,
}

/// Where an edit lands and what it writes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    /// Who found the place; with `replace_all`, the first one.
    pub found: Match,
    /// What is replaced, top to bottom, none overlapping another. None where the replacement is pasted as given: at the
    /// place found, or at every place of its text where all are asked for.
    pub splices: Option<Vec<Splice>>,
}

/// A whole edit as it would land, for a caller to check and send again. Never a corrected needle alone: the
/// replacement was written against the wrong needle, and pasting it over the right one would undo whatever the needle
/// got wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Proposal {
    /// Text copied from the file, where it occurs once.
    pub needle: String,
    /// The replacement, merged to that text.
    pub replacement: String,
}

/// Fits a replacement to the place where its needle was found.
pub trait Merge: fmt::Debug + Sync {
    /// Returns what to write where the needle of `query` was found; the span may be wider than `found`. Asks every few
    /// milliseconds whether the query [is over](Query::is_over); what it returns then counts for nothing.
    ///
    /// # Errors
    ///
    /// Refuses where fitting the replacement would take a guess.
    fn merge(&self, query: &Query<'_>, found: Span, replacement: &str) -> Result<Splice, Refusal>;
}
