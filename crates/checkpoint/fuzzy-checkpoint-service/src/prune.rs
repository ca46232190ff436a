//! Deletes old checkpoints, and the texts of old turns.

use std::collections::{BTreeMap, HashSet};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::answers::PruneReport;
use fuzzy_checkpoint::{Locked, Worktree};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, Retention, WorktreeRow, now_ms, times_in_order, ulid, ulid_ms};

use crate::checkpointer::Checkpointer;
use crate::restore::Lease;
use crate::{Error, Result};

/// One day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl Checkpointer {
    /// Deletes the texts of turns and the checkpoints that retention does not keep, of the worktree `only` or of all
    /// worktrees: first the texts, then the refs, then the rows, then the objects of the store that no checkpoint holds.
    ///
    /// Meanwhile no restore begins; checkpoints that an open restore or a running turn needs remain.
    ///
    /// # Errors
    ///
    /// Refuses the worktree `only` while a restore runs in it; fails if the store or git does.
    pub fn prune(&self, retention: &Retention, only: Option<&str>) -> Result<PruneReport> {
        let owner = ulid();
        let mut report = PruneReport::default();
        let mut leased = Vec::new();
        for row in self.store.worktrees()?.into_iter().filter(|row| only.is_none_or(|id| id == row.id)) {
            let take =
                |lease: Lease| self.store.take_lease(&row.id, &owner, lease.now, lease.until).map_err(Error::from);
            let is_ours = if only.is_some() { self.after_pruning(&row.id, take)? } else { take(self.lease()?)? };
            if is_ours {
                leased.push(row);
            } else {
                report.busy.push(row.id);
            }
        }
        if only.is_some() && leased.is_empty() && !report.busy.is_empty() {
            return Err(Error::RestoreInProgress);
        }
        let texts = self.clear_texts(retention, &leased, &mut report);
        let done = texts.and(self.prune_leased(retention, &leased, &mut report));
        if report.texts + report.messages > 0 || !report.pruned.is_empty() {
            // Deleted texts are overwritten already, except for copies of them in unused parts of the file. On a full disk
            // or beside another program these wait for the next pruning.
            let _ = self.store.purge();
        }
        for row in &leased {
            self.store.release_lease(&row.id, &owner)?;
        }
        done.map(|()| report)
    }

    /// Prunes one worktree with the default retention, at most once a day, for short-lived programs. Returns `None` if
    /// it was pruned less than a day ago.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::prune`].
    pub fn prune_daily(&self, worktree: &str) -> Result<Option<PruneReport>> {
        let Some(mut file) = self.state_file("pruned", worktree) else { return Ok(None) };
        let mut last = String::new();
        let _ = file.0.read_to_string(&mut last);
        let now = now_ms();
        if last.trim().parse::<i64>().is_ok_and(|last| (0..DAY_MS).contains(&now.saturating_sub(last))) {
            return Ok(None);
        }
        // If the note cannot be written, the next call prunes again.
        let _ = file.0.set_len(0).and_then(|()| file.0.rewind()).and_then(|()| write!(file.0, "{now}"));
        self.prune(&Retention::default(), Some(worktree)).map(Some)
    }

    /// Prunes all worktrees, each at most once a day: nothing else deletes what a project has left in which no agent
    /// works any more. Failures are tried again the next day, because nothing depends on them.
    pub fn prune_all_daily(&self) {
        for worktree in self.store.worktrees().unwrap_or_default() {
            let _ = self.prune_daily(&worktree.id);
        }
    }

    fn clear_texts(&self, retention: &Retention, rows: &[WorktreeRow], report: &mut PruneReport) -> Result<()> {
        let now = now_ms();
        for row in rows {
            report.messages += self.store.delete_trimmed(now.saturating_sub(retention.safety_ms), &row.id)?;
            report.texts += self.store.clear_old_texts(&row.id, retention, now)?;
        }
        Ok(())
    }

    fn prune_leased(&self, retention: &Retention, rows: &[WorktreeRow], report: &mut PruneReport) -> Result<()> {
        let now = now_ms();
        let given_up = self.store.prune_candidates(retention, now)?;
        let mut repositories: BTreeMap<PathBuf, Vec<Worktree>> = BTreeMap::new();
        for row in rows {
            let ids = given_up.iter().filter(|old| old.worktree_id == row.id).map(|old| old.id.clone());
            let ids: Vec<CheckpointId> = ids.collect();
            if !retention.gone
                && self.engine.is_gone(&row.id, Path::new(&row.git_dir), Path::new(&row.root))?
                && !self.store.checkpoints_of(&row.id)?.is_empty()
            {
                if !ids.is_empty() {
                    report.gone.push(row.id.clone());
                }
                continue;
            }
            if let Some(worktree) = self.worktree_there(&row.id)? {
                self.drop_all(&worktree, ids, report)?;
                let locked = worktree.lock()?;
                self.drop_copies(&row.id, false)?;
                let wait = retention.other_ms.max(Retention::default().other_ms);
                self.drop_orphans(&worktree, now.saturating_sub(wait))?;
                self.drop_old_capture(&locked, now.saturating_sub(retention.other_ms))?;
                drop(locked);
                repositories.entry(worktree.store().to_owned()).or_default().push(worktree);
            } else if !self.drop_removed(row, ids, report)? {
                report.unreachable.push(row.id.clone());
            }
        }
        for worktrees in repositories.values() {
            self.keep_below(retention.max_bytes, worktrees, report)?;
            if let Some(worktree) = worktrees.first() {
                report.freed_bytes += worktree.collect()?;
            }
        }
        Ok(())
    }

    /// Deletes the oldest checkpoints of a repository until the checkpoints of all its worktrees take at most `limit`
    /// bytes.
    fn keep_below(&self, limit: u64, worktrees: &[Worktree], report: &mut PruneReport) -> Result<()> {
        let [first, others @ ..] = worktrees else { return Ok(()) };
        let others: Vec<&Worktree> = others.iter().collect();
        while first.held_bytes_with(&others)? > limit {
            let needed = self.store.needed_checkpoints(now_ms())?;
            let mut rest: Vec<(i64, Checkpoint)> = Vec::new();
            for worktree in worktrees {
                let mut rows = self.store.checkpoints_of(worktree.id())?;
                let times = times_in_order(&rows, now_ms());
                // The newest one remains at any size: without it nothing could be restored.
                rows.pop();
                rest.extend(times.into_iter().zip(rows).filter(|(_, row)| !needed.contains(&row.id)));
            }
            if rest.is_empty() {
                return Ok(());
            }
            // The sort is stable: those of one worktree stay in order.
            rest.sort_by_key(|(taken, _)| *taken);
            rest.truncate(rest.len().div_ceil(4));
            for worktree in worktrees {
                let own = rest.iter().map(|(_, row)| row).filter(|row| row.worktree_id == worktree.id());
                self.drop_all(worktree, own.map(|row| row.id.clone()).collect(), report)?;
            }
        }
        Ok(())
    }

    /// Deletes refs without a row that are older than `before`. A capture is pinned before its row is written, and a ref may
    /// belong to a lost database or to another one that is in use: hence the wait.
    fn drop_orphans(&self, worktree: &Worktree, before: i64) -> Result<()> {
        let rows = self.store.checkpoints_of(worktree.id())?;
        let known: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let mut names: Vec<String> = worktree.pins()?.into_iter().map(|(name, _)| name).collect();
        names.retain(|name| !known.contains(name.as_str()) && ulid_ms(name).is_some_and(|made| made < before));
        Ok(worktree.unpin(&names)?)
    }

    /// Gives up the last capture if it is older than `before` and no checkpoint has the same state.
    fn drop_old_capture(&self, locked: &Locked<'_>, before: i64) -> Result<()> {
        let Some((commit, taken)) = locked.worktree().last_capture()? else { return Ok(()) };
        let rows = self.store.checkpoints_of(locked.worktree().id())?;
        if taken < before && !rows.iter().any(|row| row.commit_oid == commit) {
            locked.drop_capture()?;
        }
        Ok(())
    }

    fn drop_all(&self, worktree: &Worktree, ids: Vec<CheckpointId>, report: &mut PruneReport) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let _locked = worktree.lock()?;
        // Meanwhile a turn may have been kept, or the lease may have expired and a restore begun.
        let needed = self.store.needed_checkpoints(now_ms())?;
        let ids: Vec<CheckpointId> = ids.into_iter().filter(|id| !needed.contains(id)).collect();
        worktree.unpin(&names(&ids))?;
        self.drop_rows(worktree.id(), ids, report)
    }

    /// Does the same for a worktree that was removed. Returns false if it was not removed.
    fn drop_removed(&self, row: &WorktreeRow, ids: Vec<CheckpointId>, report: &mut PruneReport) -> Result<bool> {
        let removed = self.engine.open_removed(&row.id, Path::new(&row.git_dir), Path::new(&row.root))?;
        let Some(removed) = removed else {
            return Ok(false);
        };
        removed.unpin(&names(&ids))?;
        self.drop_rows(&row.id, ids, report)?;
        if self.store.checkpoints_of(&row.id)?.is_empty() {
            removed.forget()?;
        }
        report.freed_bytes += removed.collect()?;
        Ok(true)
    }

    fn drop_rows(&self, worktree: &str, ids: Vec<CheckpointId>, report: &mut PruneReport) -> Result<()> {
        self.store.delete_checkpoints(worktree, &ids)?;
        report.pruned.extend(ids);
        Ok(())
    }
}

fn names(ids: &[CheckpointId]) -> Vec<String> {
    ids.iter().map(|id| id.0.clone()).collect()
}
