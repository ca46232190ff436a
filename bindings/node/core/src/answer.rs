//! What became of an edit.

use std::borrow::Cow;

use fuzzy_pipeline::{Applied, Failure as Search, Judgement, Refusal};
use fuzzy_report::{Failure, TextAnswer, Unfit, apply_within, note};
use serde::Serialize;

use crate::units::Units;

/// Bytes that a new text has at the most: what a JavaScript string can hold.
pub(crate) const LIMIT: u64 = 512 << 20;

/// What became of an edit: the row that every surface answers with, but the stretches that differ for the whole new text.
#[derive(Serialize)]
pub(crate) struct Answer<'e> {
    #[serde(flatten)]
    row: TextAnswer,
    /// What is put where, top to bottom.
    splices: Vec<Splice<'e>>,
    /// What the caller should know about a needle that did not match exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Why a place that was found must not be edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'static str>,
    /// What helps the caller, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

/// A stretch of the text and what takes its place.
#[derive(Serialize)]
struct Splice<'e> {
    start: usize,
    end: usize,
    /// None if it is the new text as it was given, which the caller has.
    text: Option<Cow<'e, str>>,
}

impl Answer<'_> {
    /// Returns whether the edit was made.
    pub(crate) const fn is_ok(&self) -> bool {
        self.row.ok
    }
}

/// Tells what became of an edit; of a failure, `whole` asks for what helps the author of the edit.
pub(crate) fn of<'e>(judgement: &Judgement<'e>, units: &Units<'_>, whole: bool) -> Answer<'e> {
    let result = apply_within(judgement, LIMIT);
    let given = judgement.edit().new;
    let splices = match &result {
        Ok(Ok(applied)) => splices(applied, units, given),
        _ => Vec::new(),
    };
    let note = result.as_ref().ok().and_then(|applied| note(&applied.as_ref().ok()?.found));
    let refusal = match &result {
        Ok(Err(Search::Refused(refusal))) => word(refusal),
        _ => None,
    };
    // What is refused because of its new text is told whole: no message of opencode's says what is wrong there.
    let failure = (whole || result.is_err()).then(|| failure(judgement, &result)).flatten();
    let row = TextAnswer { output: None, ..TextAnswer::of(judgement, result) };
    Answer { row, splices, note, refusal, failure }
}

fn splices<'e>(applied: &Applied, units: &Units<'_>, given: &str) -> Vec<Splice<'e>> {
    let splices = applied.replaced.iter().map(|replaced| {
        let text = replaced.after.text(&applied.output);
        Splice {
            start: units.at(replaced.before.start()),
            end: units.at(replaced.before.end()),
            text: (text != given).then(|| Cow::Owned(text.to_owned())),
        }
    });
    splices.collect()
}

/// Returns what helps the author of an edit that failed.
fn failure(judgement: &Judgement<'_>, result: &Result<Result<Applied, Search>, Unfit>) -> Option<Failure> {
    match result {
        Ok(Ok(_)) => None,
        Ok(Err(failure)) => Some(Failure::of_search(judgement, failure)),
        Err(unfit) => Some(*Box::<Failure>::from(unfit.clone())),
    }
}

/// Returns the word for a refusal, if it has no code of its own.
const fn word(refusal: &Refusal) -> Option<&'static str> {
    Some(match refusal {
        Refusal::Conflict { .. } => return None,
        Refusal::ManyMoreLines { .. } | Refusal::MuchLonger { .. } => "much_larger",
        Refusal::TooDifferent => "unlike",
        Refusal::Uncertain => "guess",
        Refusal::LowConfidence { .. } => "not_sure",
        Refusal::TooCostly => "too_costly",
        _ => "other",
    })
}
