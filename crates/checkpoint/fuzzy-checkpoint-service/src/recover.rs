//! Finishes what an interrupted service left.

use std::collections::HashSet;

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{CheckpointState, Phase, Restore};
use fuzzy_report::checkpoint::Recovered;

use crate::Result;
use crate::checkpointer::Checkpointer;

impl Checkpointer {
    /// Finishes interrupted restores that nobody works on, delivers backend resets, and makes rows and refs agree.
    ///
    /// # Errors
    ///
    /// Fails when the store does; a restore that cannot finish is reported, not an error.
    pub fn recover(&self) -> Result<Vec<Recovered>> {
        let recovered = self.finish()?;
        for row in self.store.worktrees()? {
            self.agree_in(&row.id)?;
        }
        Ok(recovered)
    }

    /// Finishes interrupted restores of one worktree, and makes its rows and refs agree.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::recover`].
    pub fn recover_in(&self, worktree: &str) -> Result<Vec<Recovered>> {
        let mut recovered = Vec::new();
        for restore in self.store.open_restores()?.iter().filter(|restore| restore.worktree_id == worktree) {
            recovered.extend(self.resume(restore)?);
        }
        self.agree_in(worktree)?;
        Ok(recovered)
    }

    fn agree_in(&self, worktree: &str) -> Result<()> {
        // A worktree that is gone has nothing to agree with.
        self.worktree(worktree).map_or(Ok(()), |worktree| self.agree(&worktree))
    }

    /// Tells backends of the generations that they were not told of.
    ///
    /// # Errors
    ///
    /// Fails when the store does, and when a backend was not told.
    pub fn tell_backends(&self) -> Result<()> {
        self.deliver_resets(None)
    }

    /// Finishes interrupted restores that nobody works on, and delivers backend resets; the cheaper half of
    /// [`Checkpointer::recover`], to be done again and again.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::recover`].
    pub fn finish(&self) -> Result<Vec<Recovered>> {
        let mut recovered = Vec::new();
        for restore in self.store.open_restores()? {
            recovered.extend(self.resume(&restore)?);
        }
        // A backend that cannot be reached now is told by the next recovery.
        let _ = self.deliver_resets(None);
        Ok(recovered)
    }

    /// Goes on with a restore; `None` when a live owner works on it, or has finished it.
    pub(crate) fn resume(&self, restore: &Restore) -> Result<Option<Recovered>> {
        let owner = self.owner(&restore.worktree_id)?;
        if !self.take_lease_of(&restore.id, &owner.name)? {
            return Ok(None);
        }
        let outcome = self.lead(restore, &owner.name, || {
            // The last owner of the lease may have moved it on; the next one, when ours has run out, may finish it.
            let restore = self.journal(&restore.id)?;
            if restore.phase == Phase::Begun {
                // Whether the backend had stopped is not known.
                self.stop(&restore)?;
            }
            if restore.phase.is_open() { self.drive(&restore.id, &owner.name).map(drop) } else { Ok(()) }
        });
        let phase = self.journal(&restore.id)?.phase;
        if !phase.is_open() {
            // A capture that its process did not end has a row and no ref. The restore is over all the same.
            let _ = self.agree_in(&restore.worktree_id);
        }
        let error = outcome.err().filter(|_| phase.is_open()).map(|error| error.to_string());
        Ok(Some(Recovered { restore: restore.id.clone(), phase, error }))
    }

    /// Marks rows without refs lost and rows with refs ready.
    fn agree(&self, worktree: &Worktree) -> Result<()> {
        let _locked = worktree.lock()?;
        let rows = self.store.checkpoints_of(worktree.id())?;
        let pins: HashSet<String> = worktree.pins()?.into_iter().map(|(name, _)| name).collect();
        for row in &rows {
            let state = match (pins.contains(row.id.as_str()), row.state) {
                (true, CheckpointState::Pending) => CheckpointState::Ready,
                (false, CheckpointState::Pending | CheckpointState::Ready) => CheckpointState::Lost,
                _ => continue,
            };
            self.store.set_checkpoint_state(&row.id, state)?;
        }
        Ok(())
    }
}
