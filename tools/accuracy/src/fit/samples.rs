//! Texts of places that were scored, and whether they were right.

use fuzzy_pipeline::{Document, Edit, Pipeline};
use fuzzy_report::Verdict;

use crate::cases::Case;

/// The text of a place that only its score decided.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The names of its repairs.
    pub(super) repairs: Vec<&'static str>,
    /// Whether the place is accepted.
    pub(super) is_accepted: bool,
    /// Whether the text is the expected one to the byte.
    pub(super) is_equal: bool,
}

impl Sample {
    /// Returns the text of a case, if its place has a score and only that decides. Whether an edit was already applied is
    /// decided before, so such a case has no sample.
    pub(super) fn of(pipeline: &Pipeline, case: &Case) -> Option<Self> {
        if case.replace_all || (!case.is_positive() && case.accept_noop) {
            return None;
        }
        let document = Document::new(case.content.as_str());
        let edit = Edit::new(&case.old, &case.new);
        let score = edit.attempt(pipeline, &document).decide().score()?;
        if score.ruled_out.is_some() {
            return None;
        }
        let span = score.splice.span.range();
        let output = [&case.content[..span.start], &score.splice.text, &case.content[span.end..]].concat();
        let verdict = case.verdict(Some(&output)).filter(|verdict| *verdict != Verdict::Refused)?;
        Some(Self {
            repairs: score.repairs.iter().map(|repair| repair.name).collect(),
            is_accepted: score.probability >= score.accepted,
            is_equal: verdict == Verdict::Right && case.is_positive(),
        })
    }
}
