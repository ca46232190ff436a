//! Explains a search: the proposals of every strategy of a ladder, and the reason why each was taken or not.

use std::fmt;

use fuzzy_core::report::{Explanation, Feature, ScoreBreakdown, Verdict};
use fuzzy_core::{Failure as Search, Judgement, Ladder, Span};
use serde::Serialize;

use crate::{Alignment, Code, Failure, Place, apply_within};

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
    /// The strategies, in the order of the ladder.
    pub strategies: Vec<Tried>,
    /// The old text side by side with the file, for a ladder that aligns them.
    pub alignment: Option<Alignment>,
    /// The probability that the place is the right one, for a ladder that computes it.
    pub weighed: Option<Weights>,
}

/// The breakdown of the probability of a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Weights {
    /// The probability that the place is the right one.
    pub probability: f64,
    /// The least probability that the ladder accepts.
    pub accepted: f64,
    /// The log-odds of a place without any flaw.
    pub perfect: f64,
    /// The contribution of each feature to the log-odds.
    pub features: Vec<Weight>,
    /// The rule that rejects the edit at any probability.
    pub ruled_out: Option<&'static str>,
    /// The same as text for people.
    #[serde(skip)]
    text: String,
}

/// A feature of a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Weight {
    /// The name of the feature.
    pub name: &'static str,
    /// The quantity that it measures.
    pub meaning: &'static str,
    /// Its value at the place.
    pub value: f64,
    /// Its contribution to the log-odds; at most 0.
    pub adds: f64,
}

impl From<ScoreBreakdown> for Weights {
    fn from(score: ScoreBreakdown) -> Self {
        Self {
            probability: rounded(score.probability),
            accepted: rounded(score.accepted),
            perfect: rounded(score.perfect),
            features: score.features.iter().map(Weight::from).collect(),
            ruled_out: score.ruled_out,
            text: score.to_string(),
        }
    }
}

impl From<&Feature> for Weight {
    fn from(feature: &Feature) -> Self {
        let &Feature { name, meaning, value, adds, .. } = feature;
        Self { name, meaning, value: rounded(value), adds: rounded(adds) }
    }
}

/// Rounds a value to three decimals; negative zero becomes zero.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0 + 0.0
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

/// The proposals of one strategy; `P` is the type of a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Tried"))]
pub struct Tried<P = Place> {
    /// The strategy's name.
    pub strategy: &'static str,
    /// The verdict on its candidates: `nothing`, `taken`, `ended`, `not_unique`, `passed_over` or `not_reached`.
    pub verdict: &'static str,
    /// The verdict in words.
    pub why: String,
    /// The first candidates.
    pub candidates: Vec<Proposed<P>>,
    /// Whether the strategy has more candidates.
    pub more: bool,
}

/// A candidate of a strategy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Proposed"))]
pub struct Proposed<P = Place> {
    /// The place of the candidate.
    #[serde(flatten)]
    pub place: P,
    /// The similarity of old text and place under the strategy's rule, 0 to 1.
    pub similarity: f64,
}

impl<P> Tried<P> {
    /// Converts the explanation of one strategy; `place` converts a span.
    pub fn of(explanation: Explanation, place: impl Fn(Span) -> P) -> Self {
        let candidates = explanation.candidates.into_iter();
        Self {
            strategy: explanation.strategy,
            verdict: verdict(&explanation.verdict),
            why: explanation.why,
            candidates: candidates
                .map(|candidate| Proposed { place: place(candidate.span), similarity: candidate.similarity.get() })
                .collect(),
            more: explanation.more,
        }
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
        let strategies = judgement.explain().into_iter().map(|explanation| Tried::of(explanation, &place));
        // A place may be found although its new text must not be written.
        let outcome = match apply_within(judgement, limit).map(|_| found) {
            Err(unfit) => Ending::Failed(unfit.into()),
            Ok(Ok(found)) => Ending::Found {
                status: "found",
                strategy: found.strategy,
                similarity: found.similarity.get(),
                confidence: found.confidence_or_similarity().get(),
                place: place(found.span),
            },
            Ok(Err(Search::AlreadyApplied { span })) => {
                Ending::AlreadyApplied { status: "already_applied", changed: false, place: place(span) }
            }
            Ok(Err(failure)) => Ending::Failed(Failure::of_search(judgement, &failure).into()),
        };
        // Unrelated lines are not compared with the old text.
        let is_alike = !matches!(&outcome, Ending::Failed(failure)
            if failure.details.nearest.is_none() && matches!(failure.code, Code::NotFound | Code::Refused));
        Ok(Self {
            ladder: ladder.name(),
            policy: ladder.decider().name(),
            strategies: strategies.collect(),
            outcome,
            alignment: judgement.side_by_side().filter(|_| is_alike).map(Alignment::from),
            weighed: judgement.score().map(Weights::from),
        })
    }
}

/// Returns the word of a verdict.
const fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Nothing => "nothing",
        Verdict::Taken(_) => "taken",
        Verdict::Ended(_) => "ended",
        Verdict::NotUnique => "not_unique",
        Verdict::PassedOver => "passed_over",
        Verdict::NotReached => "not_reached",
    }
}

impl fmt::Display for Explained {
    /// Writes the ladder, a line per strategy and candidate, the side-by-side view, the score breakdown and the
    /// outcome.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ladder {}, policy {}\n", self.ladder, self.policy)?;
        let width = self.strategies.iter().map(|tried| tried.strategy.len()).max().unwrap_or(0);
        for (index, tried) in self.strategies.iter().enumerate() {
            writeln!(f, "{:>2}  {:<width$}  {:<11}  {}", index + 1, tried.strategy, tried.verdict, tried.why)?;
            for Proposed { place, similarity } in tried.candidates.iter().take(MAX_CANDIDATES) {
                let (start, end) = place.bytes;
                writeln!(f, "    {:width$}  {similarity:<11.3}  {}, bytes {start}..{end}", "", place.lines)?;
            }
            if tried.candidates.len() > MAX_CANDIDATES {
                let least = if tried.more { "at least " } else { "" };
                writeln!(f, "    {:width$}  and {least}{} more", "", tried.candidates.len() - MAX_CANDIDATES)?;
            }
        }
        if let Some(alignment) = &self.alignment {
            write!(f, "\n{alignment}")?;
        }
        if let Some(weighed) = &self.weighed {
            write!(f, "\n{}", weighed.text)?;
        }
        match &self.outcome {
            Ending::Found { strategy, place, confidence, .. } => {
                writeln!(f, "\nfound: {} by {strategy}, confidence {confidence:.3}", place.lines)
            }
            Ending::AlreadyApplied { place, .. } => {
                writeln!(f, "\nalready applied: the new text is on {} already; there is nothing to do", place.lines)
            }
            Ending::Failed(failure) => {
                writeln!(f, "\n{failure}")?;
                failure.details.rule.map_or(Ok(()), |rule| writeln!(f, "rule: {rule}"))
            }
        }
    }
}
