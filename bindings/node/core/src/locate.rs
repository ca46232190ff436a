//! Locates an edit without applying it.

use fuzzy_pipeline::report::REPORTED;
use fuzzy_pipeline::{Failure as Search, Judgement};
use fuzzy_report::{Failure, note};
use serde::Serialize;

use crate::request::Request;
use crate::units::{Place, Units};

/// The places that an edit would replace, or the reason for its refusal.
#[derive(Default, Serialize)]
pub(crate) struct Located {
    ok: bool,
    strategy: Option<&'static str>,
    similarity: Option<f64>,
    confidence: Option<f64>,
    /// The number of places that the edit would replace.
    occurrences: usize,
    /// The first [`REPORTED`] places.
    places: Vec<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

/// Returns the places that an edit would replace.
pub(crate) fn locate(judgement: &Judgement<'_>, units: &Units<'_>, request: &Request<'_>) -> Located {
    let (found, splices) = match judgement.found().and_then(|found| Ok((found, judgement.splices()?))) {
        Ok(found) => found,
        Err(failure @ Search::AlreadyApplied { span }) => {
            let places = vec![units.place(span)];
            let failure = Some(Failure::of_search(judgement, &failure));
            return Located { ok: true, occurrences: 1, places, failure, ..Located::default() };
        }
        Err(failure) => {
            return Located { failure: Some(Failure::of_search(judgement, &failure)), ..Located::default() };
        }
    };
    let mut located = Located {
        ok: true,
        strategy: Some(found.strategy),
        similarity: Some(found.similarity.get()),
        confidence: Some(found.confidence_or_similarity().get()),
        note: note(&found, judgement.edit().old, found.span.text(judgement.document().text())),
        ..Located::default()
    };
    if request.replace_all() {
        for (span, _) in splices {
            located.occurrences += 1;
            if located.places.len() < REPORTED {
                located.places.push(units.place(span));
            }
        }
    } else {
        located.occurrences = 1;
        located.places.push(units.place(found.span));
    }
    located
}
