//! Reports problems and repairs none.

use std::collections::HashSet;

use crate::answers::{Health, WorktreeHealth};
use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::CheckpointId;

use crate::Result;
use crate::checkpointer::Checkpointer;

impl Checkpointer {
    /// Checks every worktree of the store, and `here` at its current path if it was moved. With `read_data`, reads every
    /// object of every checkpoint. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if git is missing or too old, or if the store fails. A worktree that cannot be opened is reported and is
    /// not an error.
    pub fn doctor(&self, here: Option<&Worktree>, read_data: bool) -> Result<Health> {
        let mut worktrees = Vec::new();
        for row in self.store.worktrees()? {
            let (root, checked) = match here.filter(|here| here.id() == row.id) {
                Some(here) => (here.root().to_string_lossy().into_owned(), self.check(here, read_data)),
                None => (row.root, self.worktree(&row.id).and_then(|worktree| self.check(&worktree, read_data))),
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

    fn check(&self, worktree: &Worktree, read_data: bool) -> Result<WorktreeHealth> {
        let (stale_scratch, rows, pins) = {
            let _alone = worktree.hold()?;
            (worktree.scratch_left()?, self.store.checkpoints_of(worktree.id())?, worktree.pins()?)
        };
        let pinned: HashSet<&str> = pins.iter().map(|(name, _)| name.as_str()).collect();
        let known: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let without_refs = rows.iter().filter(|row| !pinned.contains(row.id.as_str()));
        // An unfinished restore still needs its files.
        let is_open = self.store.open_restores()?.iter().any(|row| row.worktree_id == worktree.id());
        let without_rows = pins.iter().filter(|(name, _)| !known.contains(name.as_str()));
        let damaged = read_data.then(|| {
            // The others are reported as rows without refs.
            let kept = rows.iter().filter(|row| pinned.contains(row.id.as_str()));
            let (ids, commits): (Vec<_>, Vec<_>) = kept.map(|row| (&row.id, &row.commit_oid)).unzip();
            let damaged = worktree.damaged(&commits)?;
            Ok::<_, crate::Error>(damaged.into_iter().map(|index| ids[index].clone()).collect())
        });
        let damaged: Option<Vec<CheckpointId>> = damaged.transpose()?;
        // Git fails at the first object that it cannot read; the report has the damage then.
        let is_damaged = damaged.as_ref().is_some_and(|damaged| !damaged.is_empty());
        let (held_bytes, secrets) = (worktree.held_bytes(), worktree.stored_secrets());
        Ok(WorktreeHealth {
            damaged,
            rows_without_refs: without_refs.map(|row| row.id.clone()).collect(),
            refs_without_rows: without_rows.map(|(name, _)| worktree.checkpoint_ref(name)).collect::<Result<_, _>>()?,
            held_bytes: if is_damaged { held_bytes.unwrap_or_default() } else { held_bytes? },
            borrowing: worktree.is_borrowing(),
            stale_scratch,
            left_beside: if is_open { Vec::new() } else { worktree.left_beside() },
            secrets: if is_damaged { secrets.unwrap_or_default() } else { secrets? },
            ..WorktreeHealth::default()
        })
    }
}
