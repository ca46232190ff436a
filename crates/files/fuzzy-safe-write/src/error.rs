//! Why a path cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why a path cannot be read or written.
///
/// In each case the file is as it was, but for [`NotTakenBack`](Self::NotTakenBack). Who reports it gives every kind a code
/// of its own, so that a new kind has to be seen by all of them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such file.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// The path names something else than a regular file.
    #[error("`{}` is {kind}, not a regular file", path.display())]
    NotAFile {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// The file must not be read or written.
    #[error("`{}` {problem}", path.display())]
    Permission {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What is not permitted.
        problem: &'static str,
    },
    /// The file is larger than the limit.
    #[error("`{}` is larger than the limit of {limit} bytes", path.display())]
    TooLarge {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The file changed or vanished since it was read.
    #[error("`{}` changed since it was read", path.display())]
    Stale {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// Paths of a changeset do not hold what its plan saw there; nothing was written.
    #[error("{} of the paths changed since they were read, `{}` first", paths.len(), first(paths))]
    Changed {
        /// Exactly those paths, below the root.
        paths: Vec<PathBuf>,
    },
    /// No file of this system can have the path.
    #[error("`{}` {problem}", path.display())]
    BadName {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The fault of the name, or of that of a directory.
        problem: &'static str,
    },
    /// The path leads out of the root, or into a directory that must not be written.
    #[error("`{}` {problem} (the root is `{}`)", path.display(), root.display())]
    OutsideRoot {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The root.
        root: PathBuf,
        /// What is wrong with the path.
        problem: &'static str,
    },
    /// There is a file where one was to be created.
    #[error("`{}` exists", path.display())]
    Exists {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// Another process holds the file, and did not let go of it in time.
    #[error("`{}` is being written by another process", path.display())]
    Busy {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// Locks and journals cannot be kept.
    #[error("the state of fuzzy-edit, `{}`: {source}", path.display())]
    State {
        /// The directory in question.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file has further names, which an atomic write would leave with the old text.
    #[error("`{}` is one of {names} hard links to the same file, and writing it would part them", path.display())]
    HardLinks {
        /// The path as the caller gave it.
        path: PathBuf,
        /// How many names the file has.
        names: u64,
    },
    /// A later file could not be written, and an earlier one keeps its new text.
    #[error("{cause}; `{}` was already written and could not be taken back: {why}", path.display())]
    NotTakenBack {
        /// The file that keeps its new text.
        path: PathBuf,
        /// Why the later file could not be written.
        cause: Box<Error>,
        /// Why the earlier one could not be taken back.
        why: Box<Error>,
    },
    /// The system reported another error.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// Returns whether a full disk or a used-up quota is the cause, wherever that was met.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::State { source, .. } | Self::Io { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            Self::NotTakenBack { cause, why, .. } => cause.is_disk_full() || why.is_disk_full(),
            _ => false,
        }
    }

    /// Returns the same error about a path as the caller gave it.
    pub(crate) fn about(mut self, given: &Path) -> Self {
        match &mut self {
            Self::Missing { path }
            | Self::NotAFile { path, .. }
            | Self::Permission { path, .. }
            | Self::BadName { path, .. }
            | Self::OutsideRoot { path, .. }
            | Self::Io { path, .. } => given.clone_into(path),
            _ => {}
        }
        self
    }

    /// Returns what turns the system's error while `path` was read into one of ours, by its kind.
    pub(crate) fn reading<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::of_io(path, source.into(), "must not be read")
    }

    /// Returns what turns the system's error while `path` was written into one of ours, by its kind.
    pub(crate) fn writing<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| {
            let source = source.into();
            if matches!(source.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename) {
                return Self::Io { path: path.to_owned(), source };
            }
            match Self::of_io(path, source, "cannot be replaced: its directory must not be written") {
                // It was there when it was read.
                Self::Missing { path } => Self::Stale { path },
                error => error,
            }
        }
    }

    /// Returns what turns the system's error about the state at `path` into one of ours.
    pub(crate) fn state<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::State { path: path.to_owned(), source: source.into() }
    }

    fn of_io(path: &Path, source: io::Error, problem: &'static str) -> Self {
        use io::ErrorKind::{
            InvalidFilename, InvalidInput, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, WouldBlock,
        };
        let path = path.to_owned();
        match source.kind() {
            // A name with a NUL or of too many bytes cannot exist either.
            NotFound | NotADirectory | InvalidInput | InvalidFilename => Self::Missing { path },
            PermissionDenied => Self::Permission { path, problem },
            // Another program has it open and shares it with nobody, or holds a lease on it.
            WouldBlock => Self::Busy { path },
            ReadOnlyFilesystem => Self::Permission { path, problem: "is on a read-only file system" },
            _ => Self::Io { path, source },
        }
    }
}

fn first(paths: &[PathBuf]) -> std::path::Display<'_> {
    paths.first().map_or(Path::new("").display(), |path| path.display())
}
