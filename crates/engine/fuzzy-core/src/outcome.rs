//! What a walk answers: a match, or a failure that says what it saw.

use crate::query::Stop;
use crate::{Candidate, Similarity, Span};

/// Name of the rung that finds the needle itself, which `replace_all` is limited to under most policies.
pub(crate) const EXACT: &str = "exact";

/// An accepted candidate and who found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Match {
    /// Name of the strategy that proposed it.
    pub strategy: &'static str,
    /// Where the needle occurs, in the text that was searched.
    pub span: Span,
    /// How alike needle and place are under that strategy's rule.
    pub similarity: Similarity,
    /// How sure the pipeline is that the match is right: the similarity, where the ladder has no calibrated measure.
    pub confidence: Similarity,
}

impl Match {
    /// Makes a match whose confidence is the candidate's similarity.
    #[must_use]
    pub const fn new(strategy: &'static str, candidate: Candidate) -> Self {
        Self { strategy, span: candidate.span, similarity: candidate.similarity, confidence: candidate.similarity }
    }

    /// Returns how sure it is, where that was measured.
    #[must_use]
    pub const fn with_confidence(mut self, confidence: Similarity) -> Self {
        self.confidence = confidence;
        self
    }

    /// Returns whether the needle is there byte for byte, as the rung `exact` finds it.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.strategy == EXACT
    }
}

/// Why there is no match. An ordinary answer, not a defect: the haystack is untouched.
///
/// How many places there are and what comes nearest is computed when asked for: [`Judgement::places`] and
/// [`Judgement::nearest`].
///
/// [`Judgement::places`]: crate::Judgement::places
/// [`Judgement::nearest`]: crate::Judgement::nearest
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// Needle and replacement are the same.
    #[error("needle and replacement are the same")]
    Identical,
    /// The needle is empty.
    #[error("the needle is empty")]
    EmptyNeedle,
    /// No strategy proposed anything.
    #[error("the needle was not found")]
    NotFound,
    /// Places were found, and no policy can tell which is meant.
    #[error("the needle occurs in more than one place (found by {strategy})")]
    Ambiguous {
        /// The strategy whose places are counted.
        strategy: &'static str,
        /// The first of these places, in the text that was searched.
        span: Span,
    },
    /// The new text already is where the edit would land; there is nothing to do.
    #[error("the new text is already there")]
    AlreadyApplied {
        /// Where it occurs.
        span: Span,
    },
    /// A place was found that must not be edited.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// The deadline passed before there was an answer.
    #[error("the deadline passed before the search ended")]
    Deadline,
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Deadline => Self::Deadline,
            Stop::TooCostly => Self::Refused(Refusal::TooCostly),
        }
    }
}

/// Why a place that was found must not be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The place has far more lines than the needle.
    #[error("the best match has {lines} lines, the needle {needle_lines}")]
    ManyMoreLines {
        /// Lines of the place.
        lines: usize,
        /// Lines of the needle.
        needle_lines: usize,
    },
    /// The place is far longer than the needle.
    #[error("the best match has {length} characters, the needle {needle_length}")]
    MuchLonger {
        /// Length of the place without the blanks at its ends, in UTF-16 code units.
        length: usize,
        /// Length of the needle without the blanks at its ends, in UTF-16 code units.
        needle_length: usize,
    },
    /// The nearest place is too unlike the needle, or what the edit changes is not there.
    #[error("the nearest place is too unlike the needle to edit")]
    TooDifferent,
    /// The place is found, and it and the new text both differ from the needle at the same words, each in its own way;
    /// [`Judgement::conflicts`] tells what each of them has.
    ///
    /// [`Judgement::conflicts`]: crate::Judgement::conflicts
    #[error("the file and the new text both differ from the needle, each in its own way")]
    Conflict,
    /// The place is certain, but what to write there is not.
    #[error("the place is found, but fitting the new text to it would be a guess")]
    Uncertain,
    /// The caller asked for more confidence than there is.
    #[error("the confidence is {confidence}, less than the {least} asked for")]
    LowConfidence {
        /// How sure the pipeline is.
        confidence: Similarity,
        /// How sure the caller wants it to be.
        least: Similarity,
    },
    /// The exact answer would cost more work than one query may.
    #[error("too many near matches to compare")]
    TooCostly,
}

/// A place where the file and the new text both differ from the needle, each in its own way: which of them is meant, only
/// the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Conflict {
    /// Where the file differs from the needle; empty if it has nothing there.
    pub file: Span,
    /// What the needle has there.
    pub needle: String,
    /// What the new text has there.
    pub new: String,
    /// The whole lines that this is about, without the last one's ending: they stay if the file's text is meant. Empty
    /// if the file has no such line.
    pub lines: Span,
    /// What is there in their stead if the new text is meant, without the last line's ending; empty if nothing is.
    pub taken: String,
}
