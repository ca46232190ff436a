//! Undoes restores: those of checkpoints, take-backs, and undos.
//!
//! The change of the restore is undone by a three-way merge, as that of a turn, so that changes made since then stay.

use std::collections::{BTreeSet, HashSet};

use fuzzy_checkpoint::{CaptureOptions, IndexOutcome, Locked, Revision};
use fuzzy_checkpoint_store::{
    BroughtBack, CheckpointId, CopyBack, HeadMode, Phase, Replaced, Restore, RestoreId, RestoreOptions, RestoreOutcome,
    Staged, TakeBack, Trim, transcript_kept,
};

use crate::checkpointer::Checkpointer;
use crate::losses::staged_back;
use crate::spans::{Spans, newest, undone};
use crate::take_back::{Merge, Prepared, described};
use crate::timeline::{Run, Share, Timeline};
use crate::turn_plan::TakeBackOptions;
use crate::{Error, Result};

/// Returns the copy that undoes the return of a file, if the file replaced something. One that replaced nothing stays:
/// nothing is deleted that no checkpoint has.
fn put_back(done: &BroughtBack) -> Option<CopyBack> {
    let Replaced { hash, mode } = done.replaced.clone()?;
    Some(CopyBack { path: done.path.clone(), hash, mode, replaces: vec![done.hash.clone()] })
}

impl Checkpointer {
    /// Undoes a restore: its changes of files, by a merge with those made since, and its changes of the transcript if every
    /// later restore is undone and no message was added since; otherwise the outcome gives the reason. The undo of an undo
    /// repeats the restore. Repeated requests with the same `key` return the same undo.
    ///
    /// # Errors
    ///
    /// Refuses a restore that is not done or is undone already, changes that conflict with later ones, and everything that
    /// a restore refuses.
    pub fn undo(&self, id: &RestoreId, key: Option<&str>) -> Result<RestoreOutcome> {
        let row = self.journal(id)?;
        self.touch(&row.session_id)?;
        if let Some(done) = key.map(|key| self.store.restore_by_key(&row.session_id, key)).transpose()?.flatten() {
            return self.answer(&done, &done.checkpoint_id, &again(id));
        }
        let options = TakeBackOptions::undo(Some(id.clone()));
        match self.take_back_once(&row.worktree_id, &options, None, key) {
            // The same request in another thread or process was faster.
            Err(error @ Error::Undone { .. }) => {
                match key.map(|key| self.store.restore_by_key(&row.session_id, key)).transpose()?.flatten() {
                    Some(done) => self.answer(&done, &done.checkpoint_id, &again(id)),
                    None => Err(error),
                }
            }
            done => done?.1.ok_or(Error::NothingToUndo),
        }
    }

