//! Carrying out edits and operations while others are kept from their files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::lock::Locks;
use crate::plan::new_id;
use crate::recovery::{self, Recovered};
use crate::write::Batch;
use crate::{Editor, FileEdit, FileError, Operation, Plan, Report, Session, State};

impl Editor {
    /// Plans `edits` and writes their files, all or none; reports each in order.
    ///
    /// The files are locked before they are read, so that two processes that do so wait for each other and both land.
    /// Whoever does not get a lock within the time limit is told `busy`.
    #[must_use]
    pub fn apply(&self, edits: &[FileEdit]) -> Vec<Report> {
        let paths = edits.iter().map(|edit| edit.file_path.as_path());
        self.apply_locked(paths.collect(), || self.plan_edits(edits))
    }

    /// Carries out operations of every kind, as [`apply`](Self::apply) does edits; they are one batch.
    #[must_use]
    pub fn apply_operations(&self, operations: &[Operation]) -> Vec<Report> {
        self.carry_out(&mut Session::default(), operations, true)
    }

    /// Plans operations, writes them if `write`, and reports each in order; the session remembers what became of them.
    ///
    /// What is written is locked before it is read, as by [`apply`](Self::apply).
    #[must_use]
    pub fn carry_out(&self, session: &mut Session, operations: &[Operation], write: bool) -> Vec<Report> {
        let mut decisions = Vec::new();
        let mut reports = if write {
            let paths = operations.iter().flat_map(Operation::paths).collect();
            self.apply_locked(paths, || {
                let mut plan = self.plan_all(session, operations);
                decisions = std::mem::take(&mut plan.decisions);
                plan
            })
        } else {
            let mut plan = self.plan_in(session, operations);
            decisions = std::mem::take(&mut plan.decisions);
            plan.dry_run()
        };
        // What was given up says nothing about the edits.
        let is_given_up =
            self.check_wanted().is_err() && reports.iter().any(|report| matches!(report, Report::Failure(_)));
        if !is_given_up {
            session.settle(operations, &mut reports);
        }
        session.log(self.pipeline().ladder().name(), operations, decisions, &reports);
        reports
    }

    fn apply_locked(&self, paths: Vec<&Path>, plan: impl FnOnce() -> Plan) -> Vec<Report> {
        self.recover();
        // A path that leads nowhere fails when it is planned.
        let places = paths.into_iter().filter_map(|path| self.access().place(path).ok());
        let targets: Vec<PathBuf> = places.map(|place| place.target).collect();
        let mut locks = Locks::default();
        match locks
            .take(&self.state(), targets.iter().map(PathBuf::as_path), self.lock_deadline(), || self.check_wanted())
        {
            Ok(()) => plan().write_holding(locks),
            Err((target, error)) => plan().not_written(Some(&target), error),
        }
    }

    /// Finishes or takes back every batch that a killed process left half done; says what became of each.
    ///
    /// A file is touched only if it holds exactly what the journal says was there before or was to be there after; any
    /// other one is left as it is, and named. [`plan`](Self::plan), [`apply`](Self::apply) and [`undo`](Self::undo) do
    /// this first; who wants to tell people about it, or only reads files, calls it before.
    #[expect(clippy::must_use_candidate, reason = "the files are put right whether or not anyone is told")]
    pub fn recover(&self) -> Vec<Recovered> {
        recovery::recover(&self.state())
    }

    /// Returns where locks and journals are kept.
    pub(crate) fn state(&self) -> Cow<'_, State> {
        self.chosen_state().map_or_else(|| Cow::Owned(State::from_environment()), Cow::Borrowed)
    }

    /// Returns the directory that journals name as the one of a batch.
    pub(crate) fn made_in(&self) -> PathBuf {
        let root = self.access().root.as_ref().map(|root| root.path().to_owned());
        root.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    /// Returns when to stop waiting for locks, if the clock reaches so far.
    pub(crate) fn lock_deadline(&self) -> Option<Instant> {
        self.deadline()
    }
}

impl Plan {
    /// Writes the files, all or none, and reports each edit in order. If an edit failed, nothing is written.
    ///
    /// A file that changed since it was planned is `stale`; [`Editor::apply`] keeps others from it meanwhile.
    #[must_use]
    pub fn write(self) -> Vec<Report> {
        self.write_holding(Locks::default())
    }

    /// Writes the files; takes the locks that are not held yet.
    pub(crate) fn write_holding(self, mut locks: Locks) -> Vec<Report> {
        if !self.is_sound() {
            return self.report_not_written();
        }
        match self.carry_out(&mut locks) {
            Ok(()) => self.report_applied(),
            Err((target, error)) => self.not_written(target.as_deref(), error),
        }
    }

    /// Writes the files; an error says which file it is about, if it is about one.
    fn carry_out(&self, locks: &mut Locks) -> Result<(), (Option<PathBuf>, FileError)> {
        let steps = self.drafts.steps().map_err(|error| (None, error))?;
        if steps.is_empty() {
            return Ok(());
        }
        let (editor, state) = (&self.editor, self.editor.state());
        let targets = steps.iter().map(|step| step.place.target.as_path());
        let taken = locks.take(&state, targets, editor.lock_deadline(), || editor.check_wanted());
        taken.map_err(|(target, error)| (Some(target), error))?;
        editor.check_wanted().map_err(|error| (None, error))?;
        let batch = Batch { id: &new_id(), first: 0, steps: &steps, in_place: editor.access().in_place };
        batch
            .write(&state, &editor.made_in(), None)
            .map_err(|(index, error)| (Some(steps[index].place.target.clone()), error))
    }
}
