//! The files of a restore: writes them despite concurrent saves, resumes after a crash, and rolls back.

use std::collections::BTreeSet;
use std::sync::Arc;

use fuzzy_checkpoint::{
    CaptureOptions, Detail, DiffOptions, Error as EngineError, Locked, Plan, RepoPath, Snapshot, Writing,
};
use fuzzy_checkpoint_store::{CheckpointId, HeadMode, Kind, Phase, Restore, RestoreOutcome};

use crate::checkpointer::Checkpointer;
use crate::losses::{others, without};
use crate::progress::Counts;
use crate::{Error, Result};

/// The record of a step of a restore.
#[derive(Default)]
pub(crate) struct Step<'a> {
    pub(crate) safety: Option<CheckpointId>,
    pub(crate) result: Option<&'a RestoreOutcome>,
    /// Whether the turn of the session goes on.
    pub(crate) goes_on: bool,
}

/// The number of attempts to capture and plan: concurrent saves before the first write start a new one.
const ATTEMPTS: usize = 8;

/// The files of a restore, and the context to write them.
pub(crate) struct Files<'a> {
    pub(crate) service: &'a Checkpointer,
    pub(crate) locked: &'a Locked<'a>,
    pub(crate) row: &'a Restore,
    pub(crate) owner: &'a str,
    pub(crate) to: &'a Snapshot,
    /// Whether the turn of the session goes on beside the restore.
    pub(crate) goes_on: bool,
}

impl<'a> Files<'a> {
    /// Writes the files of a restore that has just begun. Returns the state before it, and the writings that still keep
    /// the replaced files.
    pub(crate) fn write(&self, result: &mut RestoreOutcome) -> Result<(Snapshot, Vec<Writing<'a>>)> {
        self.clear()?;
        // Before `begin` succeeds no file is changed, so after any error the prepared files are removed.
        let (from, plan, mut writing, counts) = self.begin(result).or_else(|error| self.clear().and(Err(error)))?;
        let changed = writing.write_with_progress(&|| counts.placed())?;
        let mut writings = vec![writing];
        self.locked.cover(&from, self.to, &plan, &changed)?;
        if !changed.is_empty() {
            if !self.row.options.force {
                return Err(EngineError::ChangedDuring { paths: changed.into_iter().collect() }.into());
            }
            // An agent that goes on keeps what it saves meanwhile.
            let begun = self.row.options.verb.is_some().then_some(&plan);
            self.write_rest(begun, &mut writings, result)?;
        }
        Ok((from, writings))
    }

    /// Rolls back prepared and partly written files, and removes the folders of their record.
    fn clear(&self) -> Result<()> {
        for left in self.locked.interrupted()? {
            left.roll_back()?;
        }
        self.locked.forget_record();
        Ok(())
    }

    /// Resumes files that may be partly written. Files that changed since then are kept, unless the restore was forced
    /// and takes no turns back.
    pub(crate) fn go_on(&self, result: &mut RestoreOutcome) -> Result<(Snapshot, Vec<Writing<'a>>)> {
        let safety = self.row.safety_id.as_ref().unwrap_or(&self.row.checkpoint_id);
        let safety = self.service.checkpoint(&self.row.session_id, safety)?;
        let from = self.service.load(self.locked, &safety)?;
        let begun = self.locked.plan(&from, self.to, &self.row.options.paths)?;
        let mut writings = self.locked.interrupted()?;
        for writing in &mut writings {
            keep(result, writing.write()?);
        }
        self.locked.cover(&from, self.to, &begun, &BTreeSet::new())?;
        let begun = Some(&begun).filter(|_| !self.row.options.force || self.row.options.verb.is_some());
        let now = self.write_rest(begun, &mut writings, result)?;
        Ok((now, writings))
    }