    /// Returns the restores of a worktree that are undone.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn undone(&self, worktree: &str) -> Result<HashSet<RestoreId>> {
        Ok(undone(&self.restores_done(worktree)?).into_keys().cloned().collect())
    }

    /// Plans the undo of a restore, or of the newest one.
    pub(crate) fn prepare_undo(&self, locked: &Locked<'_>, spans: &Spans, of: Option<&RestoreId>) -> Result<Prepared> {
        let row = match of {
            None => newest(&spans.restores, |row| spans.sessions.contains_key(&row.session_id))
                .ok_or(Error::NothingToUndo)?,
            Some(id) => match spans.restores.iter().find(|row| row.id == *id) {
                Some(row) => row,
                None if self.journal(id)?.phase == Phase::Done => return Err(Error::missing("restore", &id.0)),
                None => return Err(Error::Invalid("only a restore that is done can be undone")),
            },
        };
        if let Some(by) = undone(&spans.restores).get(&row.id) {
            return Err(Error::Undone { restore: row.id.clone(), by: (*by).clone() });
        }
        let options = RestoreOptions {
            trim: if self.brings_back_transcript(row)? { Trim::After } else { Trim::None },
            files: row.options.files,
            undo_of: Some(row.id.clone()),
            redo: row.takes_back(),
            copies: row.result.brought_back.iter().filter_map(put_back).collect(),
            ..RestoreOptions::default()
        };
        let gone = |id: &CheckpointId| Error::Lost { checkpoint: id.clone() };
        let target = row.safety_id.as_ref().unwrap_or(&row.checkpoint_id);
        let before = spans.checkpoint(target).ok_or_else(|| gone(target))?;
        let then = self.load(locked, before)?;
        let now = locked.capture(&CaptureOptions::before(&then))?;
        let timeline = Timeline::new(locked, spans, &now)?;
        let turns = row.options.turns.clone();
        let session = row.session_id.clone();
        if !row.options.files {
            if options.trim == Trim::None {
                return Err(Error::Invalid("nothing is left to undo"));
            }
            let (to, plan) = (now.clone(), fuzzy_checkpoint::Plan::default());
            let last = timeline.states.len() - 1;
            let mut plan = described(locked, &timeline, last, (&now, &to), plan, TakeBack::Undo, turns)?;
            plan.undoes = Some(row.id.clone());
            return Ok(Prepared::whole(plan, (to, Some(before.clone())), &now, session, options));
        }
        let last = timeline.states.iter().position(|state| state.place == row.place);
        let last = last.ok_or_else(|| gone(&row.checkpoint_id))?;
        let after = &timeline.states[last];
        let is_whole = row.options.paths.is_empty();
        // Without a change since then, the state before it comes back with its index and branch.
        if is_whole && after.tree == now.tree && after.has_head(&now) {
            let plan = locked.plan(&now, &then, &[])?;
            let mut plan = described(locked, &timeline, last, (&now, &then), plan, TakeBack::Undo, turns)?;
            plan.undoes = Some(row.id.clone());
            let options = RestoreOptions { head: row.options.head, ..options };
            if options.head == HeadMode::Restore {
                locked.check_head(&then)?;
            }
            return Ok(Prepared::whole(plan, (then, Some(before.clone())), &now, session, options));
        }
        let run = Run::new(after.tree.clone(), before.tree_oid.clone(), last);
        let changes = timeline.reader().differences(&run.before, &run.after)?;
        let paths = changes.into_iter().map(|change| change.path).collect();
        let share = Share { paths, runs: vec![run], ..Share::default() };
        let (none, request) = (BTreeSet::new(), TakeBackOptions::undo(None));
        let merge = Merge { service: self, locked, timeline: &timeline, now: &now, wanted: &none, options: &request };
        let target = merge.target(&share)?;
        // The staged changes that the restore took back come back, too.
        let after = spans.checkpoint(&row.checkpoint_id).and_then(|row| row.index_tree_oid.as_ref());
        let moved = Some((before, after)).filter(|_| row.result.index == IndexOutcome::Restored);
        let (staged, index) = staged_back(moved.into_iter(), &now);
        let (tree, absent, index) = (&target.tree, &target.absent, index.as_ref());
        let to = locked.revised(&now, &Revision { tree, index, absent, sources: &[&then], gone: &[] })?;
        let plan = locked.plan(&now, &to, &[])?;
        let mut plan = described(locked, &timeline, last, (&now, &to), plan, TakeBack::Undo, turns)?;
        plan.undoes = Some(row.id.clone());
        plan.kept.extend(target.kept);
        plan.conflicts = target.conflicts;
        plan.index_kept = if let Staged::Kept(why) = &staged { Some(*why) } else { None };
        Ok(Prepared::whole(plan, (to, None), &now, session, RestoreOptions { staged, ..options }))
    }

    /// Returns whether the undo of a restore brings the transcript back.
    fn brings_back_transcript(&self, row: &Restore) -> Result<bool> {
        if row.options.spares_transcript() {
            return Ok(false);
        }
        let later = self.store.done_after(&row.session_id, Some(&row.id))?;
        Ok(transcript_kept(row, &later, &self.session(&row.session_id)?).is_none())
    }
}

/// Returns the options that tell a repeated undo from another request.
fn again(id: &RestoreId) -> RestoreOptions {
    RestoreOptions { undo_of: Some(id.clone()), ..RestoreOptions::default() }
}
