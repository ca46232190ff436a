//! Why a capture or a restore did not happen.

use std::io;
use std::path::{Path, PathBuf};

use fuzzy_report::{Code, Surface};

use crate::RepoPath;

/// Why the engine refused or failed. [`Error::code`] is stable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reports a directory that is in no git worktree, or in one that cannot be captured.
    #[error("{path:?} is no git worktree: {reason}")]
    NotAWorktree {
        /// The directory asked for.
        path: PathBuf,
        /// The problem.
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
    /// Reports paths that neither of two states has.
    #[error("no file, captured or on disk, is at or below {}", some(paths))]
    NoSuchPath {
        /// The paths.
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
    /// Reports a pipe where a file is read: whoever opens it waits.
    #[error("{path:?} is a pipe or a device, not a file: git would wait for it")]
    Pipe {
        /// Where it is.
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
        /// The system's answer.
        source: io::Error,
    },
}

impl Error {
    /// Returns the code of this kind of error.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::NotAWorktree { .. } => Code::NotAWorktree,
            Self::DubiousOwnership { .. } => Code::DubiousOwnership,
            Self::ProtectedDir { .. } => Code::ProtectedDir,
            Self::TooLarge { .. } => Code::TooLarge,
            Self::Locked => Code::Locked,
            Self::Timeout { .. } => Code::Timeout,
            Self::Obstructed { .. } => Code::Obstructed,
            Self::ChangedDuring { .. } => Code::ChangedDuring,
            Self::NoSuchPath { .. } => Code::Missing,
            Self::HeadMismatch { .. } => Code::HeadMismatch,
            Self::DiskFull { .. } => Code::DiskFull,
            Self::Lost { .. } => Code::Lost,
            Self::Git { .. } => Code::Git,
            Self::Io { .. } | Self::Pipe { .. } | Self::NotWritable { .. } => Code::Io,
        }
    }

    /// Returns, in one sentence, what to do next, by the names that a surface has for it.
    #[must_use]
    pub const fn next_step(&self, surface: Surface) -> &'static str {
        use Surface::{Command, Server, Tools};
        match (self, surface) {
            (Self::NotAWorktree { .. }, Command) => {
                "Change to a git worktree, make one with `git init`, or add --sidecar: it keeps the checkpoints outside of the folder."
            }
            (Self::NotAWorktree { .. }, Tools) => {
                "Go on without checkpoints, or ask the user to make the directory a git repository."
            }
            (Self::NotAWorktree { .. }, Server) => {
                "Name a directory inside a git worktree, or make one with `git init`."
            }
            (Self::Locked, Command | Server) => "Wait until the other capture or restore has ended.",
            (Self::Locked, Tools) => "Wait until the other capture or restore has ended, then try again.",
            (Self::Obstructed { .. }, Command) => "Move these away, or restore other paths with --paths.",
            (Self::Obstructed { .. }, Tools) => "Ask the user to move away what is in the way, or restore other paths.",
            (Self::Obstructed { .. }, Server) => "Move these away, then restore.",
            (Self::ChangedDuring { .. }, Command) => {
                "`fuzzy-edit checkpoint recover` writes the other files and keeps these; `restore --abort` takes them back."
            }
            (Self::ChangedDuring { .. }, _) => "Stop what writes to the worktree, then try again.",
            (Self::NoSuchPath { .. }, Tools) => {
                "Name paths from the root of the worktree, as checkpoint_diff shows them."
            }
            (Self::NoSuchPath { .. }, _) => "Check the spelling; what is ignored or too large is in no checkpoint.",
            (Self::NotWritable { .. }, Command) => "Let it be written, or restore other paths with --paths.",
            (Self::NotWritable { .. }, Server) => "Let it be written, or restore other `paths`.",
            (Self::Pipe { .. }, Command | Server) => "Remove it, or put a file in its place.",
            (Self::Lost { .. }, Command) => "Choose another: `fuzzy-edit checkpoint list`.",
            (Self::Lost { .. }, Tools) => "Choose another one from checkpoint_list.",
            (Self::Lost { .. }, Server) => "Choose another checkpoint.",
            (
                Self::DubiousOwnership { .. }
                | Self::ProtectedDir { .. }
                | Self::TooLarge { .. }
                | Self::Timeout { .. }
                | Self::HeadMismatch { .. }
                | Self::DiskFull { .. }
                | Self::Git { .. }
                | Self::Pipe { .. }
                | Self::NotWritable { .. }
                | Self::Io { .. },
                Tools,
            ) => Surface::ASK_THE_USER,
            (Self::DubiousOwnership { .. }, _) => "If you trust its files, tell git so as it says.",
            (Self::ProtectedDir { .. }, _) => "Work in a repository of its own below this directory.",
            (Self::TooLarge { .. }, _) => "Ignore what need not be captured, build output for example, in .gitignore.",
            (Self::Timeout { .. }, _) => "Try again when the machine is less busy, or ignore large directories.",
            (Self::HeadMismatch { .. }, Command) => {
                "Go back to where the checkpoint was taken, or leave the branch: --head keep."
            }
            (Self::HeadMismatch { .. }, Server) => {
                "Go back to where the checkpoint was taken, or leave the branch as it is."
            }
            (Self::DiskFull { .. }, _) => "Free some space and try again.",
            (Self::Git { .. }, _) => "Mend what git says; `fuzzy-edit checkpoint doctor` looks for more.",
            (Self::Io { .. }, _) => {
                "Check that the directory is there and may be written; XDG_STATE_HOME names another state directory."
            }
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

impl From<fuzzy_safe_write::Error> for Error {
    fn from(error: fuzzy_safe_write::Error) -> Self {
        use fuzzy_safe_write::Error as Safe;
        match error {
            Safe::Changed { paths } => {
                Self::ChangedDuring { paths: paths.iter().map(|path| in_worktree(path)).collect() }
            }
            Safe::Stale { path } => Self::ChangedDuring { paths: vec![in_worktree(&path)] },
            Safe::OutsideRoot { path, .. } => Self::Obstructed { paths: vec![in_worktree(&path)] },
            Safe::Permission { path, problem } => Self::NotWritable { path, problem: problem.to_string() },
            Safe::State { path, source } | Safe::Io { path, source } => Self::io(path)(source),
            error => Self::Io { path: PathBuf::new(), source: io::Error::other(error) },
        }
    }
}

/// What the engine's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn in_worktree(path: &Path) -> RepoPath {
    RepoPath::new(path.as_os_str().as_encoded_bytes())
}

fn some(paths: &[RepoPath]) -> String {
    let mut text = paths.iter().take(5).map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ");
    if paths.len() > 5 {
        text.push_str(", …");
    }
    text
}
