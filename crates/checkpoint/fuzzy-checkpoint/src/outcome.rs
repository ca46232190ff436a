//! Paths that captures skip, differences between captures, and a restore's effects on index and branch.

use serde::{Deserialize, Serialize};

use crate::{Oid, RepoPath, words};

/// A path in the worktree that a capture skips.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Uncovered {
    /// The path; a directory includes everything below it.
    pub path: RepoPath,
    /// The reason.
    pub reason: Reason,
    /// The commit that is checked out in a submodule or a nested repository, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Oid>,
}

/// A path that was there, is not there any more, and that no checkpoint has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Gone {
    /// The path; an ignored directory ends with `/`.
    pub path: RepoPath,
    /// The reason why it was not captured.
    pub why: Reason,
    /// Its size in bytes; none for a directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl Uncovered {
    /// Returns a path with the reason why it is skipped.
    #[must_use]
    pub const fn new(path: RepoPath, reason: Reason) -> Self {
        Self { path, reason, commit: None }
    }
}

/// The reason why a capture skips a path.
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
    /// The path is ignored.
    Ignored,
    /// The file or directory cannot be read.
    Unreadable,
    /// The name may be read as `.git`, or git refuses it.
    ReservedName,
    /// The file changed after the prompt of a turn and before the checkpoint had it; a path with `/` at the end is a
    /// directory of which files may be missing.
    Suspect,
}

/// A file that differs between two captures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Differing {
    /// Its path from the root.
    pub path: RepoPath,
    /// The kind of change.
    pub change: Change,
    /// Its previous path, if it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<RepoPath>,
    /// The number of added lines; none if lines were not counted or the file is binary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insertions: Option<u64>,
    /// The number of removed lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletions: Option<u64>,
}

/// A patch: a text, or bytes if lines of a file are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Patch {
    /// The whole patch is UTF-8.
    Text(String),
    /// Parts of the patch are not UTF-8.
    Bytes(Vec<u8>),
}

impl From<Vec<u8>> for Patch {
    fn from(patch: Vec<u8>) -> Self {
        String::from_utf8(patch).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }
}

words! {
    /// The kind of change of a file.
    Change {
        /// The file is new.
        Added = "added",
        /// The file's bytes, type or exec bit differ.
        Changed = "changed",
        /// The file was deleted.
        Deleted = "deleted",
        /// The file has another path; its bytes may differ slightly.
        Renamed = "renamed",
    }
}

words! {
    /// The effect of a restore on the user's index.
    #[derive(Default)]
    IndexOutcome {
        /// The index is as it was captured.
        Restored = "restored",
        /// The index already was as captured.
        Unchanged = "unchanged",
        /// Another process holds its lock or kept changing it, or its directory is not writable.
        Busy = "busy",
        /// The restore left it alone: the head differs, an operation such as a merge is in progress, or the index has
        /// entries that cannot be restored.
        #[default]
        Kept = "kept",
    }
}

words! {
    /// The reason why a checkpoint cannot restore the index. The staged contents are saved all the same, except in a
    /// sidecar.
    IndexLeft {
        /// A merge left unresolved entries.
        Unmerged = "unmerged",
        /// The index is split into two files.
        Split = "split_index",
        /// The index has entries added with `git add -N`.
        IntentToAdd = "intent_to_add",
        /// The index has entries outside a sparse checkout, or entries marked to be skipped.
        SkipWorktree = "skip_worktree",
        /// Objects that the index names are missing from the repository.
        MissingObjects = "missing_objects",
        /// The checkpoints are in a sidecar, which holds files only.
        Sidecar = "sidecar",
    }
}

words! {
    /// The reason why a restore would leave the user's index alone.
    IndexKept {
        /// The checkpoint has no index that can be restored.
        NotCaptured = "not_captured",
        /// An undo could not bring back the index of now.
        NotSaved = "not_saved",
        /// Another commit or branch is checked out.
        HeadDiffers = "head_differs",
        /// A merge, rebase or the like is in progress.
        InProgress = "in_progress",
        /// The staged changes are not those at the end of the turns.
        Changed = "changed",
        /// The restore covers only some paths, or no files.
        NotRequested = "not_asked",
    }
}

words! {
    /// The effect of a restore on the branch.
    #[derive(Default)]
    HeadOutcome {
        /// The branch points to its earlier commit.
        Restored = "restored",
        /// The branch is unchanged.
        #[default]
        Kept = "kept",
    }
}
