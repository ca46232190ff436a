//! Explains the decision of a ladder.

use fuzzy_pipeline::Judgement;
use fuzzy_pipeline::report::{Feature, LandedLine, Row, ScoreBreakdown};
use fuzzy_report::Tried;
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
    strategies: Vec<Tried<Place>>,
    /// The alignment of the needle with the file; `None` if the ladder does not align them.
    alignment: Option<Alignment>,
    /// The probability of the place; `None` if the ladder does not compute it.
    weighed: Option<Weights>,
    /// The number of steps of the search; the budget limits it.
    spent: u64,
}

/// The alignment of the needle with the file, and the origin of each line of the replacement.
#[derive(Serialize)]
struct Alignment {
    undone: Vec<&'static str>,
    rows: Vec<Row>,
    lands: Vec<LandedLine>,
}

#[derive(Serialize)]
struct Weights {
    /// The range that would be replaced.
    place: Place,
    /// Its replacement.
    text: String,
    probability: f64,
    accepted: f64,
    perfect: f64,
    features: Vec<Feature>,
    ruled_out: Option<&'static str>,
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
        strategies: strategies.map(|tried| Tried::of(tried, |span| units.place(span))).collect(),
        alignment: judgement.side_by_side().map(|sides| Alignment {
            undone: sides.undone,
            rows: sides.rows,
            lands: sides.lands,
        }),
        weighed: judgement.score().map(|score| weights(score, units)),
        spent: judgement.spent(),
    }
}

fn weights(score: ScoreBreakdown, units: &Units<'_>) -> Weights {
    let ScoreBreakdown { splice, probability, accepted, perfect, features, ruled_out } = score;
    let place = units.place(splice.span);
    Weights { place, text: splice.text, probability, accepted, perfect, features, ruled_out }
}
