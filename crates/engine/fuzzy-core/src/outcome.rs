//! The result of a walk: a match or a failure.

use crate::query::Stop;
use crate::range_refusal::RangeRefusal;
use crate::{Candidate, Similarity, Span};

/// Name of the rung that finds the old text itself; most policies limit `replace_all` to it.
pub(crate) const EXACT: &str = "exact";

/// The difference between the given new text and the one that lands in the place of an exact old text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// Line endings are those of the file.
    LineEndings,
    /// Lines have the indentation of the place, which the given ones lack.
    Indentation,
    /// The rest of the line is written once: the given text repeats it.
    RestOfLine,
    /// The line break after the place is kept, which the given text lacks.
    LineBreak,
    /// Characters are those of the file, which a terminal showed in another code page.
    CodePage,
}

/// An accepted candidate and its strategy.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Candidate, Match, Similarity, Span};
///
/// let found = Match::new("exact", Candidate::new(Span::new(0, 1), Similarity::new(1.0)));
/// assert!(found.confidence.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Match {
    /// Name of the strategy that proposed it.
    pub strategy: &'static str,
    /// The place, in the searched text.
    pub span: Span,
    /// The similarity of old text and place under that strategy's rule.
    pub similarity: Similarity,
    /// The probability that the match is right. Only a ladder with a calibrated measure has one, as `adaptive` does.
    pub confidence: Option<Similarity>,
    /// The change of the new text, if the old text is exact and the text does not land byte for byte.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub adjustment: Option<Adjustment>,
}

impl Match {
    /// Makes a match without a measured confidence.
    #[must_use]
    pub const fn new(strategy: &'static str, candidate: Candidate) -> Self {
        let Candidate { span, similarity, .. } = candidate;
        Self { strategy, span, similarity, confidence: None, adjustment: None }
    }

    /// Sets a measured confidence.
    #[must_use]
    pub const fn with_confidence(mut self, confidence: Similarity) -> Self {
        self.confidence = Some(confidence);
        self
    }

    /// Sets the change of the new text.
    #[must_use]
    pub const fn with_adjustment(mut self, adjustment: Option<Adjustment>) -> Self {
        self.adjustment = adjustment;
        self
    }

    /// Returns the confidence; the similarity, if the ladder promises none. Reports and limits use it.
    #[must_use]
    pub const fn confidence_or_similarity(&self) -> Similarity {
        match self.confidence {
            Some(confidence) => confidence,
            None => self.similarity,
        }
    }

    /// Returns whether the place equals the old text byte for byte, apart from line endings, as the rung `exact` finds
    /// it.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.strategy == EXACT
    }
}

/// The reason why there is no match. An ordinary answer, not a defect: the text is untouched.
///
/// [`Judgement::places`] and [`Judgement::nearest`] compute the places and the most similar lines on demand.
///
/// [`Judgement::places`]: crate::Judgement::places
/// [`Judgement::nearest`]: crate::Judgement::nearest
///
/// The enum is exhaustive on purpose, as are its parts: a caller that words each reason must see a new one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Old and new text are the same.
    #[error("the new text is the same as the old one")]
    Identical,
    /// The old text is empty.
    #[error("the old text is empty")]
    EmptyOld,
    /// No strategy proposed anything.
    #[error("the old text was not found")]
    NotFound,
    /// The old text has several places.
    #[error("the old text occurs in more than one place (found by {strategy})")]
    Ambiguous {
        /// The strategy whose places are counted.
        strategy: &'static str,
        /// The first of these places, in the searched text.
        span: Span,
    },
    /// The place already has the new text; there is nothing to do.
    #[error("the new text is already there")]
    AlreadyApplied {
        /// The place of the new text.
        span: Span,
    },
    /// The place that was found must not be edited.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// The lines that the edit names by their ends are not certain.
    #[error("the lines that the edit names are not certain")]
    Range(RangeRefusal),
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

/// Returns a confidence with four decimals, rounded down: what is below a limit must not look like it.
fn below(confidence: Similarity) -> f64 {
    (confidence.get() * 1e4).floor() / 1e4
}

/// The reason why a found place must not be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The place has far more lines than the old text.
    #[error("the best match has {lines} lines, the old text {old_lines}")]
    ManyMoreLines {
        /// Lines of the place.
        lines: usize,
        /// Lines of the old text.
        old_lines: usize,
    },
    /// The place is far longer than the old text.
    #[error("the best match has {length} characters, the old text {old_length}")]
    MuchLonger {
        /// Length of the place without the blanks at its ends, in UTF-16 code units.
        length: usize,
        /// Length of the old text without the blanks at its ends, in UTF-16 code units.
        old_length: usize,
    },
    /// The most similar place differs too much from the old text, or lacks the text that the edit changes.
    #[error("the most similar place differs too much from the old text")]
    TooDifferent,
    /// The place and the new text change the same words of the old text differently.
    #[error("the file and the new text both differ from the old text, each in its own way")]
    Conflict {
        /// Both versions at each place, top to bottom; empty if they cannot be separated line by line.
        conflicts: Vec<Conflict>,
    },
    /// The place is certain, the text to write there is not.
    #[error("the place is found, but how to fit the new text to it is uncertain")]
    Uncertain,
    /// The confidence is below the caller's limit.
    #[error("the confidence is {}, less than the required {}", below(*confidence), least.get())]
    LowConfidence {
        /// The confidence of the match.
        confidence: Similarity,
        /// The caller's limit.
        least: Similarity,
    },
    /// The exact answer would exceed one query's share of work.
    #[error("too many near matches to compare")]
    TooCostly,
}

/// A place where the file and the new text change the old text differently. Only the caller can choose between them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Conflict {
    /// The file's version; empty if the file has no text there.
    pub file: Span,
    /// The old text's version.
    pub old: String,
    /// The new text's version.
    pub new: String,
    /// The affected whole lines of the file, without the last one's ending. They stay if the caller chooses the file's
    /// version. Empty if the file has no such line.
    pub lines: Span,
    /// The lines that replace them if the caller chooses the new text's version, without the last line's ending; may be
    /// empty.
    pub taken: String,
}
