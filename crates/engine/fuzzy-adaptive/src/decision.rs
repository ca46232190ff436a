//! The decision, before its conversion to the engine's types.

use std::ops::Range;

use fuzzy_core::blank::{self, is_blank};
use fuzzy_core::{Adjustment, Candidate, Failure, Refusal, Span, Splice, line_end, line_start};
use fuzzy_locate::similarity;
use fuzzy_merge::{Finding, Merged, Rule};

use crate::mechanisms::LOST_INDENTATION;
use crate::rules::not_found;
use crate::score::{Model, Score};

/// Reported name of the strategy that proposes aligned places.
pub(crate) const NAME: &str = "alignment";

/// Reported name of the strategy that finds exact needles.
pub(crate) const EXACT: &str = "exact";

/// A merge in conflict.
#[derive(Clone, Debug)]
pub(crate) struct ConflictingMerge {
    /// The bytes of the place in the haystack.
    pub(crate) region: Range<usize>,
    /// The needle, after conversions.
    pub(crate) needle: String,
    /// The replacement, after conversions.
    pub(crate) replacement: String,
    /// Whether the place has evidence besides the conflicting line.
    pub(crate) has_other_evidence: bool,
}

/// A new text in an exact place of the needle.
#[derive(Debug)]
pub(crate) struct Pasted {
    pub(crate) splice: Splice,
    /// The difference between the given text and the pasted one.
    pub(crate) adjustment: Option<Adjustment>,
}

/// The decision; similarities and confidences are 0 to 1.
#[derive(Debug)]
pub(crate) enum Decision {
    /// The edit lands.
    Lands {
        /// The splices, in order, without overlaps.
        splices: Vec<Splice>,
        /// The strategy that found the place.
        strategy: &'static str,
        adjustment: Option<Adjustment>,
        similarity: f32,
        /// The probability that place and text are right.
        confidence: f32,
        /// The score of the place; none if it needs none.
        score: Option<Score>,
    },
    /// The place of an edit without a replacement.
    Found { strategy: &'static str, at: Range<usize>, similarity: f32, confidence: f32 },
    /// The place already has the new text.
    AlreadyApplied { span: Range<usize> },
    /// The edit is refused.
    Refused {
        /// The rule that refuses the edit.
        rule: &'static Rule,
        /// The failure for callers.
        failure: Failure,
        /// The best place and its similarity.
        best_place: Option<(Range<usize>, f32)>,
        /// The line elsewhere that is a part of the needle, too, if that makes the needle ambiguous.
        other_place: Option<Range<usize>>,
        /// Lines of the needle that are apart in the file: the number of each in both.
        apart: Vec<(usize, usize)>,
        /// The texts that the rule is about, if they are not among the findings of the merge.
        finding: Option<Box<Finding>>,
        /// The proposal for that place, and its score.
        score: Option<(Splice, Score)>,
        /// The conflicting merge, if that is the reason.
        conflict: Option<ConflictingMerge>,
    },
}

impl Decision {
    /// Refuses an edit without a score; `best_place` is the best place and its similarity, if there is one.
    pub(crate) const fn refused(
        rule: &'static Rule,
        failure: Failure,
        best_place: Option<(Range<usize>, f32)>,
    ) -> Self {
        Self::Refused {
            rule,
            failure,
            best_place,
            other_place: None,
            apart: Vec::new(),
            finding: None,
            score: None,
            conflict: None,
        }
    }

    /// Names the texts that a refusal is about.
    pub(crate) fn about(mut self, file: &str, old: &str) -> Self {
        if let Self::Refused { rule, finding, .. } = &mut self {
            *finding = Some(Finding::about(rule, file.trim(), old.trim()).into());
        }
        self
    }

    /// Returns whether several places have the old text.
    pub(crate) const fn is_ambiguous(&self) -> bool {
        matches!(self, Self::Refused { failure: Failure::Ambiguous { .. }, .. })
    }

    /// Refuses an edit of which no place resembles the needle.
    pub(crate) const fn not_found() -> Self {
        Self::refused(&not_found::RULE, Failure::NotFound, None)
    }

    /// Refuses an edit because its text is uncertain.
    pub(crate) const fn uncertain(rule: &'static Rule) -> Self {
        Self::refused(rule, Failure::Refused(Refusal::Uncertain), None)
    }

    /// Makes a landing of a merged text.
    pub(crate) fn merged(merged: Merged, similarity: f32, confidence: f32, score: Option<Score>) -> Self {
        Self::aligned(vec![splice(merged)], similarity, confidence, score)
    }

    /// Makes a landing at an aligned place.
    pub(crate) const fn aligned(splices: Vec<Splice>, similarity: f32, confidence: f32, score: Option<Score>) -> Self {
        Self::Lands { splices, strategy: NAME, adjustment: None, similarity, confidence, score }
    }

    /// Makes a landing at the exact places of the needle.
    pub(crate) fn exact(all: Vec<Pasted>) -> Self {
        let adjustment = all.iter().find_map(|pasted| pasted.adjustment);
        let is_certain = adjustment != Some(Adjustment::Indentation);
        let confidence = if is_certain { 1.0 } else { Model::FITTED.text_accuracy(&[LOST_INDENTATION.name]) };
        let splices = all.into_iter().map(|pasted| pasted.splice).collect();
        Self::Lands { splices, strategy: EXACT, adjustment, similarity: 1.0, confidence, score: None }
    }
}

/// Makes a splice of a merged text.
pub(crate) fn splice(Merged { span, text, .. }: Merged) -> Splice {
    Splice { span: Span::new(span.start, span.end), text }
}

/// Makes a candidate of the engine.
pub(crate) fn candidate(at: &Range<usize>, alike: f32) -> Candidate {
    Candidate::new(Span::new(at.start, at.end), similarity(alike))
}

/// Widens a range to whole lines, without blank lines at its ends and without the last line's `\n`.
pub(crate) fn whole_lines(haystack: &str, at: Range<usize>) -> Range<usize> {
    let text = &haystack[at.clone()];
    let core = text.trim_matches(is_blank);
    let lead = blank::leading(text);
    let (start, end) =
        if core.is_empty() { (at.start, at.start) } else { (at.start + lead, at.start + lead + core.len()) };
    line_start(haystack, start)..line_end(haystack, end)
}

/// Returns the failure of a needle with several aligned places.
pub(crate) fn ambiguous(best_place: &Range<usize>) -> Failure {
    Failure::Ambiguous { strategy: NAME, span: Span::new(best_place.start, best_place.end) }
}
