//! Reports problems and repairs none.

use std::collections::HashSet;

use crate::answers::{Health, WorktreeHealth};
use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::CheckpointState;

use crate::Result;
use crate::checkpointer::Checkpointer;

impl Checkpointer {
    /// Checks every worktree of the store, and `here` at its current path if it was moved. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if git is missing or too old, or if the store fails. A worktree that cannot be opened is reported and is
    /// not an error.
    pub fn doctor(&self, here: Option<&Worktree>) -> Result<Health> {
        let mut worktrees = Vec::new();
        for row in self.store.worktrees()? {
            let (root, checked) = match here.filter(|here| here.id() == row.id) {
                Some(here) => (here.root().to_string_lossy().into_owned(), self.check(here)),
                None => (row.root, self.worktree(&row.id).and_then(|worktree| self.check(&worktree))),
            };
            let health = checked
                .unwrap_or_else(|error| WorktreeHealth { error: Some(error.to_string()), ..WorktreeHealth::default() });
            worktrees.push(WorktreeHealth { id: row.id, root, ..health });
        }
        let open = self.store.open_restores()?;
        Ok(Health {
            git_version: self.engine.git_version()?,
            open_restores: open.into_iter().map(|restore| restore.id).collect(),
            worktrees,
        })
    }

    fn check(&self, worktree: &Worktree) -> Result<WorktreeHealth> {
        let (stale_scratch, rows, pins) = {
            let _alone = worktree.hold()?;
            (worktree.scratch_left()?, self.store.checkpoints_of(worktree.id())?, worktree.pins()?)
        };
        let pinned: HashSet<&str> = pins.iter().map(|(name, _)| name.as_str()).collect();
        let known: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let without_refs =
            rows.iter().filter(|row| row.state != CheckpointState::Lost && !pinned.contains(row.id.as_str()));
        // An unfinished restore still needs its files.
        let is_open = self.store.open_restores()?.iter().any(|row| row.worktree_id == worktree.id());
        let without_rows = pins.iter().filter(|(name, _)| !known.contains(name.as_str()));
        Ok(WorktreeHealth {
            rows_without_refs: without_refs.map(|row| row.id.clone()).collect(),
            refs_without_rows: without_rows.map(|(name, _)| worktree.checkpoint_ref(name)).collect::<Result<_, _>>()?,
            held_bytes: worktree.held_bytes()?,
            borrowing: worktree.is_borrowing(),
            stale_scratch,
            left_beside: if is_open { Vec::new() } else { worktree.left_beside() },
            secrets: worktree.stored_secrets()?,
            ..WorktreeHealth::default()
        })
    }
}
