//! Restores files, transcript and backend by a journal: every step can be repeated, and the last one is a single
//! transaction.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint::{HeadOutcome, IndexKept, IndexOutcome, Locked, Reason, Snapshot, failpoint};
use fuzzy_checkpoint_store::{
    BeginOutcome, CheckpointId, HeadMode, NewRestore, Patch, Phase, Restore, RestoreId, RestoreOptions, RestoreOutcome,
    SessionId, Staged, Trim, now_ms, ulid,
};

use crate::checkpointer::Checkpointer;
use crate::files::{Files, Step, keep};
use crate::{Error, Result, Stopped};

/// The longest wait for another process that prunes a worktree, and the pause between two attempts.
const MAX_PRUNING: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// The start and the end of a lease, in milliseconds since 1970.
pub(crate) struct Lease {
    pub(crate) now: i64,
    pub(crate) until: i64,
}

impl Checkpointer {
    /// Restores a checkpoint. Repeated requests with the same `key` return the same restore; the key of a different
    /// request is refused.
    ///
    /// # Errors
    ///
    /// Refuses before anything is written. A later failure leaves the restore open, to be finished by
    /// [`Checkpointer::recover`] or rolled back by [`Checkpointer::abort`].
    pub fn restore(
        &self,
        id: &SessionId,
        checkpoint: &CheckpointId,
        options: RestoreOptions,
        key: Option<&str>,
    ) -> Result<RestoreOutcome> {
        check_options(&options)?;
        let worktree = self.touch(id)?.worktree_id;
        if let Some(row) = key.map(|key| self.store.restore_by_key(id, key)).transpose()?.flatten() {
            return self.answer(&row, checkpoint, &options);
        }
        self.usable(id, checkpoint, &options)?;
        let owner = self.owner(&worktree)?;
        let mut new = NewRestore {
            id: RestoreId(ulid()),
            session_id: id.clone(),
            checkpoint_id: checkpoint.clone(),
            request_key: key.map_or_else(ulid, str::to_owned),
            options,
            batch: (self.settings.newest_batch)(),
            owner: owner.name.clone(),
            now: 0,
            lease_until: 0,
        };
        let mut begun = BeginOutcome::Busy;
        self.after_pruning(&worktree, |lease| {
            (new.now, new.lease_until) = (lease.now, lease.until);
            begun = self.store.begin_restore(&new)?;
            Ok(begun != BeginOutcome::Busy)
        })?;
        match begun {
            BeginOutcome::Started => {
                failpoint::hit("begun");
                let restore = self.journal(&new.id)?;
                self.lead(&restore, &owner.name, || {
                    let goes_on = self.stop(&restore)?;
                    self.drive(&restore.id, &owner.name, goes_on)
                })
            }
            BeginOutcome::Existing(row) => self.answer(&row, checkpoint, &new.options),
            BeginOutcome::Busy => Err(Error::RestoreInProgress),
            BeginOutcome::Running(session) => Err(Error::AgentRunning { session }),
        }
    }

    /// Aborts a restore that cannot finish: rolls the files back to their state before it.
    ///
    /// # Errors
    ///
    /// Refuses while another owner works on it, and fails in the same cases as a restore.
    pub fn abort(&self, id: &RestoreId) -> Result<()> {
        let row = self.journal(id)?;
        let owner = self.owner(&row.worktree_id)?;
        if !self.take_lease_of(id, &owner.name)? {
            return Err(Error::RestoreInProgress);
        }
        self.lead(&row, &owner.name, || {
            // The previous owner of the lease may have advanced the restore; if our lease expires, the next owner may
            // finish it.
            let row = self.journal(id)?;
            if !row.phase.is_open() {
                return Err(Error::RestoreInProgress);
            }
            let done = if row.phase == Phase::Begun { Phase::Refused } else { Phase::RolledBack };
            if row.options.files {
                let worktree = self.worktree(&row.worktree_id)?;
                let locked = worktree.lock()?.recording_as(row.id.as_str());
                self.roll_back(&locked, &row)?;
                locked.forget_record();
            }
            // Only after that phase is it known that the backend had stopped.
            let turn_goes_on = row.phase == Phase::Begun;
            let patch = Patch { error: Some("aborted".into()), turn_goes_on, now: now_ms(), ..Patch::default() };
            Ok(self.store.advance(id, row.phase, done, &patch)?)
        })
    }

