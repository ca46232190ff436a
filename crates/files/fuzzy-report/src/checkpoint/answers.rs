//! What is answered to those who ask about checkpoints.

use std::path::PathBuf;

use serde::Serialize;

use super::{
    Checkpoint, CheckpointId, Differing, HeadMode, IndexKept, IndexLeft, Oid, Phase, RepoPath, RestoreId, SessionId,
    TurnId, Uncovered,
};

/// Says what a restore would do to files, transcript and branch.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Preview {
    /// Always true: nothing was changed.
    pub dry_run: bool,
    /// The target.
    pub checkpoint_id: CheckpointId,
    /// Files written or changed.
    pub files_to_write: Vec<RepoPath>,
    /// Files deleted: the checkpoint proves that they were absent.
    pub files_to_delete: Vec<RepoPath>,
    /// The same files as they would change, with renames found and lines counted.
    pub files: Vec<Differing>,
    /// Files that stay though the checkpoint has none: they were ignored then, or not covered.
    pub kept: Vec<RepoPath>,
    /// What is in the way and in no checkpoint. The restore would be refused while there is any.
    pub obstructed: Vec<RepoPath>,
    /// Files that would come back without the setuid, setgid or sticky bit that they had.
    pub bits_dropped: Vec<RepoPath>,
    /// How many messages would be trimmed.
    pub messages_to_trim: u64,
    /// The place of the first of them; all from there on are.
    pub trim_from: Option<i64>,
    /// Later checkpoints that would be hidden until the restore is undone.
    pub checkpoints_to_hide: Vec<CheckpointId>,
    /// What the target did not capture.
    pub uncovered: Vec<Uncovered>,
    /// What is on disk now: a restore that names it as `seen` is refused where that has changed.
    pub tree: Option<Oid>,
    /// Sessions of the worktree whose turns run: without `force` the restore would be refused.
    pub agents_running: Vec<SessionId>,
    /// Why the index would be left alone; none where it would be given back, or is the same.
    pub index_kept: Option<IndexKept>,
    /// What is in the way of the index, in the checkpoint or now.
    pub index_left: Option<IndexLeft>,
    /// What would happen to the branch.
    pub head: HeadMode,
    /// Commits made since the target.
    pub commits_since: u64,
}

/// Says what a turn changed, and what had changed before it outside any turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TurnChanges {
    /// The turn.
    pub id: TurnId,
    /// Whether it still runs: then it is compared with what is on disk now.
    pub running: bool,
    /// The checkpoint that it began with.
    pub from: Option<CheckpointId>,
    /// The checkpoint that it ended with.
    pub to: Option<CheckpointId>,
    /// What it changed.
    pub files: Vec<Differing>,
    /// Why that is not known.
    pub uncompared: Option<String>,
    /// What is known to have been on disk before the turn: the end of the one before, or what was restored.
    pub outside_from: Option<CheckpointId>,
    /// What had changed from there until the turn began.
    pub outside: Vec<Differing>,
}

/// Says how far the files of a restore are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct FileProgress {
    /// How many files are written beside their paths.
    pub written: u64,
    /// How many are to be written.
    pub to_write: u64,
    /// How many paths have become what they are to be, the deleted ones included.
    pub placed: u64,
    /// How many are to.
    pub to_place: u64,
}

/// What is known of a checkpoint.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Details {
    /// The checkpoint: with its head, and with what it does not cover.
    pub checkpoint: Checkpoint,
    /// Whether its ref is there.
    pub pinned: bool,
    /// The refs that keep it from git's housekeeping: one, or none when it is lost.
    pub refs: Vec<String>,
    /// About how many bytes of the object store it holds besides the user's own refs; other checkpoints may hold them,
    /// too. 0 when it is lost.
    pub size_bytes: u64,
    /// Commits made since.
    pub commits_since: u64,
}

/// Says what retention did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PruneReport {
    /// The checkpoints given up.
    pub pruned: Vec<CheckpointId>,
    /// Trimmed messages deleted for good.
    pub messages: u64,
    /// Worktrees that could not be opened; their checkpoints stay. A linked worktree that was removed is none of these.
    pub unreachable: Vec<String>,
    /// Worktrees in which a restore runs; their checkpoints stay.
    pub busy: Vec<String>,
}

/// Says how the checkpoints are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Health {
    /// What git says of itself.
    pub git_version: String,
    /// Restores that are not finished.
    pub open_restores: Vec<RestoreId>,
    /// Every worktree that has checkpoints, or had.
    pub worktrees: Vec<WorktreeHealth>,
}

/// Says how the checkpoints of one worktree are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
    /// Files that a restore left beside others, while none is open: what someone had open, or what nobody removed.
    pub left_beside: Vec<RepoPath>,
    /// Files that look like secrets and that only checkpoints hold: they go out with `push --mirror`.
    pub secrets: Vec<RepoPath>,
}

impl Health {
    /// Tells whether something needs a hand: stored secrets are for the user to judge, the rest is not well.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.open_restores.is_empty() && self.worktrees.iter().all(WorktreeHealth::is_well)
    }
}

impl WorktreeHealth {
    fn is_well(&self) -> bool {
        self.error.is_none()
            && self.rows_without_refs.is_empty()
            && self.refs_without_rows.is_empty()
            && self.stale_scratch.is_empty()
            && self.left_beside.is_empty()
    }
}

/// Says what became of one interrupted restore.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Recovered {
    /// The restore.
    pub restore: RestoreId,
    /// Where it is now.
    pub phase: Phase,
    /// Why it is still open.
    pub error: Option<String>,
}
