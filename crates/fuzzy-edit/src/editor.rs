//! Plans edits of files with one pipeline and within limits.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity};

use crate::draft::Access;
use crate::planner::{Planner, Request};
use crate::root::Root;
use crate::{Encoding, FileEdit, FileError, Operation, Plan, Session, State, TextFile};

/// What one edit may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read and largest text that is made, in bytes.
    pub max_bytes: u64,
    /// Longest search. A request of several operations may take [`SEARCHES`](Self::SEARCHES) times as long; of those
    /// that it has no time for, none is begun.
    pub timeout: Duration,
}

impl Limits {
    /// 32 MiB: larger than source code gets, small enough to hold a few times in memory.
    pub const MAX_BYTES: u64 = 32 << 20;
    /// Two seconds, in milliseconds.
    pub const TIMEOUT_MS: u64 = 2_000;
    /// How many times as long as one search all operations of a request may take: a minute unless told.
    pub const SEARCHES: u32 = 30;
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: Self::MAX_BYTES, timeout: Duration::from_millis(Self::TIMEOUT_MS) }
    }
}

/// Who wants to know how many operations have been planned, and of how many.
#[derive(Clone)]
struct Progress(Arc<dyn Fn(usize, usize) + Send + Sync>);

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Plans edits of files with one pipeline and within limits.
#[derive(Clone, Debug)]
pub struct Editor {
    pipeline: Pipeline,
    limits: Limits,
    least_confidence: Similarity,
    access: Access,
    cancelled: Option<Arc<AtomicBool>>,
    progress: Option<Progress>,
    state: Option<State>,
}

impl Editor {
    /// Makes an editor.
    #[must_use]
    pub const fn new(pipeline: Pipeline, limits: Limits) -> Self {
        let access = Access { root: None, git_allowed: false, in_place: false, encoding: None };
        Self {
            pipeline,
            limits,
            least_confidence: Similarity::ZERO,
            access,
            cancelled: None,
            progress: None,
            state: None,
        }
    }

    /// Makes paths stay beneath a directory, which relative ones start from.
    ///
    /// Without a root, naming a file is the permission to edit it, wherever it is.
    #[must_use]
    pub fn within(mut self, root: Root) -> Self {
        self.access.root = Some(root);
        self
    }

    /// Lets edits into directories that are called `.git`, where there is no root; a root says so itself.
    #[must_use]
    pub fn allowing_git(mut self) -> Self {
        self.access.git_allowed = true;
        self
    }

    /// Lets a file with several hard links be written in place, which is not atomic: a process that is killed then
    /// leaves it half written.
    #[must_use]
    pub fn allowing_in_place(mut self) -> Self {
        self.access.in_place = true;
        self
    }

    /// Stops what has not been written yet once `flag` is set: it ends as a [`FileError::Cancelled`].
    ///
    /// The flag is looked at between operations and while others hold the files; one search takes no longer than its
    /// limit.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Calls `told` before each operation that is planned, with the number of those before it and of all.
    #[must_use]
    pub fn telling(self, told: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Progress(Arc::new(told))), ..self }
    }

    /// Asks for a refusal of every edit whose place is less certain than `least`.
    #[must_use]
    pub fn with_least_confidence(self, least: Similarity) -> Self {
        Self { least_confidence: least, ..self }
    }

    /// Says in what encoding the files are, where it cannot be told from their bytes.
    #[must_use]
    pub fn with_encoding(mut self, encoding: Option<Encoding>) -> Self {
        self.access.encoding = encoding;
        self
    }

    /// Keeps locks and journals elsewhere than [`State::from_environment`] says.
    #[must_use]
    pub fn with_state(self, state: State) -> Self {
        Self { state: Some(state), ..self }
    }

    pub(crate) const fn chosen_state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Returns the pipeline.
    #[must_use]
    pub const fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Tries an edit of a text that is at hand, with line endings fitted to it; the time runs from now on.
    #[must_use]
    pub fn attempt<'a>(&'a self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a> {
        self.bounded(edit.fit(&self.pipeline, document))
    }

    /// Puts an attempt of another kind under the same limits; the time runs from now on.
    #[must_use]
    pub fn bounded<'a>(&self, attempt: Attempt<'a>) -> Attempt<'a> {
        attempt.with_deadline(self.deadline()).with_least_confidence(self.least_confidence)
    }

    /// Returns when a search that begins now has to end.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.limits.timeout)
    }

    /// Reads a file within the limits.
    ///
    /// # Errors
    ///
    /// As [`TextFile::read_as`]; also [`FileError::OutsideRoot`].
    pub fn read(&self, path: &Path) -> Result<TextFile, FileError> {
        self.access.read(path, self.limits.max_bytes)
    }

    /// Says whether a path may be edited and is that of a regular file.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        self.access.place(path).is_ok_and(|place| place.is_file())
    }

    /// Plans `edits` in order; reads their files and writes nothing.
    ///
    /// A later edit of a file sees what the earlier ones made of it, and may touch what they wrote only where it
    /// stands exactly. An edit that fails is left out for those that follow, so that every one of them is reported.
    #[must_use]
    pub fn plan(&self, edits: &[FileEdit]) -> Plan {
        self.recover();
        self.plan_edits(edits)
    }

    /// Plans operations of every kind, as [`plan`](Self::plan) does edits; they become one batch.
    #[must_use]
    pub fn plan_operations(&self, operations: &[Operation]) -> Plan {
        self.plan_in(&Session::default(), operations)
    }

    pub(crate) fn plan_edits(&self, edits: &[FileEdit]) -> Plan {
        Planner::new(self, &Session::default()).plan(edits.iter().map(Request::Edit))
    }

    pub(crate) fn plan_all(&self, session: &Session, operations: &[Operation]) -> Plan {
        Planner::new(self, session).plan(operations.iter().map(Request::from))
    }

    /// Plans operations; a needle that is not in its file is looked for in those that the session edited, too.
    #[must_use]
    pub fn plan_in(&self, session: &Session, operations: &[Operation]) -> Plan {
        self.recover();
        self.plan_all(session, operations)
    }

    /// Says whether the caller still wants an answer.
    pub(crate) fn check_wanted(&self) -> Result<(), FileError> {
        let is_cancelled = self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_cancelled { Err(FileError::Cancelled) } else { Ok(()) }
    }

    /// Tells whoever wants to know how many operations of all have been planned.
    pub(crate) fn tell(&self, done: usize, all: usize) {
        if let Some(Progress(told)) = &self.progress {
            told(done, all);
        }
    }

    pub(crate) const fn access(&self) -> &Access {
        &self.access
    }
}
