//! Restores single hunks of files.

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_store::{CheckpointId, Kind, RestoreOptions, RestoreOutcome, SessionId, Trim};

use crate::checkpointer::Checkpointer;
use crate::{Error, Result};

impl Checkpointer {
    /// Restores the hunks with these numbers, from 0, of each file's difference between the tree `seen` of a plan and a
    /// checkpoint, and the whole files among the `paths` of the options. The transcript is left alone.
    ///
    /// The result is made a checkpoint first, so that the restore is one like any other. The same `key` gives the same
    /// restore.
    ///
    /// # Errors
    ///
    /// Refuses hunks without `seen`, the tree in which they are counted; else as [`Checkpointer::restore`].
    pub fn restore_hunks(
        &self,
        session: &SessionId,
        id: &CheckpointId,
        hunks: &[(RepoPath, Vec<usize>)],
        options: RestoreOptions,
        key: Option<&str>,
    ) -> Result<RestoreOutcome> {
        let mut options = RestoreOptions { trim: Trim::None, ..options };
        options.paths.extend(hunks.iter().map(|(path, _)| path.clone()));
        let asked = key.map(|key| self.store.restore_by_key(session, key)).transpose()?.flatten();
        let target = match asked {
            Some(row) => row.checkpoint_id,
            None => self.picked(session, id, hunks, &options)?,
        };
        self.restore(session, &target, options, key)
    }

    fn picked(
        &self,
        session: &SessionId,
        id: &CheckpointId,
        hunks: &[(RepoPath, Vec<usize>)],
        options: &RestoreOptions,
    ) -> Result<CheckpointId> {
        let seen =
            options.seen.as_ref().ok_or(Error::Invalid("hunks are counted in a plan, whose tree is to be named"))?;
        let target = self.restorable(session, id, options)?;
        let worktree = self.worktree(&target.worktree_id)?;
        let locked = worktree.lock()?;
        let to = self.load(&locked, &target)?;
        let to = match locked.with_hunks(seen, &to, hunks) {
            // A tree that is gone belongs to a plan of long ago.
            Err(fuzzy_checkpoint::Error::Lost { .. }) => return Err(Error::PlanChanged { paths: Vec::new() }),
            to => to?,
        };
        Ok(self.keep(&locked, &self.session(session)?, &to, Kind::Safety, "single hunks", target.anchor_seq)?.id)
    }
}
