//! Edits through the ladder's decider, and their results.

use fuzzy_adaptive::Adaptive;
use fuzzy_core::report::Proposal;
use fuzzy_core::{Applied, Document, Failure, Ladder, Pipeline, Query};

/// Returns a pipeline whose ladder decides adaptively. It needs no strategies: these only appear in reports.
pub(crate) fn pipeline() -> Pipeline {
    Pipeline::new(Ladder::new("adaptive", &Adaptive, Vec::new()))
}

/// The result of an edit.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) applied: Result<Applied, Failure>,
    /// The number of places, if it is ambiguous.
    pub(crate) places: usize,
    pub(crate) proposal: Option<Proposal>,
    file: String,
}

impl Answer {
    /// Returns the whole file afterwards; none if the edit was refused.
    pub(crate) fn output(&self) -> Option<String> {
        match &self.applied {
            Ok(applied) => Some(applied.output.clone()),
            Err(Failure::AlreadyApplied { .. }) => Some(self.file.clone()),
            Err(_) => None,
        }
    }
}

/// Decides about an edit, without fitted line endings.
pub(crate) fn decide(file: &str, needle: &str, replacement: &str, replace_all: bool) -> Answer {
    let (pipeline, document) = (pipeline(), Document::new(file));
    let judgement = pipeline.decide(Query::new(&document, needle), Some(replacement), replace_all);
    Answer {
        applied: judgement.apply(),
        places: judgement.places().count,
        proposal: judgement.proposal(),
        file: file.to_owned(),
    }
}
