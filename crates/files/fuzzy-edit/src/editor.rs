//! Plans and carries out operations on the files of a workspace with one pipeline.

use std::fmt;
use std::sync::Arc;

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity};
use fuzzy_plan::Options;

use crate::{Operation, Plan, Report, Session, Workspace};

/// The callback for progress, with the number of planned operations and of all.
#[derive(Clone)]
struct Progress(Arc<dyn Fn(usize, usize) + Send + Sync>);

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Plans and carries out operations on the files of a workspace with one pipeline.
#[derive(Clone, Debug)]
pub struct Editor {
    workspace: Workspace,
    pipeline: Pipeline,
    least_confidence: Similarity,
    progress: Option<Progress>,
}

impl Editor {
    /// Makes an editor.
    #[must_use]
    pub const fn new(workspace: Workspace, pipeline: Pipeline) -> Self {
        Self { workspace, pipeline, least_confidence: Similarity::ZERO, progress: None }
    }

    /// Changes the workspace.
    #[must_use]
    pub fn with_workspace(self, workspace: Workspace) -> Self {
        Self { workspace, ..self }
    }

    /// Rejects every edit whose confidence is below `least`.
    #[must_use]
    pub fn with_least_confidence(self, least: Similarity) -> Self {
        Self { least_confidence: least, ..self }
    }

    /// Calls `callback` before each operation is planned, with the number of earlier operations and of all.
    #[must_use]
    pub fn with_progress(self, callback: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Progress(Arc::new(callback))), ..self }
    }

    /// Returns the workspace.
    #[must_use]
    pub const fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Returns the pipeline.
    #[must_use]
    pub const fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Returns the pipeline, its limits and the least confidence.
    #[must_use]
    pub fn options(&self) -> Options<'_> {
        let limits = self.workspace.limits();
        let (least_confidence, cancelled) = (self.least_confidence, self.workspace.cancelled());
        Options { pipeline: &self.pipeline, limits, least_confidence, cancelled }
    }

    /// Plans operations in order; reads their files and writes nothing.
    ///
    /// A later edit of a file sees the results of earlier ones, and may touch their new text only where it matches
    /// exactly. A failed operation does not affect the later ones, so that all are reported. An old text that its file
    /// lacks is also searched in the files that the session edited.
    #[must_use]
    pub fn plan<'a>(&'a self, session: &Session, operations: &'a [Operation]) -> Plan<'a> {
        self.workspace.recover();
        self.plan_all(session, operations)
    }

    /// Plans operations and writes their files, all or none; reports each in order. The session remembers the results.
    ///
    /// The files are locked before they are read, so that concurrent calls wait for each other and all succeed. A call
    /// that gets no lock within the time limit fails with `busy`.
    #[must_use]
    pub fn apply(&self, session: &mut Session, operations: &[Operation]) -> Vec<Report> {
        self.workspace.recover();
        let locks = self.workspace.lock(operations.iter().flat_map(Operation::paths));
        let plan = self.plan_all(session, operations);
        match locks {
            Ok(locks) => plan.write_holding(session, locks),
            Err((target, error)) => plan.not_written(session, Some(&target), error),
        }
    }

    /// [Applies](Self::apply) operations, or for a `dry_run` reports them without writing.
    #[must_use]
    pub fn carry_out(&self, session: &mut Session, operations: &[Operation], dry_run: bool) -> Vec<Report> {
        if dry_run { self.plan(session, operations).dry_run(session) } else { self.apply(session, operations) }
    }

    /// Attempts an edit of a text in memory, with line endings fitted to it; the time limit starts now.
    #[must_use]
    pub fn attempt<'a>(&'a self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a> {
        self.options().attempt(edit, document)
    }

    /// Reports progress to the callback, if there is one.
    pub(crate) fn report_progress(&self, done: usize, all: usize) {
        if let Some(Progress(callback)) = &self.progress {
            callback(done, all);
        }
    }
}
