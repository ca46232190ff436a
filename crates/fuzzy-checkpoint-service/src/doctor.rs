//! Looks for what is wrong, and mends nothing.

use std::collections::HashSet;
use std::path::PathBuf;

use fuzzy_checkpoint::{RepoPath, Worktree};
use fuzzy_checkpoint_store::{CheckpointId, CheckpointState, RestoreId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Result;
use crate::checkpointer::Checkpointer;

/// Says how the checkpoints are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Health {
    /// What git says of itself.
    pub git_version: String,
    /// Restores that are not finished.
    pub open_restores: Vec<RestoreId>,
    /// Every worktree that has checkpoints, or had.
    pub worktrees: Vec<WorktreeHealth>,
}

/// Says how the checkpoints of one worktree are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WorktreeHealth {
    /// The worktree.
    pub id: String,
    /// Where its files are, or were.
    pub root: String,
    /// Why nothing more is known; the rest is empty then.
    pub error: Option<String>,
    /// Checkpoints that are said to be ready and have no ref: recovery marks them lost.
    pub rows_without_refs: Vec<CheckpointId>,
    /// Refs that no row knows: left by another database, and dropped by retention when they are old.
    pub refs_without_rows: Vec<String>,
    /// About how many bytes of the object store only the checkpoints hold.
    pub held_bytes: u64,
    /// Scratch directories of operations that ended too early: the next capture removes them.
    pub stale_scratch: Vec<PathBuf>,
    /// Files that look like secrets and that only checkpoints hold: they go out with `push --mirror`.
    pub secrets: Vec<RepoPath>,
}

impl Health {
    /// Tells whether something needs a hand: stored secrets are for the user to judge, the rest is not well.
    #[must_use]
    pub fn is_well(&self) -> bool {
        let well = |one: &WorktreeHealth| {
            one.error.is_none()
                && one.rows_without_refs.is_empty()
                && one.refs_without_rows.is_empty()
                && one.stale_scratch.is_empty()
        };
        self.open_restores.is_empty() && self.worktrees.iter().all(well)
    }
}

impl Checkpointer {
    /// Looks at every worktree the store knows. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails when git is missing or too old, or the store fails; a worktree that cannot be opened is reported, not an
    /// error.
    pub fn doctor(&self) -> Result<Health> {
        let mut worktrees = Vec::new();
        for row in self.store.worktrees()? {
            let looked = self.worktree(&row.id).and_then(|worktree| self.look_at(&worktree));
            let health = looked
                .unwrap_or_else(|error| WorktreeHealth { error: Some(error.to_string()), ..WorktreeHealth::default() });
            worktrees.push(WorktreeHealth { id: row.id, root: row.root, ..health });
        }
        let open = self.store.open_restores()?;
        Ok(Health {
            git_version: self.engine.git_version()?,
            open_restores: open.into_iter().map(|restore| restore.id).collect(),
            worktrees,
        })
    }

    fn look_at(&self, worktree: &Worktree) -> Result<WorktreeHealth> {
        let (stale_scratch, rows, pins) = {
            let _alone = worktree.hold()?;
            (worktree.scratch_left()?, self.store.checkpoints_of(worktree.id())?, worktree.pins()?)
        };
        let pinned: HashSet<&str> = pins.iter().map(|(name, _)| name.as_str()).collect();
        let known: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let bare = |row: &&fuzzy_checkpoint_store::Checkpoint| {
            row.state != CheckpointState::Lost && !pinned.contains(row.id.as_str())
        };
        let strange = pins.iter().filter(|(name, _)| !known.contains(name.as_str()));
        Ok(WorktreeHealth {
            rows_without_refs: rows.iter().filter(bare).map(|row| row.id.clone()).collect(),
            refs_without_rows: strange.map(|(name, _)| worktree.checkpoint_ref(name)).collect::<Result<_, _>>()?,
            held_bytes: worktree.held_bytes()?,
            stale_scratch,
            secrets: worktree.stored_secrets()?,
            ..WorktreeHealth::default()
        })
    }
}
