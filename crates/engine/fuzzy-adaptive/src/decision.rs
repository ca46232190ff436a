//! The decision about an edit, with the data of its reports.

use std::ops::Range;

use fuzzy_core::blank::{self, is_blank};
use fuzzy_core::report::Places;
use fuzzy_core::{Adjustment, Candidate, Failure, Match, Refusal, Similarity, Span, Splice, line_end, line_start};
use fuzzy_locate::similarity;
use fuzzy_merge::{Finding, Merged, Rule, narrowed};

use crate::rules::not_found;
use crate::score::Score;

/// Reported name of the strategy that proposes aligned places.
pub(crate) const NAME: &str = "alignment";

/// Reported name of the strategy that finds exact needles.
pub(crate) const EXACT: &str = "exact";

/// A new text in an exact place of the needle.
#[derive(Debug)]
pub(crate) struct Pasted {
    pub(crate) splice: Splice,
    /// The difference between the given text and the pasted one.
    pub(crate) adjustment: Option<Adjustment>,
}

/// The decision about an edit, and the data of its reports. Spans are bytes of the haystack.
#[derive(Debug)]
pub(crate) struct Decision {
    /// The match, or the failure for callers.
    pub(crate) found: Result<Match, Failure>,
    /// The splices of an edit that lands, in order, without overlaps; none for an edit without a new text.
    pub(crate) splices: Option<Vec<Splice>>,
    /// The rule that refuses the edit, if one does.
    pub(crate) rule: Option<&'static Rule>,
    /// The best place, as whole lines.
    pub(crate) best_place: Option<Candidate>,
    /// The line elsewhere that is a part of the needle, too, if that makes the needle ambiguous.
    pub(crate) other_place: Option<Span>,
    /// Lines of the needle that are apart in the file: the number of each in both.
    pub(crate) apart: Vec<(usize, usize)>,
    /// The texts that the rule is about, if they are not among the findings of the merge.
    pub(crate) finding: Option<Box<Finding>>,
    /// The proposal, if there is one.
    pub(crate) proposal: Option<Splice>,
    /// The text for the best place, and the place's score.
    pub(crate) score: Option<(Splice, Score)>,
    /// The places of an exact needle, if there are several.
    pub(crate) places: Places,
}

impl Decision {
    fn of(found: Result<Match, Failure>) -> Self {
        Self {
            found,
            splices: None,
            rule: None,
            best_place: None,
            other_place: None,
            apart: Vec::new(),
            finding: None,
            proposal: None,
            score: None,
            places: Places::default(),
        }
    }

    /// Refuses an edit.
    pub(crate) fn refused(rule: &'static Rule, failure: Failure) -> Self {
        Self { rule: Some(rule), ..Self::of(Err(failure)) }
    }

    /// Refuses an edit of which no place resembles the needle.
    pub(crate) fn not_found() -> Self {
        Self::refused(&not_found::RULE, Failure::NotFound)
    }

    /// Refuses an edit because its text is uncertain.
    pub(crate) fn uncertain(rule: &'static Rule) -> Self {
        Self::refused(rule, Failure::Refused(Refusal::Uncertain))
    }

    /// Names the best place of a refusal, and its similarity, 0 to 1.
    pub(crate) fn at(self, place: &Range<usize>, similarity: f32) -> Self {
        Self { best_place: Some(candidate(place, similarity)), ..self }
    }

    /// Names the texts that a refusal is about.
    pub(crate) fn about(mut self, file: &str, old: &str) -> Self {
        self.finding = self.rule.map(|rule| Finding::about(rule, file.trim(), old.trim()).into());
        self
    }

    /// Reports an edit that the file has already.
    pub(crate) fn already_applied(span: &Range<usize>) -> Self {
        Self::of(Err(Failure::AlreadyApplied { span: Span::new(span.start, span.end) }))
    }

    /// Makes the match of an edit without a new text; `certainty` is its similarity and its confidence, 0 to 1.
    pub(crate) fn found(haystack: &str, strategy: &'static str, at: Range<usize>, certainty: f32) -> Self {
        let found = matched(strategy, &at, certainty, certainty);
        Self::of(Ok(found)).at(&whole_lines(haystack, at), certainty)
    }

    /// Makes the landing of some splices; similarity and confidence are 0 to 1.
    pub(crate) fn lands(
        haystack: &str,
        strategy: &'static str,
        splices: Vec<Splice>,
        [similarity, confidence]: [f32; 2],
    ) -> Self {
        let first = splices.first().map_or(0..0, |splice| splice.span.range());
        let splices = without_blank_lines(haystack, splices);
        let at = splices.first().map_or(0..0, |splice| splice.span.range());
        let proposal = if let [only] = &splices[..] { Some(only.clone()) } else { None };
        let found = matched(strategy, &at, similarity, confidence);
        let decision = Self::of(Ok(found)).at(&whole_lines(haystack, first), similarity);
        Self { splices: Some(splices), proposal, ..decision }
    }

    /// Returns whether several places have the old text.
    pub(crate) const fn is_ambiguous(&self) -> bool {
        matches!(self.found, Err(Failure::Ambiguous { .. }))
    }

    /// Returns whether file and new text are in conflict.
    pub(crate) const fn is_conflict(&self) -> bool {
        matches!(self.found, Err(Failure::Refused(Refusal::Conflict { .. })))
    }
}

/// Makes a match of the engine; a confidence is rounded down, so that it never promises more than was measured.
fn matched(strategy: &'static str, at: &Range<usize>, alike: f32, confidence: f32) -> Match {
    let confidence = Similarity::new((f64::from(confidence) * 1000.0).floor() / 1000.0);
    Match::new(strategy, candidate(at, alike)).with_confidence(confidence)
}

/// Leaves the unchanged blank lines around splices out.
fn without_blank_lines(haystack: &str, splices: Vec<Splice>) -> Vec<Splice> {
    let narrow = |Splice { span, text }| {
        let (span, text) = narrowed(haystack, span.range(), text);
        Splice { span: Span::new(span.start, span.end), text }
    };
    splices.into_iter().map(narrow).collect()
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
