//! Explains the decision of a ladder.

use fuzzy_pipeline::Judgement;
use fuzzy_pipeline::report::{Explanation, ScoreBreakdown, SideBySide};
use fuzzy_report::Proposed;
use serde::Serialize;

use crate::answer::{Answer, of};
use crate::request::Request;
use crate::units::{Place, Units};

/// The decision of a ladder about an edit, with its reasons.
#[derive(Serialize)]
pub(crate) struct Explained<'e> {
    ladder: &'static str,
    policy: &'static str,
    /// The result of the edit.
    answer: Answer<'e>,
    /// The match.
    place: Option<Place>,
    /// In the order of their attempts.
    strategies: Vec<Explanation<Proposed<Place>>>,
    /// The alignment of the old text with the file; `None` if the ladder does not align them.
    alignment: Option<SideBySide>,
    /// The probability of the place; `None` if the ladder does not compute it.
    weighed: Option<Weighed>,
    /// The number of steps of the search; the budget limits it.
    spent: u64,
}

/// The probability of a place.
#[derive(Serialize)]
struct Weighed {
    /// The range that would be replaced.
    place: Place,
    /// Its replacement.
    text: String,
    #[serde(flatten)]
    score: ScoreBreakdown,
}

/// Explains a decision.
pub(crate) fn explain<'e>(judgement: &Judgement<'e>, units: &Units<'_>, request: &Request<'_>) -> Explained<'e> {
    let ladder = request.pipeline().ladder();
    let strategies = judgement.explain().into_iter();
    Explained {
        ladder: ladder.name(),
        policy: ladder.decider().name(),
        answer: of(judgement, units, true),
        place: judgement.found().ok().map(|found| units.place(found.span)),
        strategies: strategies.map(|tried| tried.map(|it| Proposed::of(it, |span| units.place(span)))).collect(),
        alignment: judgement.side_by_side(),
        weighed: judgement.score().map(|mut score| Weighed {
            place: units.place(score.splice.span),
            text: std::mem::take(&mut score.splice.text),
            score,
        }),
        spent: judgement.spent(),
    }
}
