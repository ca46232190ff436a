//! The result of an edit.

use std::borrow::Cow;

use fuzzy_pipeline::{Applied, Failure as Search, Judgement, Refusal};
use fuzzy_report::{Cause, Failure, TextAnswer, apply_within, note};
use serde::Serialize;

use crate::units::Units;

/// The maximum size of a new text in bytes, which is the maximum length of a JavaScript string.
pub(crate) const LIMIT: u64 = 512 << 20;

/// The result of an edit: the row of all interfaces, but with the replacements instead of the complete new text.
#[derive(Serialize)]
pub(crate) struct Answer<'e> {
    #[serde(flatten)]
    row: TextAnswer,
    /// The replacements, in the order of the text.
    splices: Vec<Splice<'e>>,
    /// A remark for the caller, if the old text did not match exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Why the match was not edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'static str>,
    /// The details of the refusal, if the caller requested them.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Box<Failure>>,
}

/// A range of the text and its replacement.
#[derive(Serialize)]
struct Splice<'e> {
    start: usize,
    end: usize,
    /// `None` if it is the unchanged new text of the request, which the caller has.
    text: Option<Cow<'e, str>>,
}

impl Answer<'_> {
    /// Returns whether the edit was made.
    pub(crate) const fn is_ok(&self) -> bool {
        self.row.ok
    }
}

/// Returns the result of an edit. If the edit failed, `whole` includes the details for its author.
pub(crate) fn of<'e>(judgement: &Judgement<'e>, units: &Units<'_>, whole: bool) -> Answer<'e> {
    let result = apply_within(judgement, LIMIT);
    let given = judgement.edit().new;
    let splices = match &result {
        Ok(applied) => splices(applied, units, given),
        _ => Vec::new(),
    };
    let found = result.as_ref().ok().map(|applied| &applied.found);
    let note = found.and_then(|found| note(found, judgement.edit().old, found.span.text(judgement.document().text())));
    let refusal = match &result {
        Err(Cause::Search(Search::Refused(refusal))) => word(refusal),
        _ => None,
    };
    // If the new text is the reason, the details are always included: opencode has no message for this case.
    let failure = result.as_ref().err().filter(|cause| whole || !matches!(cause, Cause::Search(_)));
    let failure = failure.map(|cause| cause.failure(judgement));
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

/// Returns the name of a refusal that has no code of its own.
const fn word(refusal: &Refusal) -> Option<&'static str> {
    Some(match refusal {
        Refusal::Conflict { .. } => return None,
        Refusal::ManyMoreLines { .. } | Refusal::MuchLonger { .. } => "much_larger",
        Refusal::TooDifferent => "unlike",
        Refusal::Uncertain => "guess",
        Refusal::LowConfidence { .. } => "not_sure",
        Refusal::TooCostly => "too_costly",
    })
}
