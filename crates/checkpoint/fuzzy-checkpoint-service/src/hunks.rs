//! Restores single hunks of files.

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_store::{CheckpointId, Kind, RestoreOptions, RestoreOutcome, SessionId, Trim};

use crate::checkpointer::Checkpointer;
use crate::{Error, Result};

impl Checkpointer {
    /// Restores hunks of files, and the whole files among the `paths` of the options. Hunks are numbered from 0 in each
    /// file's difference between the tree `seen` of a plan and a checkpoint. The transcript does not change.
    ///
    /// The service first makes the result a checkpoint and restores that, so this restore can be undone as any other.
    /// The same `key` returns the same restore.
    ///
    /// # Errors
    ///
    /// Refuses hunks without `seen`, because hunk numbers refer to that tree; otherwise as [`Checkpointer::restore`].
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
        let earlier = key.map(|key| self.store.restore_by_key(session, key)).transpose()?.flatten();
        let target = match earlier {
            Some(row) => row.checkpoint_id,
            None => self.keep_picked(session, id, hunks, &options)?,
        };
        self.restore(session, &target, options, key)
    }

    fn keep_picked(
        &self,
        session: &SessionId,
        id: &CheckpointId,
        hunks: &[(RepoPath, Vec<usize>)],
        options: &RestoreOptions,
    ) -> Result<CheckpointId> {
        let seen = options.seen.as_ref().ok_or(Error::Invalid("hunk numbers refer to a plan: send its tree"))?;
        let target = self.restorable(session, id, options)?;
        let worktree = self.worktree(&target.worktree_id)?;
        let locked = worktree.lock()?;
        let to = self.load(&locked, &target)?;
        let to = match to.with_hunks(&locked, seen, hunks) {
            // A missing tree belongs to an old plan.
            Err(fuzzy_checkpoint::Error::Lost { .. }) => return Err(Error::PlanChanged { paths: Vec::new() }),
            to => to?,
        };
        Ok(self.keep(&locked, &self.session(session)?, &to, Kind::Plan, "single hunks", target.anchor_seq)?.id)
    }
}
