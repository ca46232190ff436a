//! The options and the result of a capture, and its stored notes.

use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::modes::Modes;
use crate::{Gone, IndexLeft, Oid, RepoPath, Uncovered};

/// One captured state of a worktree, its index and its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The commit that holds all objects below.
    pub commit: Oid,
    /// The files.
    pub tree: Oid,
    /// The user's index, if it can be restored.
    pub index_tree: Option<Oid>,
    /// The reason why it cannot.
    pub index_left: Option<IndexLeft>,
    /// The user's current commit; `None` on an unborn branch.
    pub head: Option<Oid>,
    /// The user's current branch; `None` if detached.
    pub head_ref: Option<String>,
    /// Paths in the worktree that were not captured, except for ignored ones.
    pub uncovered: Vec<Uncovered>,
    /// Newly captured files that look like secrets and that the user did not stage.
    pub secrets: Vec<RepoPath>,
    /// Captured files that changed after [`CaptureOptions::since`], and directories, with `/` at the end, of which files
    /// may be missing.
    pub suspect: Vec<RepoPath>,
    pub(crate) meta: Arc<Meta>,
}

impl Snapshot {
    /// Returns the ignored paths on disk; a directory ends with `/`, and stands for all files in it.
    #[must_use]
    pub fn ignored(&self) -> &[RepoPath] {
        &self.meta.ignored
    }
}

/// The options of a capture.
#[derive(Debug, Clone, Default)]
pub struct CaptureOptions {
    /// A tree whose paths are captured at any size: before a restore to it, every file that it overwrites must be
    /// captured.
    pub exempt: Option<Oid>,
    /// Whether to ignore the limit of free space, because a restore that has begun must be able to end.
    pub pressed: bool,
    /// Whether the capture only serves a restore or a comparison. Files that are captured only in passing are not
    /// deleted once they are ignored.
    pub passing: bool,
    /// The moment whose state the capture is to have.
    pub since: Option<SystemTime>,
}

impl CaptureOptions {
    /// Returns the options of the capture before a restore to `target`.
    #[must_use]
    pub fn before(target: &Snapshot) -> Self {
        Self { exempt: Some(target.tree.clone()), passing: true, ..Self::default() }
    }

    /// Returns the options of a capture that is only compared and not kept.
    #[must_use]
    pub fn to_compare() -> Self {
        Self { passing: true, ..Self::default() }
    }
}

/// The notes stored with the files: facts that a later restore needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    /// The ignore rules outside `.gitignore` files.
    pub(crate) exclude: Vec<u8>,
    /// Ignored paths on disk; a directory ends with `/` and includes all paths below it.
    pub(crate) ignored: Vec<RepoPath>,
    /// `.gitignore` files that are themselves ignored and therefore not captured.
    pub(crate) rules: Vec<(RepoPath, Vec<u8>)>,
    /// Paths in the index but outside the sparse checkout, sorted.
    pub(crate) sparse: Vec<RepoPath>,
    pub(crate) uncovered: Vec<Uncovered>,
    /// The sizes in bytes of the files that are not captured, ignored ones included, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sizes: Vec<(RepoPath, u64)>,
    /// The paths that belong to a state of a take-back, and were gone when it was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) gone: Vec<Gone>,
    /// Ignored paths that were captured before, or are in the user's index, and were not on disk: their absence is
    /// proven regardless of the rules.
    pub(crate) absent: Vec<RepoPath>,
    /// The reason why the index is not stored as a tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) index_left: Option<IndexLeft>,
    /// The permissions of the files; older checkpoints have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) modes: Option<Modes>,
    /// Directories without captured files, sorted. A restore that deletes files in them keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) bare: Vec<RepoPath>,
}