    /// Captures the worktree and writes the remaining files, until none remain. If `begun` is given, it writes only
    /// files of that plan. Returns the last capture.
    fn write_rest(
        &self,
        begun: Option<&Plan>,
        writings: &mut Vec<Writing<'a>>,
        result: &mut RestoreOutcome,
    ) -> Result<Snapshot> {
        let (mut begun, mut changed) = (begun.cloned(), BTreeSet::new());
        for _ in 0..ATTEMPTS {
            let now = self.capture()?;
            let (plan, left) = match &begun {
                Some(begun) => self.locked.plan_rest(&now, self.to, begun)?,
                None => (self.locked.plan(&now, self.to, &self.row.options.paths)?, BTreeSet::new()),
            };
            keep(result, left.into_iter().filter(|path| self.row.options.covers(path)));
            if plan.is_empty() {
                return Ok(now);
            }
            self.pin(&now)?;
            let counts = self.service.running.begin(&self.row.id, &plan);
            changed = match self.locked.begin_with_progress(self.to, &plan, &|| counts.written()) {
                Err(EngineError::ChangedDuring { paths }) => paths.into_iter().collect(),
                begun => {
                    let mut writing = begun?;
                    let changed = writing.write_with_progress(&|| counts.placed());
                    writings.push(writing);
                    let changed = changed?;
                    self.locked.cover(&now, self.to, &plan, &changed)?;
                    changed
                }
            };
            begun = begun.map(|begun| begun.without(&changed));
        }
        Err(EngineError::ChangedDuring { paths: changed.into_iter().collect() }.into())
    }

    /// Captures, plans and prepares until no concurrent save occurs: until the first file is written, a save can still
    /// become part of the safety capture.
    fn begin(&self, result: &mut RestoreOutcome) -> Result<(Snapshot, Plan, Writing<'a>, Arc<Counts>)> {
        let (mut phase, mut changed) = (Phase::Begun, Vec::new());
        for _ in 0..ATTEMPTS {
            let from = self.capture()?;
            // This check is done first: afterwards a requested path may be missing because it was restored.
            let options = &self.row.options;
            let is_copy = |path: &&RepoPath| options.copies.iter().any(|copy| copy.path == **path);
            let paths: Vec<RepoPath> = options.paths.iter().filter(|path| !is_copy(path)).cloned().collect();
            self.locked.worktree().check_paths(&[&from.tree, &self.to.tree], &paths)?;
            self.is_as_seen(&from)?;
            result.secrets.extend(from.secrets.iter().cloned());
            let plan = self.locked.plan(&from, self.to, &self.row.options.paths)?;
            if !plan.obstructed.is_empty() {
                return Err(self.locked.worktree().obstructed(plan.obstructed).into());
            }
            if self.row.options.head == HeadMode::Restore {
                self.locked.check_head(self.to)?;
            }
            let counts = self.service.running.begin(&self.row.id, &plan);
            let writing = match self.locked.begin_with_progress(self.to, &plan, &|| counts.written()) {
                Err(EngineError::ChangedDuring { paths }) => {
                    changed = paths;
                    continue;
                }
                begun => begun?,
            };
            self.end_stopped(&from)?;
            let safety = self.pin(&from)?;
            // Noted now: after a crash, recovery finds a part of it done and cannot count it.
            result.files_written = plan.writes.len() as u64;
            result.files_deleted = plan.deletes.len() as u64;
            result.files_renamed = plan.renamed();
            result.kept.clone_from(&plan.kept);
            result.bits_dropped.clone_from(&plan.bits_dropped);
            result.gone = without(plan.gone.clone(), self.row.options.copies.iter().map(|copy| &copy.path));
            result.uncovered = others(&self.to.uncovered, &result.gone);
            let step = Step { safety: Some(safety), result: Some(result), goes_on: self.goes_on };
            self.service.step(self.row, self.owner, (phase, Phase::Safe), step)?;
            phase = Phase::Safe;
            changed = writing.differing()?.into_iter().collect();
            if changed.is_empty() {
                return Ok((from, plan, writing, counts));
            }
            writing.roll_back()?;
        }
        Err(EngineError::ChangedDuring { paths: changed }.into())
    }

