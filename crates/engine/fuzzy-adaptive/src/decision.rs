//! Says what was decided, before it is told in the engine's words.

use std::ops::Range;

use fuzzy_core::blank::{self, is_blank};
use fuzzy_core::{Span, Splice, line_end, line_start};
use fuzzy_merge::Merged;

use crate::score::Score;

/// Name under which what was aligned is reported: that of the strategy that proposes such places.
pub(crate) const NAME: &str = "alignment";

/// Name under which a needle is reported that occurs as it is.
pub(crate) const EXACT: &str = "exact";

/// Why an edit is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// No place resembles the needle.
    NotFound,
    /// This many places serve equally well.
    Ambiguous(usize),
    /// The nearest place is too unlike, or what the edit changes is not there.
    TooDifferent,
    /// The place is found, and has something of its own where the edit changes something.
    Conflict,
    /// The place is found, but fitting the replacement would be a guess.
    Uncertain,
}

/// A merge in conflict.
#[derive(Clone, Debug)]
pub(crate) struct ConflictingMerge {
    /// Where in the haystack.
    pub(crate) region: Range<usize>,
    /// The needle as it was read.
    pub(crate) needle: String,
    /// The replacement as it was read.
    pub(crate) replacement: String,
    /// Whether more than one line shows the place.
    pub(crate) has_other_evidence: bool,
}

/// What was decided, and how alike the needle and the place judged are.
#[derive(Debug)]
pub(crate) enum Decision {
    /// The edit lands.
    Lands {
        /// What to replace, in order, without overlap.
        splices: Vec<Splice>,
        similarity: f32,
        /// How sure the place and the text are.
        confidence: f32,
        /// What that rests on, where the place had to be judged.
        score: Option<Score>,
    },
    /// This is the place; there is no new text to put there.
    Found { at: Range<usize>, similarity: f32, confidence: f32 },
    /// The new text is where the edit would land.
    AlreadyApplied { span: Range<usize> },
    /// Nothing is done.
    Refused {
        reason: Reason,
        /// The name of the place that was judged.
        best_place: Option<(Range<usize>, f32)>,
        /// What would have landed there, and what the refusal rests on.
        score: Option<(Splice, Score)>,
        /// The merge that is in conflict, if that is the reason.
        conflict: Option<ConflictingMerge>,
    },
}

impl Decision {
    pub(crate) const fn refused(reason: Reason) -> Self {
        Self::Refused { reason, best_place: None, score: None, conflict: None }
    }

    /// Makes an edit of a merged text.
    pub(crate) fn merged(merged: Merged, similarity: f32, confidence: f32, score: Option<Score>) -> Self {
        Self::Lands { splices: vec![splice(merged)], similarity, confidence, score }
    }
}

/// Makes a splice of a merged text.
pub(crate) fn splice(Merged { span, text, .. }: Merged) -> Splice {
    Splice { span: Span::new(span.start, span.end), text }
}

/// Widens a range to whole lines without the last one's `\n`, and narrows it to those that are not blank at its ends.
pub(crate) fn whole_lines(haystack: &str, at: Range<usize>) -> Range<usize> {
    let text = &haystack[at.clone()];
    let core = text.trim_matches(is_blank);
    let lead = blank::leading(text);
    let (start, end) =
        if core.is_empty() { (at.start, at.start) } else { (at.start + lead, at.start + lead + core.len()) };
    line_start(haystack, start)..line_end(haystack, end)
}
