//! Explains a search: the proposals of every strategy of a ladder, and the reason why each was taken or not.

use std::fmt;

use fuzzy_core::report::{EndReason, Explanation, ScoreBreakdown, SideBySide};
use fuzzy_core::{Candidate, Failure as Search, Judgement, Ladder, Similarity, Span};
use serde::Serialize;

use crate::alignment::Columns;
use crate::{Cause, Code, Failure, Place, apply_within};

/// Candidates per strategy in the text for people, at most.
const MAX_CANDIDATES: usize = 5;

/// The explanation of a search: the proposals of every strategy, and the reason why each was taken or not.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Explained {
    /// The ladder's name.
    pub ladder: &'static str,
    /// The name of the policy that decides.
    pub policy: &'static str,
    /// The outcome of the search.
    pub outcome: Ending,
    /// The lines of an edit that names them by their ends, as far as they were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<Named>,
    /// The strategies, in the order of the ladder.
    pub strategies: Vec<Explanation<Proposed>>,
    /// The old text side by side with the file, for a ladder that aligns them.
    pub alignment: Option<SideBySide>,
    /// The probability that the place is the right one, for a ladder that computes it.
    pub weighed: Option<ScoreBreakdown>,
}

/// The lines of an edit that names them by their ends.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Named {
    /// The replaced lines, or the lines beside an insertion.
    #[serde(flatten)]
    pub place: Place,
    /// Why the lines end where they do; none for an insertion.
    pub why: Option<&'static str>,
}

/// The outcome of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Ending {
    /// A place is found.
    Found {
        /// Always `found`.
        status: &'static str,
        /// The strategy that found the place.
        strategy: &'static str,
        /// The similarity of old text and place under that strategy's rule, 0 to 1.
        similarity: f64,
        /// The confidence that this is the right place, 0 to 1.
        confidence: f64,
        /// The place.
        #[serde(flatten)]
        place: Place,
    },
    /// The new text is there already.
    AlreadyApplied {
        /// Always `already_applied`.
        status: &'static str,
        /// Always false.
        changed: bool,
        /// The place of the new text.
        #[serde(flatten)]
        place: Place,
    },
    /// The search failed.
    Failed(Box<Failure>),
}

/// A candidate of a strategy; `P` is the type of a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Proposed"))]
pub struct Proposed<P = Place> {
    /// The place of the candidate.
    #[serde(flatten)]
    pub place: P,
    /// The similarity of old text and place under the strategy's rule, 0 to 1.
    pub similarity: Similarity,
}

impl<P> Proposed<P> {
    /// Converts a candidate; `place` converts its span.
    pub fn of(Candidate { span, similarity, .. }: Candidate, place: impl Fn(Span) -> P) -> Self {
        Self { place: place(span), similarity }
    }
}

impl Explained {
    /// Explains the search of a judgement; `place` converts a span, and a new text of more than `limit` bytes is
    /// rejected.
    ///
    /// A search for all candidates may take longer than the decision did. A caller with a deadline checks it
    /// afterwards, because a strategy that was stopped looks like one without candidates.
    ///
    /// # Errors
    ///
    /// Returns the failure of an empty old text, of identical texts, or of a search that exceeded its time limit: these
    /// have no explanation.
    pub fn of(
        judgement: &Judgement<'_>,
        ladder: &Ladder,
        limit: u64,
        place: impl Fn(Span) -> Place,
    ) -> Result<Self, Box<Failure>> {
        let found = judgement.found();
        if let Err(failure @ (Search::EmptyOld | Search::Identical | Search::Deadline)) = &found {
            return Err(Failure::of_search(judgement, failure).into());
        }
        let strategies = judgement.explain().into_iter();
        let strategies = strategies.map(|tried| tried.map(|candidate| Proposed::of(candidate, &place)));
        // A place may be found although its new text must not be written.
        let outcome = match (apply_within(judgement, limit), found) {
            (Err(cause @ (Cause::TooLarge { .. } | Cause::Placeholder(_))), _) => {
                Ending::Failed(cause.failure(judgement))
            }
            (_, Ok(found)) => Ending::Found {
                status: "found",
                strategy: found.strategy,
                similarity: found.similarity.get(),
                confidence: found.confidence_or_similarity().get(),
                place: place(found.span),
            },
            (_, Err(Search::AlreadyApplied { span })) => {
                Ending::AlreadyApplied { status: "already_applied", changed: false, place: place(span) }
            }
            (_, Err(failure)) => Ending::Failed(Failure::of_search(judgement, &failure).into()),
        };
        // Unrelated lines are not compared with the old text.
        let is_alike = !matches!(&outcome, Ending::Failed(failure)
            if failure.details.nearest.is_none() && matches!(failure.code, Code::NotFound | Code::Refused));
        let named = judgement.named_lines();
        Ok(Self {
            named: named.map(|named| Named { place: place(named.lines), why: named.reason.map(EndReason::why) }),
            ladder: ladder.name(),
            policy: ladder.decider().name(),
            strategies: strategies.collect(),
            outcome,
            alignment: judgement.side_by_side().filter(|_| is_alike),
            weighed: judgement.score(),
        })
    }
}

impl fmt::Display for Explained {
    /// Writes the ladder, a line per strategy and candidate, the side-by-side view, the score breakdown and the
    /// outcome.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ladder {}, policy {}\n", self.ladder, self.policy)?;
        let width = self.strategies.iter().map(|tried| tried.strategy.len()).max().unwrap_or(0);
        for (index, tried) in self.strategies.iter().enumerate() {
            writeln!(f, "{:>2}  {:<width$}  {:<11}  {}", index + 1, tried.strategy, tried.verdict.as_str(), tried.why)?;
            for Proposed { place, similarity } in tried.candidates.iter().take(MAX_CANDIDATES) {
                let (start, end) = place.bytes;
                writeln!(f, "    {:width$}  {:<11.3}  {place}, bytes {start}..{end}", "", similarity.get())?;
            }
            if tried.candidates.len() > MAX_CANDIDATES {
                let least = if tried.more { "at least " } else { "" };
                writeln!(f, "    {:width$}  and {least}{} more", "", tried.candidates.len() - MAX_CANDIDATES)?;
            }
        }
        if let Some(alignment) = &self.alignment {
            write!(f, "\n{}", Columns(alignment))?;
        }
        if let Some(weighed) = &self.weighed {
            write!(f, "\n{weighed}")?;
        }
        if let Some(Named { place, why }) = &self.named {
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            writeln!(f, "\nquoted: {place}{why}")?;
        }
        match &self.outcome {
            Ending::Found { strategy, place, confidence, .. } => {
                writeln!(f, "\nfound: {place} by {strategy}, confidence {confidence:.3}")
            }
            Ending::AlreadyApplied { place, .. } => {
                writeln!(f, "\nalready applied: the new text is on {place} already; there is nothing to do")
            }
            Ending::Failed(failure) => {
                writeln!(f, "\n{failure}")?;
                failure.details.rule.map_or(Ok(()), |rule| writeln!(f, "rule: {rule}"))
            }
        }
    }
}
