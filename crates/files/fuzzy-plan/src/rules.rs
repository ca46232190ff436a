//! How edits are decided, and what that may cost.

use std::sync::atomic::AtomicBool;

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity};

use crate::Limits;

/// How edits are decided, and what that may cost.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'p> {
    /// Who decides them.
    pub pipeline: &'p Pipeline,
    /// What that may cost.
    pub limits: Limits,
    /// An edit whose place is less certain is refused.
    pub least_confidence: Similarity,
    /// Ends every search soon after it is set.
    pub cancelled: Option<&'p AtomicBool>,
}

impl<'p> Rules<'p> {
    /// Makes rules under which the pipeline alone says what is certain enough.
    #[must_use]
    pub const fn new(pipeline: &'p Pipeline, limits: Limits) -> Self {
        Self { pipeline, limits, least_confidence: Similarity::ZERO, cancelled: None }
    }

    /// Tries an edit of a text that is at hand, with line endings fitted to it; the time runs from now on.
    #[must_use]
    pub fn attempt<'a>(&self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a>
    where
        'p: 'a,
    {
        self.bounded(edit.fit(self.pipeline, document))
    }

    /// Puts an attempt of another kind under the same limits; the time runs from now on.
    #[must_use]
    pub fn bounded<'a>(&self, attempt: Attempt<'a>) -> Attempt<'a>
    where
        'p: 'a,
    {
        let attempt = attempt.with_least_confidence(self.least_confidence).cancelled_by(self.cancelled);
        attempt.with_deadline(self.limits.deadline())
    }

    /// Returns whether the ladder fits what it pastes to what occurs in the file.
    pub(crate) fn is_loose(&self) -> bool {
        let ladder = self.pipeline.ladder();
        ladder.decider().fits_line_endings() || ladder.carry_over().is_some()
    }
}
