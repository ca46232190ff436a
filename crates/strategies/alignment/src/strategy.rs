//! What the engine sees of this crate: a strategy that proposes places, and the policy that decides with margin.

use std::ops::ControlFlow;

use fuzzy_core::{
    Candidate, Failure, Found, Landing, Margin, Match, Proposal, Query, Refusal, Similarity, Span, Strategy,
};

use crate::decide::{self, Decision, Reason};

/// Proposes the place that the needle's lines align with best, and its equals where the needle cannot tell them apart.
#[derive(Debug)]
pub struct Alignment;

/// Name under which the strategy is registered and reported.
const NAME: &str = "alignment";

impl Strategy for Alignment {
    fn name(&self) -> &'static str {
        NAME
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        query.spend(query.haystack().len())?;
        for (span, similarity) in decide::best_places(query.haystack(), query.needle()) {
            let span = Span::new(span.start, span.end);
            found.propose(Candidate::new(span, Similarity::new(f64::from(similarity))))?;
        }
        ControlFlow::Continue(())
    }
}

impl Margin for Alignment {
    fn land(&self, query: &Query<'_>, replacement: &str, replace_all: bool) -> Result<Landing, Failure> {
        match decide::decide(query.haystack(), query.needle(), replacement, replace_all) {
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
        match decide::decide(query.haystack(), query.needle(), replacement, false) {
            Decision::Refused { proposal: Some(proposal), .. } => {
                Some(Proposal { needle: proposal.needle, replacement: proposal.replacement })
            }
            _ => None,
        }
    }
}

fn landing(
    query: &Query<'_>,
    replacement: &str,
    splices: Vec<decide::Splice>,
    (similarity, confidence): (f32, f32),
) -> Landing {
    let pasted = |splice: &decide::Splice| {
        splice.text == replacement && &query.haystack()[splice.span.clone()] == query.needle()
    };
    let strategy = if splices.iter().all(pasted) { "exact" } else { NAME };
    let first = splices.first().map_or(0..0, |splice| splice.span.clone());
    let candidate = Candidate::new(Span::new(first.start, first.end), Similarity::new(f64::from(similarity)));
    let splice = |splice: decide::Splice| fuzzy_core::Splice {
        span: Span::new(splice.span.start, splice.span.end),
        text: splice.text,
    };
    Landing {
        found: Match { confidence: Similarity::new(f64::from(confidence)), ..Match::new(strategy, candidate) },
        splices: splices.into_iter().map(splice).collect(),
    }
}

/// Names the strategy whose places are counted: the exact ones, if the needle stands anywhere as it is.
fn ambiguous(query: &Query<'_>, nearest: Option<std::ops::Range<usize>>) -> Failure {
    match (query.first_exact(), nearest) {
        (Some(at), _) => Failure::Ambiguous { strategy: "exact", span: Span::new(at, at + query.needle().len()) },
        (None, Some(span)) => Failure::Ambiguous { strategy: NAME, span: Span::new(span.start, span.end) },
        (None, None) => Failure::NotFound,
    }
}
