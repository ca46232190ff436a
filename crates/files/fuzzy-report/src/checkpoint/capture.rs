//! What captures leave alone, how two of them differ, and what a restore did to index and branch.

use serde::{Deserialize, Serialize};

use super::RepoPath;
use crate::words::words;

/// Names something in the worktree that a capture leaves alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Uncovered {
    /// The path; for a directory everything below it too.
    pub path: RepoPath,
    /// Why it is left alone.
    pub reason: Reason,
}

/// Says why a path is not covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// The directory is a repository of its own.
    NestedRepo,
    /// The directory is a submodule.
    Submodule,
    /// The file is a socket, a pipe or a device.
    Special,
    /// The file is larger than the limit.
    TooLarge,
    /// The file or directory cannot be read.
    Unreadable,
    /// The name may be read as `.git`, or git refuses it.
    ReservedName,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Differing {
    /// Its path from the root.
    pub path: RepoPath,
    /// What happened to it.
    pub change: Change,
    /// Its path before, where it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<RepoPath>,
    /// How many lines it gained; none where lines were not counted, and where the file is binary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insertions: Option<u64>,
    /// How many lines it lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletions: Option<u64>,
}

/// A patch as text, or as bytes where a file's lines are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Patch {
    /// All of it is UTF-8.
    Text(String),
    /// Some of it is not.
    Bytes(Vec<u8>),
}

impl From<Vec<u8>> for Patch {
    fn from(patch: Vec<u8>) -> Self {
        String::from_utf8(patch).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }
}

words! {
    /// Says what happened to a file.
    Change {
        /// The file is new.
        Added = "added",
        /// The file's bytes, type or exec bit differ.
        Changed = "changed",
        /// The file is gone.
        Deleted = "deleted",
        /// The file has another path, and its bytes may differ a little.
        Renamed = "renamed",
    }
}

words! {
    /// Says what became of the user's index.
    IndexOutcome {
        /// It is as it was captured.
        Restored = "restored",
        /// It was so already.
        Unchanged = "unchanged",
        /// Somebody else holds its lock, or kept changing it, or its directory cannot be written.
        Busy = "busy",
        /// It was left alone: the head differs, an operation such as a merge is in progress, or it holds what cannot be
        /// given back.
        Kept = "kept",
    }
}

words! {
    /// Says why what is staged cannot be given back from a checkpoint; what it names is kept all the same, but in a
    /// sidecar.
    IndexLeft {
        /// A merge has left entries to be resolved.
        Unmerged = "unmerged",
        /// It is kept in two files.
        Split = "split_index",
        /// It has files announced with `git add -N`.
        IntentToAdd = "intent_to_add",
        /// It has files outside a sparse checkout, or marked to be skipped.
        SkipWorktree = "skip_worktree",
        /// The repository lacks objects that it names.
        MissingObjects = "missing_objects",
        /// The checkpoints are kept in a sidecar, which holds files alone.
        Sidecar = "sidecar",
    }
}

words! {
    /// Says why a restore would leave the user's index alone.
    IndexKept {
        /// The checkpoint has none that can be given back.
        NotCaptured = "not_captured",
        /// What is staged now could not be brought back by an undo.
        NotSaved = "not_saved",
        /// Another commit or branch is checked out.
        HeadDiffers = "head_differs",
        /// A merge, rebase or the like is in progress.
        InProgress = "in_progress",
        /// Only some paths are restored, or no files.
        NotAsked = "not_asked",
    }
}

words! {
    /// Says what became of the branch.
    HeadOutcome {
        /// It points where it pointed.
        Restored = "restored",
        /// It stays where it is.
        Kept = "kept",
    }
}
