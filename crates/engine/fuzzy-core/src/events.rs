//! The span and the event of each decision, for a program that subscribes to `tracing` at the level `debug`.
//!
//! They have names, sizes and numbers, never a text. Without a subscriber a decision pays two loads of one number.

use tracing::span::EnteredSpan;

use crate::decider::{Question, Trace};
use crate::landing::Landing;
use crate::outcome::Failure;
use crate::{Ladder, Similarity};

/// Opens the span of a decision.
pub(crate) fn begin(ladder: &Ladder, question: &Question<'_>) -> EnteredSpan {
    tracing::debug_span!(
        "decision",
        ladder = ladder.name(),
        text_bytes = question.query.text().len(),
        old_bytes = question.query.old().len(),
        new_bytes = question.new.map(str::len),
        replace_all = question.replace_all,
    )
    .entered()
}

/// Emits the event of a decision: the strategy that found the place, or the rule that refuses the edit, and the score.
/// The probability is that of the best place, accepted or not.
pub(crate) fn emit(result: &Result<Landing, Failure>, trace: Option<&dyn Trace>) {
    let found = result.as_ref().ok().map(|landing| landing.found);
    tracing::debug!(
        strategy = found.map(|found| found.strategy),
        similarity = found.map(|found| found.similarity.get()),
        confidence = found.and_then(|found| found.confidence).map(Similarity::get),
        failure = result.as_ref().err().map(tracing::field::display),
        rule = trace.and_then(Trace::rule),
        probability = trace.and_then(Trace::score).map(|score| score.probability),
        "decided"
    );
}
