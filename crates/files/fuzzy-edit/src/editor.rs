//! Plans and carries out operations on the files of a workspace with one pipeline.

use std::fmt;
use std::sync::Arc;

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity};
use fuzzy_plan::Rules;

use crate::{Operation, Plan, Report, Session, Workspace};

/// Who wants to know how many operations have been planned, and of how many.
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

    /// Makes it work on the files of another workspace.
    #[must_use]
    pub fn with_workspace(self, workspace: Workspace) -> Self {
        Self { workspace, ..self }
    }

    /// Asks for a refusal of every edit whose place is less certain than `least`.
    #[must_use]
    pub fn with_least_confidence(self, least: Similarity) -> Self {
        Self { least_confidence: least, ..self }
    }

    /// Calls `callback` before each operation that is planned, with the number of those before it and of all.
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

    /// Returns how it decides, and what that may cost.
    #[must_use]
    pub fn rules(&self) -> Rules<'_> {
        let limits = self.workspace.limits();
        let (least_confidence, cancelled) = (self.least_confidence, self.workspace.cancelled());
        Rules { pipeline: &self.pipeline, limits, least_confidence, cancelled }
    }

    /// Plans operations in order; reads their files and writes nothing.
    ///
    /// A later edit of a file sees what the earlier ones made of it, and may touch what they wrote only where it
    /// occurs exactly. An operation that fails is left out for those that follow, so that every one of them is reported.
    /// A needle that is not in its file is looked for in those that the session edited, too.
    #[must_use]
    pub fn plan<'a>(&'a self, session: &Session, operations: &'a [Operation]) -> Plan<'a> {
        self.workspace.recover();
        self.plan_all(session, operations)
    }

    /// Plans operations and writes their files, all or none; reports each in order. The session remembers what became of
    /// them.
    ///
    /// The files are locked before they are read, so that two processes that do so wait for each other and both land.
    /// One that does not get a lock within the time limit is told `busy`.
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

    /// Prepares the decision about an edit of a text under the editor's limits; the time runs from now on.
    #[must_use]
    pub fn attempt<'a>(&'a self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a> {
        self.rules().attempt(edit, document)
    }

    /// Tells how many operations of all have been planned, if someone wants to know.
    pub(crate) fn report_progress(&self, done: usize, all: usize) {
        if let Some(Progress(callback)) = &self.progress {
            callback(done, all);
        }
    }
}
