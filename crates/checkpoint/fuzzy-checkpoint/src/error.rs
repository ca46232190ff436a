//! The engine's errors: why a capture or a restore failed.

use std::io;
use std::path::{Path, PathBuf};

use crate::RepoPath;

/// The reason why the engine refused or failed. The list is complete, so that an interface that words every error
/// notices a new one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reports a directory that is in no git worktree, or in one that cannot be captured.
    #[error("{path:?} is not a git worktree: {reason}")]
    NotAWorktree {
        /// The requested directory.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// Reports a repository of another owner. This is git's own check, and it is never bypassed.
    #[error("git does not trust the owner of {path:?}: {stderr}")]
    DubiousOwnership {
        /// The requested directory.
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
        /// The number of paths.
        paths: usize,
        /// The largest number of paths.
        limit: usize,
    },
    /// Reports that another capture or restore held the worktree's lock until the deadline.
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
    #[error("{}", obstructed(paths, repositories))]
    Obstructed {
        /// The paths in the way.
        paths: Vec<RepoPath>,
        /// Those of them that are repositories of their own.
        repositories: Vec<RepoPath>,
    },
    /// Reports captured paths that changed while a restore ran.
    #[error("files changed during the restore: {}", names(paths))]
    ChangedDuring {
        /// The paths, as far as they are known.
        paths: Vec<RepoPath>,
    },
    /// Reports paths that are in neither of two states.
    #[error("no captured or existing file is at or below {}", names(paths))]
    NoSuchPath {
        /// The paths.
        paths: Vec<RepoPath>,
    },
    /// Reports parts of a file's changes that do not exist.
    #[error("{path:?} has no change in one of these lines or hunks, or was created, deleted or renamed")]
    NoSuchPart {
        /// The file.
        path: RepoPath,
    },
    /// Reports that the branch cannot be moved back.
    #[error("the branch cannot be moved: {reason}")]
    HeadMismatch {
        /// The difference.
        reason: String,
    },
    /// Reports too little free space.
    #[error("{path:?} has too little free space")]
    DiskFull {
        /// The directory to write to.
        path: PathBuf,
    },
    /// Reports a file or directory of ours that exists or may exist, and cannot be read. Nothing is known of it, so
    /// nothing follows from it.
    #[error("{path:?} cannot be read: {source}")]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The system's error, or the damage.
        source: io::Error,
    },
    /// Reports a checkpoint whose objects are gone, as our own look at the store and the repository confirms.
    #[error("the checkpoint's objects are gone: {what}")]
    Lost {
        /// The missing object.
        what: String,
    },
    /// Reports that the store of a worktree's checkpoints is not there.
    #[error("the checkpoints of this worktree are in {path:?}, which does not exist here")]
    StoreMissing {
        /// The directory of the store.
        path: PathBuf,
    },
    /// Reports a git call that failed.
    #[error("git {command} failed with status {code}: {stderr}")]
    Git {
        /// The git verb.
        command: String,
        /// Its exit status; -1 if a signal ended it.
        code: i32,
        /// Its error output.
        stderr: String,
    },
    /// Reports a pipe instead of a file, because opening it would block.
    #[error("{path:?} is a pipe or a device, not a file: git would wait for it")]
    Pipe {
        /// Its path.
        path: PathBuf,
    },
    /// Reports a file or directory that a restore may not write.
    #[error("{path:?} {problem}")]
    NotWritable {
        /// The file or directory.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// Reports a failed file operation.
    #[error("{path:?}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// Returns a function that converts an error of the system about `path`.
    pub fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| {
            if fuzzy_system::is_disk_full(&source) { Self::DiskFull { path } } else { Self::Io { path, source } }
        }
    }
}

impl Error {
    /// Returns a function that converts an error of the system about a file of ours that must be readable.
    pub(crate) fn unreadable(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| match Self::io(&path)(source) {
            Self::Io { path, source } => Self::Unreadable { path, source },
            full => full,
        }
    }

    /// Returns the error for a file of ours that can be read and has another content than we write.
    pub(crate) fn damaged(path: impl AsRef<Path>, problem: &'static str) -> Self {
        Self::unreadable(path)(io::Error::other(problem))
    }

    /// Returns whether a worktree that could not be opened with this error is surely not at its place, or not ours. With
    /// any other error, it may be there.
    #[must_use]
    pub fn means_elsewhere(&self) -> bool {
        match self {
            Self::NotAWorktree { .. }
            | Self::DubiousOwnership { .. }
            | Self::ProtectedDir { .. }
            | Self::StoreMissing { .. } => true,
            Self::Io { source, .. } => crate::unreadable::means_absent(source),
            _ => false,
        }
    }
}

impl From<fuzzy_safe_write::Error> for Error {
    fn from(error: fuzzy_safe_write::Error) -> Self {
        use fuzzy_safe_write::Error as Safe;
        match error {
            Safe::Changed { paths } => {
                Self::ChangedDuring { paths: paths.iter().map(|path| in_worktree(path)).collect() }
            }
            Safe::Stale { path } => Self::ChangedDuring { paths: vec![in_worktree(&path)] },
            Safe::OutsideRoot { path, .. } => {
                Self::Obstructed { paths: vec![in_worktree(&path)], repositories: Vec::new() }
            }
            Safe::Permission { path, problem } => Self::NotWritable { path, problem: problem.to_string() },
            Safe::State { path, source } | Safe::Io { path, source } => Self::io(path)(source),
            error => Self::Io { path: PathBuf::new(), source: io::Error::other(error) },
        }
    }
}

/// The result of the engine's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn in_worktree(path: &Path) -> RepoPath {
    RepoPath::new(path.as_os_str().as_encoded_bytes())
}

fn obstructed(paths: &[RepoPath], repositories: &[RepoPath]) -> String {
    let count = match paths.len() {
        1 => "a path in the way is".to_owned(),
        count => format!("{count} paths in the way are"),
    };
    let all = format!("{count} in no checkpoint: {}", names(paths));
    match repositories {
        [] => all,
        [one] => format!("{all}; {one:?} has a .git of its own"),
        several => format!("{all}; {} have a .git of their own", names(several)),
    }
}

fn names(paths: &[RepoPath]) -> String {
    let mut text = paths.iter().take(5).map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ");
    if paths.len() > 5 {
        text.push_str(", …");
    }
    text
}
