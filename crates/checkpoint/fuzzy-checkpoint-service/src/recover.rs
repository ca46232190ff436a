//! Finishes the work of an interrupted service.

use std::collections::HashSet;

use crate::answers::Recovered;
use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{Phase, Restore};

use crate::checkpointer::Checkpointer;
use crate::{Error, Result};

impl Checkpointer {
    /// Finishes interrupted restores without a live owner, delivers backend resets, and makes rows and refs agree.
    ///
    /// # Errors
    ///
    /// Fails if the store does. A restore that cannot finish is reported and is not an error.
    pub fn recover(&self) -> Result<Vec<Recovered>> {
        let recovered = self.finish()?;
        // One that cannot be read does not keep the others from it.
        let agreed: Vec<Result<()>> = self.store.worktrees()?.iter().map(|row| self.agree_in(&row.id)).collect();
        agreed.into_iter().collect::<Result<()>>()?;
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
        // A missing worktree has no refs to compare.
        self.worktree_there(worktree)?.map_or(Ok(()), |worktree| self.agree(&worktree))
    }

    /// Delivers all pending resets to the backends.
    ///
    /// # Errors
    ///
    /// Fails if the store or a backend does.
    pub fn deliver_pending_resets(&self) -> Result<()> {
        self.deliver_resets(None)
    }

    /// Finishes interrupted restores without a live owner, and delivers backend resets. This is the cheaper half of
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
        // A reset that fails now is delivered by the next recovery.
        let _ = self.deliver_resets(None);
        Ok(recovered)
    }

    /// Resumes a restore; returns `None` if a live owner works on it, or has finished it.
    pub(crate) fn resume(&self, restore: &Restore) -> Result<Option<Recovered>> {
        let owner = self.owner(&restore.worktree_id)?;
        if !self.take_lease_of(&restore.id, &owner.name)? {
            return Ok(None);
        }
        let outcome = self.lead(restore, &owner.name, || {
            // The previous owner of the lease may have advanced the restore; if our lease expires, the next owner may
            // finish it.
            let restore = self.journal(&restore.id)?;
            // In the first phase it is unknown whether the backend had stopped.
            let goes_on = restore.phase == Phase::Begun && self.stop(&restore)?;
            if restore.phase.is_open() { self.drive(&restore.id, &owner.name, goes_on).map(drop) } else { Ok(()) }
        });
        let phase = self.journal(&restore.id)?.phase;
        if !phase.is_open() {
            // A failure here does not matter: the restore is over.
            let _ = self.agree_in(&restore.worktree_id);
        }
        let error = outcome.err().filter(|_| phase.is_open()).map(|error| error.to_string());
        Ok(Some(Recovered { restore: restore.id.clone(), phase, error }))
    }

    /// Pins the checkpoints whose refs are missing and whose objects are there.
    fn agree(&self, worktree: &Worktree) -> Result<()> {
        let locked = worktree.lock()?;
        let rows = self.store.checkpoints_of(worktree.id())?;
        let pins: HashSet<String> = worktree.pins()?.into_iter().map(|(name, _)| name).collect();
        for row in rows.iter().filter(|row| !pins.contains(row.id.as_str())) {
            match self.load(&locked, row) {
                Err(Error::Lost { .. }) => {}
                loaded => locked.pin(row.id.as_str(), &loaded?.commit)?,
            }
        }
        Ok(())
    }
}