    /// Returns whether the restore is open and its lease has not expired.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn is_under_way(&self, id: &RestoreId) -> Result<bool> {
        let row = self.journal(id)?;
        Ok(row.phase.is_open() && self.store.leased_until(&row.worktree_id)? > self.store.now()?)
    }

    pub(crate) fn journal(&self, id: &RestoreId) -> Result<Restore> {
        self.store.restore(id)?.ok_or_else(|| Error::missing("restore", &id.0))
    }

    /// Returns the start and end of a lease that begins now, by the database's clock: the clocks of two machines may
    /// differ.
    pub(crate) fn lease(&self) -> Result<Lease> {
        let now = self.store.now()?;
        let until = now.saturating_add(i64::try_from(self.settings.lease.as_millis()).unwrap_or(i64::MAX));
        Ok(Lease { now, until })
    }

    /// Repeats an attempt to take the lease of a worktree while another process has it without a restore: that process
    /// prunes, and ends soon. Returns whether the attempt succeeded.
    pub(crate) fn after_pruning(&self, worktree: &str, mut attempt: impl FnMut(Lease) -> Result<bool>) -> Result<bool> {
        let deadline = Instant::now() + MAX_PRUNING;
        while !attempt(self.lease()?)? {
            let is_open = self.store.open_restores()?.iter().any(|row| row.worktree_id == worktree);
            if is_open || Instant::now() >= deadline {
                return Ok(false);
            }
            thread::sleep(PAUSE);
        }
        Ok(true)
    }

    pub(crate) fn take_lease_of(&self, restore: &RestoreId, owner: &str) -> Result<bool> {
        let lease = self.lease()?;
        Ok(self.store.take_lease_of(restore, owner, lease.now, lease.until)?)
    }

    /// Runs `work` while a second thread renews the lease, then releases it, so that the next attempt need not wait
    /// until it expires.
    pub(crate) fn lead<T>(&self, restore: &Restore, owner: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let (stop, stopped) = mpsc::channel::<()>();
        let done = thread::scope(|scope| {
            // Without this thread the lease expires; the next step detects it, as after a failed renewal.
            let _ = thread::Builder::new().spawn_scoped(scope, || {
                let stopped = stopped;
                while stopped.recv_timeout(self.settings.lease / 3) == Err(mpsc::RecvTimeoutError::Timeout) {
                    // The next step detects a failed renewal: phases advance by compare-and-swap.
                    let _ = self.lease().map(|lease| self.store.renew_lease(&restore.worktree_id, owner, lease.until));
                }
            });
            let done = work();
            drop(stop);
            done
        });
        // A lease that cannot be released expires; the work is done.
        let _ = self.store.release_lease(&restore.worktree_id, owner);
        done
    }

    /// Stops the backend, so that the session's agent no longer writes. Returns whether its turn goes on: another program
    /// may run the agent, and then only a restore of the transcript that this service keeps for it ends the turn.
    pub(crate) fn stop(&self, restore: &Restore) -> Result<bool> {
        let session = self.session(&restore.session_id)?;
        let may_go_on = session.host.is_some() || restore.options.spares_transcript();
        if session.turn.is_none() || !restore.options.force {
            return Ok(may_go_on);
        }
        let stopped = self.backend.stop(&restore.session_id, self.settings.stop_wait);
        failpoint::hit("stopped");
        match stopped {
            Ok(Stopped::Yes) => return Ok(false),
            Ok(Stopped::NotOurs) => return Ok(may_go_on),
            _ => {}
        }
        let error = stopped.err().unwrap_or_else(|| Error::NotStopped { session: restore.session_id.clone() });
        let patch = Patch { error: Some(error.to_string()), turn_goes_on: true, now: now_ms(), ..Patch::default() };
        self.store.advance(&restore.id, Phase::Begun, Phase::Refused, &patch)?;
        Err(error)
    }

    /// Runs a restore from its current phase to its end. `goes_on` matters before its second phase: whether the turn of
    /// its session does not end.
    pub(crate) fn drive(&self, id: &RestoreId, owner: &str, goes_on: bool) -> Result<RestoreOutcome> {
        let row = self.journal(id)?;
        let outcome = self.files_and_index(&row, owner, goes_on);
        self.running.end(id);
        if let Err(error) = outcome {
            let now = self.journal(id)?;
            // Nothing is written before the phase `safe`; afterwards the journal remains open.
            let to = if now.phase == Phase::Begun { Phase::Refused } else { now.phase };
            let patch =
                Patch { error: Some(error.to_string()), turn_goes_on: goes_on, now: now_ms(), ..Patch::default() };
            // If another owner took over the lease, it writes the journal now.
            if self.take_lease_of(id, owner)? {
                self.store.advance(id, now.phase, to, &patch)?;
            }
            return Err(match error {
                Error::Engine(fuzzy_checkpoint::Error::ChangedDuring { paths }) if to.is_open() => {
                    Error::ChangedDuring { restore: id.clone(), paths }
                }
                error => error,
            });
        }
        let outcome = self.store.commit_restore(id, now_ms())?;
        failpoint::hit("done");
        // The next recovery retries a failed reset; the restore itself is over.
        let _ = self.deliver_resets(Some(&row.session_id));
        Ok(outcome)
    }

    fn files_and_index(&self, row: &Restore, owner: &str, goes_on: bool) -> Result<()> {
        let target = self.checkpoint(&row.session_id, &row.checkpoint_id)?;
        if row.phase == Phase::Index {
            return Ok(());
        }
        if !row.options.files {
            return self.skip_files(row, owner, goes_on);
        }
        let worktree = self.worktree(&row.worktree_id)?;
        let locked = worktree.lock()?.recording_as(row.id.as_str());
        let mut to = self.load(&locked, &target)?;
        to.uncovered.extend(target.uncovered.into_iter().filter(|left| left.reason == Reason::Suspect));
        let files = Files { service: self, locked: &locked, row, owner, to: &to, goes_on };
        let mut result = row.result.clone();
        let (from, writings) = match row.phase {
            Phase::Begun => files.write(&mut result)?,
            Phase::Safe => files.go_on(&mut result)?,
            _ => (files.safety()?.1, locked.interrupted()?),
        };
        if row.phase != Phase::Files {
            self.bring_back(&worktree, &row.options.copies, &mut result)?;
            result.worktree_reset = true;
            self.step(row, owner, (Phase::Safe, Phase::Files), Step { result: Some(&result), ..Step::default() })?;
        }
        let moves = row.options.head == HeadMode::Restore;
        result.head = if moves { locked.restore_head(&to)? } else { HeadOutcome::Kept };
        let (index, kept) = restored_index(&locked, &row.options, &from, &to)?;
        (result.index, result.index_kept) = (index, kept);
        result.commits_since = worktree.commits_since(to.head.as_ref())?;
        result.of_branch = worktree.unless_on(to.head_ref.as_deref())?;
        for writing in writings {
            // A save made meanwhile is kept.
            keep(&mut result, writing.finish()?);
        }
        locked.forget_record();
        self.step(row, owner, (Phase::Files, Phase::Index), Step { result: Some(&result), ..Step::default() })
    }

    fn skip_files(&self, row: &Restore, owner: &str, goes_on: bool) -> Result<()> {
        let mut result = row.result.clone();
        (result.index, result.head) = (IndexOutcome::Kept, HeadOutcome::Kept);
        let steps = [(Phase::Begun, Phase::Safe), (Phase::Safe, Phase::Files), (Phase::Files, Phase::Index)];
        for (from, to) in steps.into_iter().skip_while(|(from, _)| *from != row.phase) {
            self.step(row, owner, (from, to), Step { result: Some(&result), goes_on, ..Step::default() })?;
        }
        Ok(())
    }

    pub(crate) fn step(
        &self,
        row: &Restore,
        owner: &str,
        (from, to): (Phase, Phase),
        Step { safety, result, goes_on }: Step<'_>,
    ) -> Result<()> {
        // If another owner took the expired lease, it continues alone.
        if !self.take_lease_of(&row.id, owner)? {
            return Err(Error::RestoreInProgress);
        }
        let (result, now) = (result.cloned(), now_ms());
        let patch = Patch { safety_id: safety, result, turn_goes_on: goes_on, now, ..Patch::default() };
        self.store.advance(&row.id, from, to, &patch)?;
        failpoint::hit(to.as_str());
        Ok(())
    }

    /// Answers a repeated request with the outcome of the first one with the same key.
    pub(crate) fn answer(
        &self,
        row: &Restore,
        checkpoint: &CheckpointId,
        options: &RestoreOptions,
    ) -> Result<RestoreOutcome> {
        let same = match &row.options.undo_of {
            // The options of an undo depend on when it began.
            Some(undone) => options.undo_of.as_ref() == Some(undone),
            None => row.checkpoint_id == *checkpoint && row.options == *options,
        };
        if !same {
            return Err(Error::KeyReused);
        }
        match row.phase {
            Phase::Done => {
                // Like the first response, this one says that the backend was reset. A failed reset is delivered later.
                let _ = self.deliver_resets(Some(&row.session_id));
                Ok(row.result.clone())
            }
            Phase::Refused | Phase::RolledBack => {
                Err(Error::Refused { restore: row.id.clone(), reason: row.error.clone().unwrap_or_default() })
            }
            _ => Err(Error::RestoreInProgress),
        }
    }
}

/// Restores the staged changes, as far as the request includes them. Returns what became of the index, and why it was kept.
fn restored_index(
    locked: &Locked<'_>,
    options: &RestoreOptions,
    from: &Snapshot,
    to: &Snapshot,
) -> Result<(IndexOutcome, Option<IndexKept>)> {
    let why = match &options.staged {
        Staged::Same => None,
        Staged::Kept(why) => Some(*why),
        Staged::All if !options.paths.is_empty() => None,
        // After a crash, the index may be restored already.
        Staged::From(tree) if ![Some(tree), to.index_tree.as_ref()].contains(&from.index_tree.as_ref()) => {
            Some(IndexKept::Changed)
        }
        Staged::From(_) | Staged::All => match locked.index_kept(from, to)? {
            None => return Ok((locked.restore_index(from, to)?, None)),
            why => why,
        },
    };
    Ok((IndexOutcome::Kept, why))
}

/// Refuses options that restore nothing.
pub(crate) fn check_options(options: &RestoreOptions) -> Result<()> {
    let spared = options.trim == Trim::None || !options.paths.is_empty();
    if !options.files && (spared || options.head == HeadMode::Restore) {
        return Err(Error::Invalid("a restore without files can restore only the transcript"));
    }
    Ok(())
}
