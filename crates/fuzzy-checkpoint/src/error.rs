//! Why a capture or a restore did not happen.

use std::io;
use std::path::{Path, PathBuf};

use crate::RepoPath;

/// Tells why the engine refused or failed. [`Error::code`] is stable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reports a directory that is in no git worktree, or in one that cannot be captured.
    #[error("{path:?} is no git worktree: {reason}")]
    NotAWorktree {
        /// The directory asked for.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Reports a repository owned by somebody else; git's own check, never bypassed.
    #[error("git does not trust the owner of {path:?}: {stderr}")]
    DubiousOwnership {
        /// The directory asked for.
        path: PathBuf,
        /// Git's explanation.
        stderr: String,
    },
    /// Reports a directory that is never captured as a whole, such as the home directory.
    #[error("{path:?} is never captured as a whole")]
    ProtectedDir {
        /// The root of the worktree.
        path: PathBuf,
    },
    /// Reports more paths than allowed.
    #[error("{paths} paths are more than the {limit} allowed")]
    TooLarge {
        /// How many there are.
        paths: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Reports that another capture or restore held the worktree's lock past the deadline.
    #[error("another capture or restore of this worktree holds its lock")]
    Locked,
    /// Reports a git call stopped at its deadline.
    #[error("git {command} ran for more than {seconds} s")]
    Timeout {
        /// The git verb.
        command: String,
        /// The deadline in seconds.
        seconds: u64,
    },
    /// Reports paths that exist, are in no checkpoint, and would be overwritten.
    #[error("{} paths in the way are in no checkpoint: {}", paths.len(), some(paths))]
    Obstructed {
        /// The paths in the way.
        paths: Vec<RepoPath>,
    },
    /// Reports covered paths that changed while a restore ran.
    #[error("files changed during the restore: {}", some(paths))]
    ChangedDuring {
        /// The paths, as far as they are known.
        paths: Vec<RepoPath>,
    },
    /// Reports that the branch cannot be moved back.
    #[error("the branch cannot be moved: {reason}")]
    HeadMismatch {
        /// What differs.
        reason: String,
    },
    /// Reports too little free space.
    #[error("{path:?} has too little free space")]
    DiskFull {
        /// The directory that was to be written.
        path: PathBuf,
    },
    /// Reports a checkpoint whose objects are gone.
    #[error("the checkpoint's objects are gone: {what}")]
    Lost {
        /// What was looked for.
        what: String,
    },
    /// Reports a git call that failed.
    #[error("git {command} failed with status {code}: {stderr}")]
    Git {
        /// The git verb.
        command: String,
        /// Its exit status; -1 when a signal ended it.
        code: i32,
        /// What it said.
        stderr: String,
    },
    /// Reports a failed file operation.
    #[error("{path:?}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl Error {
    /// Returns the stable code of this kind of error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAWorktree { .. } => "not_a_worktree",
            Self::DubiousOwnership { .. } => "dubious_ownership",
            Self::ProtectedDir { .. } => "protected_dir",
            Self::TooLarge { .. } => "too_large",
            Self::Locked => "locked",
            Self::Timeout { .. } => "timeout",
            Self::Obstructed { .. } => "obstructed",
            Self::ChangedDuring { .. } => "changed_during",
            Self::HeadMismatch { .. } => "head_mismatch",
            Self::DiskFull { .. } => "disk_full",
            Self::Lost { .. } => "lost",
            Self::Git { .. } => "git",
            Self::Io { .. } => "io",
        }
    }

    pub(crate) fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| {
            if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
                Self::DiskFull { path }
            } else {
                Self::Io { path, source }
            }
        }
    }
}

/// Is what the engine's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn some(paths: &[RepoPath]) -> String {
    let mut text = paths.iter().take(5).map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ");
    if paths.len() > 5 {
        text.push_str(", …");
    }
    text
}
