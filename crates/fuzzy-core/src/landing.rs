//! What lands in the file: the replacement as given, or one carried over to the file's own text.

use std::fmt;

use crate::outcome::{Failure, Match, Refusal};
use crate::{Candidate, Query, SideBySide, Span};

/// One stretch of the haystack and what to put there.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What is replaced, top to bottom, none overlapping another.
    pub splices: Vec<Splice>,
}

/// A whole edit as it would land, for a caller to check and send again. Never a corrected needle alone: the
/// replacement was written against the wrong needle, and pasting it over the right one would undo whatever the needle
/// got wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Text copied from the file, where it stands once.
    pub needle: String,
    /// The replacement, carried over to that text.
    pub replacement: String,
}

/// Decides an edit as a whole, from the replacement as well as from the needle.
///
/// The other policies look at the needle alone. This one may find that the replacement already stands there, that one
/// of two places would be ruined by it, or that fitting it to the place would take a guess.
pub trait Margin: fmt::Debug + Sync {
    /// Decides where the query's needle stands and what to write there. The texts differ, and the needle is not empty.
    ///
    /// # Errors
    ///
    /// Any [`Failure`] but [`Failure::Identical`] and [`Failure::EmptyNeedle`].
    fn land(&self, query: &Query<'_>, replacement: &str, replace_all: bool) -> Result<Landing, Failure>;

    /// Returns the edit that was probably meant, if there is a good idea but not enough evidence to carry it out.
    fn propose(&self, query: &Query<'_>, replacement: &str) -> Option<Proposal>;

    /// Returns the place that was judged, whether or not it was accepted: whole lines.
    fn judged(&self, query: &Query<'_>, replacement: &str) -> Option<Candidate>;

    /// Lists the places that compete for the needle, the best first; one where none competes with it.
    fn rivals(&self, query: &Query<'_>, replacement: &str) -> Vec<Span>;

    /// Lays the needle beside the lines around `at`, and tells of every line of `lands` where it comes from.
    fn side_by_side(&self, query: &Query<'_>, replacement: &str, at: Span, lands: Option<&Splice>) -> SideBySide;
}

/// Fits a replacement to the place where its needle was found.
pub trait CarryOver: fmt::Debug + Sync {
    /// Returns what to write where; the span may be wider than `found`.
    ///
    /// # Errors
    ///
    /// Refuses where fitting the replacement would take a guess.
    fn carry_over(&self, haystack: &str, found: Span, needle: &str, replacement: &str) -> Result<Splice, Refusal>;
}
