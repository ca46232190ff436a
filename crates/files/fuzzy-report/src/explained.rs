//! Why a search ends as it does: what every strategy of a ladder proposes, and why that was or was not taken.

use std::fmt;

use fuzzy_core::report::{Explanation, Feature, ScoreBreakdown, Verdict};
use fuzzy_core::{Failure as Search, Judgement, Ladder, Span};
use serde::Serialize;

use crate::{Alignment, Code, Failure, Place, apply_within};

/// Candidates of a strategy that people are shown.
const SHOWN: usize = 5;

/// What a ladder makes of a needle: what every strategy proposes, and why that is or is not taken.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Explained {
    /// The ladder's name.
    pub ladder: &'static str,
    /// The name of what decides.
    pub policy: &'static str,
    /// How the search ends.
    pub outcome: Ending,
    /// In the order in which they are tried.
    pub strategies: Vec<Tried>,
    /// The needle beside the file, under a ladder that aligns them.
    pub alignment: Option<Alignment>,
    /// How likely the place is the one that is meant, under a ladder that weighs it.
    pub weighed: Option<Weights>,
}

/// What makes a place likely or not.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Weights {
    /// The probability that the place is the one that is meant.
    pub probability: f64,
    /// The probability that it takes.
    pub accepted: f64,
    /// The log-odds of a place without a flaw.
    pub perfect: f64,
    /// What each feature adds to them.
    pub features: Vec<Weight>,
    /// What keeps the edit from landing however likely the place is.
    pub ruled_out: Option<&'static str>,
    /// The same for people.
    #[serde(skip)]
    text: String,
}

/// A feature of a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Weight {
    /// Its name.
    pub name: &'static str,
    /// What it measures.
    pub meaning: &'static str,
    /// How much of that the place has.
    pub value: f64,
    /// What that adds to the log-odds; never more than 0.
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

/// Returns a value of three decimals, never the zero with a minus sign.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0 + 0.0
}

/// How the search ends.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Ending {
    /// A place is found.
    Found {
        /// Always `found`.
        status: &'static str,
        /// The strategy that found it.
        strategy: &'static str,
        /// How alike needle and place are under that strategy's rule, 0 to 1.
        similarity: f64,
        /// How sure it is that this is the place, 0 to 1.
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
        /// Where it is.
        #[serde(flatten)]
        place: Place,
    },
    /// There is no answer.
    Failed(Box<Failure>),
}

/// What one strategy proposes; `P` is how places are told.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Tried"))]
pub struct Tried<P = Place> {
    /// The strategy's name.
    pub strategy: &'static str,
    /// What became of its candidates: `nothing`, `taken`, `ended`, `not_unique`, `passed_over` or `not_reached`.
    pub verdict: &'static str,
    /// The same in words.
    pub why: String,
    /// The first of its candidates.
    pub candidates: Vec<Proposed<P>>,
    /// Whether there are more.
    pub more: bool,
}

/// A candidate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Proposed"))]
pub struct Proposed<P = Place> {
    /// Where it is.
    #[serde(flatten)]
    pub place: P,
    /// How alike needle and place are under the strategy's rule, 0 to 1.
    pub similarity: f64,
}

impl<P> Tried<P> {
    /// Returns what one strategy proposes; `place` tells where a span is.
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
    /// Explains what the search that led to a judgement makes of the needle; `place` tells where a span is, and a new text
    /// of more than `limit` bytes is refused.
    ///
    /// Nothing is explained of a request that asks for nothing. A search for all candidates may take longer than the
    /// decision did: a caller with a deadline looks at it afterwards, for strategies that were cut short read as if
    /// they had found nothing.
    ///
    /// # Errors
    ///
    /// The failure of an empty needle, of identical texts, and of a search that ran out of time.
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
        // A place may be found for a text that must not be written there.
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
        // Lines that have nothing in common with the needle are not shown beside it.
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

/// Returns the word for a verdict.
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
    /// Writes the ladder, a line per strategy and candidate, the needle beside the file, what was weighed, and the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ladder {}, policy {}\n", self.ladder, self.policy)?;
        let width = self.strategies.iter().map(|tried| tried.strategy.len()).max().unwrap_or(0);
        for (index, tried) in self.strategies.iter().enumerate() {
            writeln!(f, "{:>2}  {:<width$}  {:<11}  {}", index + 1, tried.strategy, tried.verdict, tried.why)?;
            for Proposed { place, similarity } in tried.candidates.iter().take(SHOWN) {
                let (start, end) = place.bytes;
                writeln!(f, "    {:width$}  {similarity:<11.3}  {}, bytes {start}..{end}", "", place.lines)?;
            }
            if tried.candidates.len() > SHOWN {
                let least = if tried.more { "at least " } else { "" };
                writeln!(f, "    {:width$}  and {least}{} more", "", tried.candidates.len() - SHOWN)?;
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