    /// Fails if the files changed since the confirmed plan.
    fn is_as_seen(&self, now: &Snapshot) -> Result<()> {
        let Some(seen) = self.row.options.seen.as_ref().filter(|seen| **seen != now.tree) else { return Ok(()) };
        let options = DiffOptions { paths: Vec::new(), detail: Detail::Names, renames: false };
        // A missing tree belongs to an old plan.
        let Ok(diff) = self.locked.worktree().diff(seen, &now.tree, &options) else {
            return Err(Error::PlanChanged { paths: Vec::new() });
        };
        let paths = diff.files.into_iter().map(|file| file.path);
        let paths: Vec<RepoPath> = paths.filter(|path| self.row.options.covers(path)).collect();
        if paths.is_empty() { Ok(()) } else { Err(Error::PlanChanged { paths }) }
    }

    /// Captures and pins the current state.
    pub(crate) fn safety(&self) -> Result<(CheckpointId, Snapshot)> {
        let snapshot = self.capture()?;
        Ok((self.pin(&snapshot)?, snapshot))
    }

    /// Captures everything that is about to be overwritten or deleted. Once files may have been written, the capture
    /// ignores the limit of free space.
    fn capture(&self) -> Result<Snapshot> {
        let options = CaptureOptions { pressed: self.row.phase != Phase::Begun, ..CaptureOptions::before(self.to) };
        Ok(self.locked.capture(&options)?)
    }

    /// Makes the state before the restore the end of the turn that was stopped for it.
    fn end_stopped(&self, from: &Snapshot) -> Result<()> {
        let session = self.service.session(&self.row.session_id)?;
        let Some(turn) = session.turn.as_ref().filter(|_| !self.goes_on) else { return Ok(()) };
        let end = self.service.keep(self.locked, &session, from, Kind::End, "", session.next_seq - 1)?;
        self.service.note_end(&session, turn, |_| Ok(end));
        Ok(())
    }

    fn pin(&self, snapshot: &Snapshot) -> Result<CheckpointId> {
        let session = self.service.session(&self.row.session_id)?;
        let anchor = session.next_seq - 1;
        Ok(self.service.keep(self.locked, &session, snapshot, Kind::Safety, "before a restore", anchor)?.id)
    }
}

/// Adds paths to those that a restore kept, because they differ from the target.
pub(crate) fn keep(result: &mut RestoreOutcome, paths: impl IntoIterator<Item = RepoPath>) {
    result.kept.extend(paths);
    result.kept.sort();
    result.kept.dedup();
}

impl Checkpointer {
    /// Rolls the files back to their state before a restore, except for files that changed since.
    pub(crate) fn roll_back(&self, locked: &Locked<'_>, row: &Restore) -> Result<()> {
        let mut writings = locked.interrupted()?;
        let is_all_there = !writings.is_empty();
        while let Some(writing) = writings.pop() {
            writing.roll_back()?;
        }
        // While files are written, the replaced files lie beside them, and neither index nor branch was changed.
        let is_back = row.phase == Phase::Begun || row.phase == Phase::Safe && is_all_there;
        let (Some(safety), false) = (&row.safety_id, is_back) else { return Ok(()) };
        let to = self.load(locked, &self.checkpoint(&row.session_id, safety)?)?;
        let then = self.load(locked, &self.checkpoint(&row.session_id, &row.checkpoint_id)?)?;
        let (_, from) = Files { service: self, locked, row, owner: "", to: &to, goes_on: true }.safety()?;
        let done = locked.plan(&then, &to, &row.options.paths)?;
        let (plan, _) = locked.plan_rest(&from, &to, &done)?;
        locked.apply_pressed(&from, &to, &plan)?;
        if row.options.head == HeadMode::Restore {
            locked.restore_head(&to)?;
        }
        locked.restore_index(&from, &to)?;
        Ok(())
    }
}
