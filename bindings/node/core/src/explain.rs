//! Why an edit landed where it did, or nowhere.

use fuzzy_pipeline::Judgement;
use fuzzy_pipeline::report::{Feature, LandedLine, Row, ScoreBreakdown};
use fuzzy_report::Tried;
use serde::Serialize;

use crate::answer::{Answer, of};
use crate::request::Request;
use crate::units::{Place, Units};

/// What a ladder makes of an edit.
#[derive(Serialize)]
pub(crate) struct Explained<'e> {
    ladder: &'static str,
    policy: &'static str,
    /// What became of it.
    answer: Answer<'e>,
    /// The place that was found.
    place: Option<Place>,
    /// In the order in which they are tried.
    strategies: Vec<Tried<Place>>,
    /// The needle beside the file, under a ladder that aligns them.
    alignment: Option<Alignment>,
    /// How likely the place is the one that is meant, under a ladder that weighs it.
    weighed: Option<Weights>,
    /// How many steps it all took, of which a budget allows a number.
    spent: u64,
}

/// The needle beside the file, and where each line that lands comes from.
#[derive(Serialize)]
struct Alignment {
    undone: Vec<&'static str>,
    rows: Vec<Row>,
    lands: Vec<LandedLine>,
}

#[derive(Serialize)]
struct Weights {
    /// What would be replaced there.
    place: Place,
    /// What would be written there.
    text: String,
    probability: f64,
    accepted: f64,
    perfect: f64,
    features: Vec<Feature>,
    ruled_out: Option<&'static str>,
}

/// Explains what was decided.
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
