//! What a capture is asked for and what it yields, and what is stored with it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::modes::Modes;
use crate::{IndexLeft, Oid, RepoPath, Uncovered};

/// One captured state of a worktree, its index and its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The commit that keeps everything below alive.
    pub commit: Oid,
    /// The files.
    pub tree: Oid,
    /// The user's index, where it can be given back.
    pub index_tree: Option<Oid>,
    /// Why it cannot.
    pub index_left: Option<IndexLeft>,
    /// The commit the user was on; `None` on an unborn branch.
    pub head: Option<Oid>,
    /// The branch the user was on; `None` when detached.
    pub head_ref: Option<String>,
    /// What lay in the worktree and was not captured, ignored files apart.
    pub uncovered: Vec<Uncovered>,
    /// Newly captured files that look like secrets and that the user did not stage.
    pub secrets: Vec<RepoPath>,
    pub(crate) meta: Arc<Meta>,
}

/// What is special about a capture.
#[derive(Debug, Clone, Default)]
pub struct CaptureOptions {
    /// A tree whose paths are captured whatever their size: a restore to it must be able to give back every file it
    /// overwrites.
    pub exempt: Option<Oid>,
    /// Whether to try however little space is left: what has begun must be able to end.
    pub pressed: bool,
    /// Whether it only has to be able to give back what a restore is about to overwrite, or is compared with something:
    /// what is covered for that reason alone is not deleted once it is ignored.
    pub passing: bool,
}

impl CaptureOptions {
    /// Says what a capture is for that a restore to `target` takes first.
    #[must_use]
    pub fn before(target: &Snapshot) -> Self {
        Self { exempt: Some(target.tree.clone()), pressed: false, passing: true }
    }

    /// Says what a capture is for that is compared with something, and not kept.
    #[must_use]
    pub fn to_compare() -> Self {
        Self { passing: true, ..Self::default() }
    }
}

/// Is stored beside the files: what a later restore needs to know about this moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    /// The ignore rules outside `.gitignore` files.
    pub(crate) exclude: Vec<u8>,
    /// What was on disk and ignored; a directory ends with `/` and stands for all below it.
    pub(crate) ignored: Vec<RepoPath>,
    /// `.gitignore` files that are themselves ignored, so not among the files.
    pub(crate) rules: Vec<(RepoPath, Vec<u8>)>,
    /// Paths in the index but outside the sparse checkout, sorted.
    pub(crate) sparse: Vec<RepoPath>,
    pub(crate) uncovered: Vec<Uncovered>,
    /// Paths that the rules ignore but that were covered before, or are in the user's index, and were not on disk:
    /// their absence is proved whatever the rules say.
    pub(crate) absent: Vec<RepoPath>,
    /// Why the index is not in the notes as a tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) index_left: Option<IndexLeft>,
    /// The permissions of the files; older checkpoints have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) modes: Option<Modes>,
    /// Directories without a covered file, sorted. They stay when what came into them goes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) bare: Vec<RepoPath>,
}
