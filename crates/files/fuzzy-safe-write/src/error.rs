//! Errors of reading and writing paths.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why no file in a directory can be replaced, and a temporary file there could not be removed.
pub(crate) const ONLY_ADDS: &str = "is in a directory to which names can only be added (chattr +a)";
/// The reason why a path cannot be read or written.
///
/// The file is unchanged in every case except [`NotTakenBack`](Self::NotTakenBack). The enum is exhaustive on purpose:
/// a caller that gives each variant a code of its own must see new variants.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file does not exist.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// The path is not a regular file.
    #[error("`{}` is {kind}, not a regular file", path.display())]
    NotAFile {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The kind of file that it is.
        kind: &'static str,
    },
    /// The file must not be read or written.
    #[error("`{}` {problem}", path.display())]
    Permission {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The forbidden action.
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
    /// Paths of a changeset differ from its plan; nothing was written.
    #[error("{} of the paths changed since they were read, `{}` first", paths.len(), first(paths))]
    Changed {
        /// All paths that differ, below the root.
        paths: Vec<PathBuf>,
    },
    /// The system does not allow this file name.
    #[error("`{}` {problem}", path.display())]
    BadName {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The problem of the name or of a directory's name.
        problem: &'static str,
    },
    /// The path leads out of the root, or into a forbidden directory.
    #[error("`{}` {problem} (the root is `{}`)", path.display(), root.display())]
    OutsideRoot {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The root.
        root: PathBuf,
        /// The problem of the path.
        problem: &'static str,
        /// Whether the path leads into a directory of git, which [`Root`](crate::Root) can permit.
        is_git: bool,
    },
    /// The file to create exists already.
    #[error("`{}` exists", path.display())]
    Exists {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// Another process holds the file and did not release it in time.
    #[error("`{}` is being written by another process", path.display())]
    Busy {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// The directory of locks and journals is not usable.
    #[error("the state of fuzzy-edit, `{}`: {source}", path.display())]
    State {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file has several hard links, and an atomic write would leave the others with the old text.
    #[error("`{}` is one of {names} hard links to the same file, and writing it would separate them", path.display())]
    HardLinks {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The number of hard links.
        names: u64,
    },
    /// A later file could not be written, and an earlier one could not be rolled back.
    #[error("{cause}; `{}` was already written and could not be rolled back: {why}", path.display())]
    NotTakenBack {
        /// The file that has its new text.
        path: PathBuf,
        /// The reason why the later file could not be written.
        cause: Box<Error>,
        /// The reason why the earlier one could not be rolled back.
        why: Box<Error>,
    },
    /// The system reported another error.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// Returns whether the cause, at any depth, is a full disk or an exceeded quota.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::State { source, .. } | Self::Io { source, .. } => fuzzy_system::is_disk_full(source),
            Self::NotTakenBack { cause, why, .. } => cause.is_disk_full() || why.is_disk_full(),
            _ => false,
        }
    }

    /// Returns the same error with the path as the caller gave it.
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

    /// Returns a function that converts an error of the system from reading `path`.
    pub(crate) fn reading<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::of_io(path, source.into(), "must not be read")
    }

    /// Returns a function that converts an error of the system from writing `path`.
    pub(crate) fn writing<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| {
            let source = source.into();
            if matches!(source.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename) {
                return Self::Io { path: path.to_owned(), source };
            }
            match Self::of_io(path, source, "cannot be replaced: its directory must not be written") {
                // The file existed when it was read.
                Self::Missing { path } => Self::Stale { path },
                error => error,
            }
        }
    }

    /// Returns a function that converts an error of the system from the state directory `path`.
    pub(crate) fn state<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::State { path: path.to_owned(), source: source.into() }
    }

    fn of_io(path: &Path, source: io::Error, problem: &'static str) -> Self {
        use io::ErrorKind::{
            InvalidFilename, InvalidInput, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, WouldBlock,
        };
        let path = path.to_owned();
        match source.kind() {
            // A name with a NUL byte or of too many bytes cannot exist either.
            NotFound | NotADirectory | InvalidInput | InvalidFilename => Self::Missing { path },
            PermissionDenied => Self::Permission { path, problem },
            // Another program has it open without sharing, or holds a lease on it.
            WouldBlock => Self::Busy { path },
            ReadOnlyFilesystem => Self::Permission { path, problem: "is on a read-only file system" },
            _ => Self::Io { path, source },
        }
    }
}

fn first(paths: &[PathBuf]) -> std::path::Display<'_> {
    paths.first().map_or(Path::new("").display(), |path| path.display())
}
