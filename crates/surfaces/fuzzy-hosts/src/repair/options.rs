//! The settings of repairs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fuzzy_edit::{Limits, Options};
use fuzzy_pipeline::{Ladder, Pipeline, Similarity, ladder};

use crate::view::Views;

/// The longest search. A host waits for the answer.
const TIMEOUT: Duration = Duration::from_millis(800);

/// The settings of repairs: the ladder, and limits for edits.
#[derive(Clone, Debug)]
pub struct RepairOptions {
    pipeline: Pipeline,
    least_confidence: Similarity,
    timeout: Duration,
    roots: Vec<PathBuf>,
    views: Option<Views>,
}

impl Default for RepairOptions {
    /// Returns the ladder `adaptive` without limits of its own.
    fn default() -> Self {
        Self::new(ladder::adaptive())
    }
}

impl RepairOptions {
    /// Decides by `ladder`.
    #[must_use]
    pub fn new(ladder: Ladder) -> Self {
        let pipeline = Pipeline::new(ladder);
        Self { pipeline, least_confidence: Similarity::ZERO, timeout: TIMEOUT, roots: Vec::new(), views: None }
    }

    /// Refuses an edit whose confidence is below `least`.
    #[must_use]
    pub fn with_least_confidence(self, least: Similarity) -> Self {
        Self { least_confidence: least, ..self }
    }

    /// Ends a search after `timeout`, or after the present limit (800 ms by default) if that is sooner.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout: timeout.min(self.timeout), ..self }
    }

    /// Repairs only edits of files in all of these directories, which are absolute and have no symbolic links.
    #[must_use]
    pub fn within(self, roots: Vec<PathBuf>) -> Self {
        Self { roots, ..self }
    }

    /// Decides with the lines that the agent was shown.
    #[must_use]
    pub fn with_views(self, views: Option<Views>) -> Self {
        Self { views, ..self }
    }

    /// Returns the views.
    pub(crate) const fn views(&self) -> Option<&Views> {
        self.views.as_ref()
    }

    /// Returns the options of each decision.
    pub(super) fn of_edits(&self) -> Options<'_> {
        let limits = Limits { timeout: self.timeout, ..Limits::default() };
        Options { least_confidence: self.least_confidence, ..Options::new(&self.pipeline, limits) }
    }

    /// Returns whether edits of the file at an absolute path are repaired.
    pub(crate) fn permits(&self, path: &Path) -> bool {
        let is_within = |path: PathBuf| self.roots.iter().all(|root| path.starts_with(root));
        self.roots.is_empty() || path.canonicalize().is_ok_and(is_within)
    }
}
