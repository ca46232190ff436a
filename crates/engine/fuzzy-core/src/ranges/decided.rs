//! The question and the decision about an edit that names lines.

use super::ends::EndReason;
use crate::decider::Trace;
use crate::landing::Landing;
use crate::outcome::Failure;
use crate::quote::Quote;
use crate::structure::Arranged;
use crate::{Similarity, Span};

/// The lines that an edit names by their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedLines {
    /// The replaced lines, without the last line break; for an insertion, the lines beside it.
    pub lines: Span,
    /// Why the lines end where they do; none for an insertion.
    pub reason: Option<EndReason>,
}

/// An edit that names lines.
pub(crate) struct Request<'a> {
    pub(crate) quote: Quote<'a>,
    /// The quote of the first lines, or of the lines beside an insertion, as given.
    pub(crate) first: &'a str,
    /// The quote of the last lines, as given.
    pub(crate) last: &'a str,
    /// The new text; none for a caller without one.
    pub(crate) new: Option<&'a str>,
    pub(crate) replace_all: bool,
    pub(crate) least_confidence: Similarity,
}

/// The decision about an edit that names lines.
pub(crate) struct DecidedLines<'q> {
    pub(crate) result: Result<Landing, Failure>,
    pub(crate) trace: Option<Box<dyn Trace + 'q>>,
    pub(crate) named: Option<NamedLines>,
    /// The other lines that the edit changes or moves.
    pub(crate) arranged: Arranged,
}

impl DecidedLines<'_> {
    pub(super) fn refused(failure: impl Into<Failure>) -> Self {
        Self { result: Err(failure.into()), trace: None, named: None, arranged: Arranged::default() }
    }
}

/// The result of an edit that names lines.
pub(super) struct Outcome {
    pub(super) result: Result<Landing, Failure>,
    pub(super) named: Option<NamedLines>,
    pub(super) arranged: Arranged,
}

impl Outcome {
    pub(super) fn failed(failure: impl Into<Failure>, named: Option<NamedLines>) -> Self {
        Self { result: Err(failure.into()), named, arranged: Arranged::default() }
    }
}
