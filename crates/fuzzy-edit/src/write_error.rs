//! What the errors of safe writing are to an edit.

use std::io;
use std::path::PathBuf;

use fuzzy_safe_write::Error;

use crate::FileError;

impl From<Error> for FileError {
    fn from(error: Error) -> Self {
        match error {
            Error::Missing { path } => Self::Missing { path },
            Error::NotAFile { path, kind } => Self::NotAFile { path, kind },
            Error::Permission { path, problem } => Self::Permission { path, problem },
            Error::TooLarge { path, limit } => Self::TooLarge { path, limit },
            Error::Stale { path } => Self::Stale { path },
            Error::OutsideRoot { path, root, problem } => Self::OutsideRoot { path, root, problem },
            Error::Exists { path } => Self::Exists { path },
            Error::Busy { path } => Self::Busy { path },
            Error::State { path, source } => Self::State { path, source },
            Error::HardLinks { path, names } => Self::HardLinks { path, names },
            Error::NotTakenBack { path, cause, why } => {
                Self::NotTakenBack { path, cause: Box::new((*cause).into()), why: Box::new((*why).into()) }
            }
            Error::Io { path, source } => Self::Io { path, source },
            // Batches say it of one file; this is for changesets, and for what may be added.
            Error::Changed { paths } => Self::Stale { path: paths.into_iter().next().unwrap_or_default() },
            error => Self::Io { path: PathBuf::new(), source: io::Error::other(error) },
        }
    }
}
