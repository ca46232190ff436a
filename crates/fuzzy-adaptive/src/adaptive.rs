//! What the engine sees of this crate: the policy that decides with margin.

use std::ops::Range;

use fuzzy_carry_over::narrowed;
use fuzzy_core::{Candidate, Failure, Landing, Margin, Match, Proposal, Query, Refusal, SideBySide, Similarity, Span};

use crate::decide::{self, Decision, Reason};
use crate::explain;

/// Accepts the place that the needle's lines align with best where it is good enough and clearly ahead, and carries
/// the replacement over to it.
#[derive(Debug)]
pub struct Adaptive;

/// Name under which what was aligned is reported: that of the strategy that proposes such places.
const NAME: &str = "alignment";

impl Margin for Adaptive {
    fn land(&self, query: &Query<'_>, replacement: &str, replace_all: bool) -> Result<Landing, Failure> {
        let decision = decide::decide(query, replacement, replace_all);
        if let Some(stop) = query.stopped() {
            return Err(Failure::from(stop));
        }
        match decision {
            Decision::Edit { splices, similarity, confidence } => {
                Ok(landing(query, replacement, splices, (similarity, confidence)))
            }
            Decision::AlreadyApplied { span } => Err(Failure::AlreadyApplied { span: Span::new(span.start, span.end) }),
            Decision::Refused { reason, nearest, .. } => Err(match reason {
                Reason::EmptyNeedle => Failure::EmptyNeedle,
                Reason::Identical => Failure::Identical,
                Reason::NotFound => Failure::NotFound,
                Reason::Ambiguous(_) => ambiguous(query, nearest.map(|nearest| nearest.span)),
                Reason::Unlike => Failure::Refused(Refusal::Unlike),
                Reason::Guess => Failure::Refused(Refusal::Guess),
            }),
        }
    }

    fn propose(&self, query: &Query<'_>, replacement: &str) -> Option<Proposal> {
        match decide::decide(query, replacement, false) {
            Decision::Refused { proposal: Some(proposal), .. } => {
                Some(Proposal { needle: proposal.needle, replacement: proposal.replacement })
            }
            _ => None,
        }
    }

    fn judged(&self, query: &Query<'_>, replacement: &str) -> Option<Candidate> {
        match decide::decide(query, replacement, false) {
            Decision::Refused { nearest: Some(nearest), .. } => Some(candidate(&nearest.span, nearest.similarity)),
            Decision::Edit { splices, similarity, .. } => {
                let lines = explain::whole_lines(query.haystack(), splices.first()?.span.clone());
                Some(candidate(&lines, similarity))
            }
            _ => None,
        }
    }

    fn rivals(&self, query: &Query<'_>, replacement: &str) -> Vec<Span> {
        let places = explain::rivals(query, replacement);
        places.into_iter().map(|place| Span::new(place.start, place.end)).collect()
    }

    fn side_by_side(
        &self,
        query: &Query<'_>,
        replacement: &str,
        at: Span,
        lands: Option<&fuzzy_core::Splice>,
    ) -> SideBySide {
        let lands = lands.map(|splice| (splice.span.range(), splice.text.as_str()));
        explain::side_by_side(query, replacement, at.range(), lands)
    }
}

fn candidate(span: &Range<usize>, alike: f32) -> Candidate {
    Candidate::new(Span::new(span.start, span.end), similarity(alike))
}

/// Makes a similarity of a number of this crate, whose digits beyond the third are not meant.
pub(crate) fn similarity(value: f32) -> Similarity {
    Similarity::new(decimals(value))
}

/// Widens a number to `f64`, with three decimals.
pub(crate) fn decimals(value: f32) -> f64 {
    (f64::from(value) * 1000.0).round() / 1000.0
}

fn landing(
    query: &Query<'_>,
    replacement: &str,
    splices: Vec<decide::Splice>,
    (alike, confidence): (f32, f32),
) -> Landing {
    let pasted = |splice: &decide::Splice| {
        splice.text == replacement && &query.haystack()[splice.span.clone()] == query.needle()
    };
    let strategy = if splices.iter().all(pasted) { "exact" } else { NAME };
    let narrow = |splice: decide::Splice| {
        let (span, text) = narrowed(query.haystack(), splice.span, splice.text);
        fuzzy_core::Splice { span: Span::new(span.start, span.end), text }
    };
    let splices: Vec<_> = splices.into_iter().map(narrow).collect();
    let first = splices.first().map_or(0..0, |splice| splice.span.range());
    Landing {
        found: Match { confidence: similarity(confidence), ..Match::new(strategy, candidate(&first, alike)) },
        splices,
    }
}

/// Names the strategy whose places are counted: the exact ones, if the needle stands anywhere as it is.
fn ambiguous(query: &Query<'_>, nearest: Option<Range<usize>>) -> Failure {
    match (query.first_exact(), nearest) {
        (Some(at), _) => Failure::Ambiguous { strategy: "exact", span: Span::new(at, at + query.needle().len()) },
        (None, Some(span)) => Failure::Ambiguous { strategy: NAME, span: Span::new(span.start, span.end) },
        (None, None) => Failure::NotFound,
    }
}
