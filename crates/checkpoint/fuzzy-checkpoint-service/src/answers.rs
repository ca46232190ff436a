//! Responses of the checkpoint service.

use std::path::PathBuf;

use fuzzy_checkpoint::{Differing, Gone, IndexKept, IndexLeft, Oid, RepoPath, Uncovered};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, HeadMode, Phase, RestoreId, SessionId, TurnId};
use serde::Serialize;

/// The effects that a restore would have on files, transcript and branch.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Preview {
    /// Always true: a preview changes nothing.
    pub dry_run: bool,
    /// The target checkpoint.
    pub checkpoint_id: CheckpointId,
    /// Files that the restore would write or change.
    pub files_to_write: Vec<RepoPath>,
    /// Files that the restore would delete: the checkpoint proves that they were absent.
    pub files_to_delete: Vec<RepoPath>,
    /// The changes to the same files, with renames detected and lines counted.
    pub files: Vec<Differing>,
    /// Files that the restore would keep although the checkpoint has none: they were ignored then, or not covered.
    pub kept: Vec<RepoPath>,
    /// Paths in the way that no checkpoint contains. The restore is rejected while there are any.
    pub obstructed: Vec<RepoPath>,
    /// Files that the restore would write without the setuid, setgid or sticky bit that they had.
    pub bits_dropped: Vec<RepoPath>,
    /// The number of messages that the restore would trim.
    pub messages_to_trim: u64,
    /// The sequence number of the first trimmed message; all later ones are trimmed too.
    pub trim_from: Option<i64>,
    /// Later checkpoints that the restore would hide until it is undone.
    pub checkpoints_to_hide: Vec<CheckpointId>,
    /// Paths that the target did not capture.
    pub uncovered: Vec<Uncovered>,
    /// Paths that belong to the target, are not there, and that no checkpoint has. They cannot be brought back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// The tree of the files on disk now. A restore that passes it as `seen` is rejected if the files changed since.
    pub tree: Option<Oid>,
    /// Sessions of the worktree with a running turn: without `force` the restore is rejected.
    pub agents_running: Vec<SessionId>,
    /// The reason to leave the index alone; none if the restore would restore it or it is unchanged.
    pub index_kept: Option<IndexKept>,
    /// The obstacle to restoring the index, in the checkpoint or now.
    pub index_left: Option<IndexLeft>,
    /// The treatment of the branch.
    pub head: HeadMode,
    /// The number of commits made since the target.
    pub commits_since: u64,
    /// The branch of the target, if another branch or none is checked out: the files get the content that they had on
    /// that branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_branch: Option<String>,
}

/// The changes of a turn, and the changes before it outside any turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TurnChanges {
    /// The turn.
    pub id: TurnId,
    /// Whether the turn is still running: then `files` compares with the files on disk now.
    pub running: bool,
    /// The checkpoint at the start of the turn.
    pub from: Option<CheckpointId>,
    /// The checkpoint at the end of the turn.
    pub to: Option<CheckpointId>,
    /// The files that the turn changed.
    pub files: Vec<Differing>,
    /// The paths that were there before the turn, are not there, and that no checkpoint has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// The reason why `files` is unknown.
    pub uncompared: Option<String>,
    /// The last known state before the turn: the end of the previous turn, or the target of a restore.
    pub outside_from: Option<CheckpointId>,
    /// The files that changed between that state and the start of the turn.
    pub outside: Vec<Differing>,
}

/// The progress of a restore in writing files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct FileProgress {
    /// The number of files written beside their paths.
    pub written: u64,
    /// The number of files to write.
    pub to_write: u64,
    /// The number of paths that have their final state, deleted files included.
    pub placed: u64,
    /// The number of paths to change.
    pub to_place: u64,
}

/// The details of a checkpoint.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Details {
    /// The checkpoint, with its head and the paths that it does not cover.
    pub checkpoint: Checkpoint,
    /// Whether its ref exists.
    pub pinned: bool,
    /// The refs that protect it from git's garbage collection: one, or none if it is lost.
    pub refs: Vec<String>,
    /// Approximate size in the object store of the objects that the user's own refs do not hold, in bytes; other
    /// checkpoints may share them. 0 if the checkpoint is lost.
    pub size_bytes: u64,
    /// The number of commits made since.
    pub commits_since: u64,
}

/// The result of a retention run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PruneReport {
    /// The deleted checkpoints.
    pub pruned: Vec<CheckpointId>,
    /// The number of trimmed messages deleted permanently.
    pub messages: u64,
    /// The number of messages whose texts were deleted.
    pub texts: u64,
    /// Worktrees that could not be opened; their checkpoints are kept. Removed linked worktrees are not listed.
    pub unreachable: Vec<String>,
    /// Worktrees of repositories that no longer exist; their old checkpoints are kept.
    pub gone: Vec<String>,
    /// Worktrees with a running restore; their checkpoints are kept.
    pub busy: Vec<String>,
    /// The number of freed bytes.
    pub freed_bytes: u64,
}

/// The health of all checkpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Health {
    /// The version that git reports.
    pub git_version: String,
    /// Restores that are not finished.
    pub open_restores: Vec<RestoreId>,
    /// Every worktree that has or had checkpoints.
    pub worktrees: Vec<WorktreeHealth>,
}

/// The health of the checkpoints of one worktree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct WorktreeHealth {
    /// The worktree's id.
    pub id: String,
    /// The directory of its files, even if it no longer exists.
    pub root: String,
    /// The reason why the other fields are empty.
    pub error: Option<String>,
    /// Checkpoints that are ready in the database but have no ref: recovery marks them lost.
    pub rows_without_refs: Vec<CheckpointId>,
    /// Refs without a row in the database: another database left them, and retention deletes them when they are old.
    pub refs_without_rows: Vec<String>,
    /// The size on disk of the objects in the store that the checkpoints hold, in bytes.
    pub held_bytes: u64,
    /// Whether the newest checkpoint still borrows objects from the repository, and is lost with it.
    pub borrowing: bool,
    /// Scratch directories of interrupted operations: the next capture removes them.
    pub stale_scratch: Vec<PathBuf>,
    /// Files that a restore left beside others, if no restore is open: a program had them open, or nothing removed
    /// them.
    pub left_beside: Vec<RepoPath>,
    /// Files that look like secrets and that only checkpoints hold.
    pub secrets: Vec<RepoPath>,
    /// Checkpoints of which an object is missing or damaged; none if the contents were not read.
    pub damaged: Option<Vec<CheckpointId>>,
}

impl Health {
    /// Returns whether nothing needs repair. Stored secrets do not count: the user decides about them.
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
            && self.damaged.as_ref().is_none_or(Vec::is_empty)
    }
}

/// The result of recovering one interrupted restore.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Recovered {
    /// The restore.
    pub restore: RestoreId,
    /// Its phase now.
    pub phase: Phase,
    /// The reason why it is still open.
    pub error: Option<String>,
}
