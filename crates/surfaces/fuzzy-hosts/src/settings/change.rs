//! A change of one settings file, and the errors of changes.

use std::path::PathBuf;

use crate::item::Entry;

/// The reason why settings cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A file cannot be read or parsed; it is not changed.
    #[error("`{path}`: {why}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file cannot be written.
    #[error("`{path}` cannot be written: {source}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: fuzzy_safe_write::Error,
    },
    /// A file of the user has the name that our file needs.
    #[error("`{path}` is a file of yours, and {host} needs a file of ours of that name")]
    Taken {
        /// The file.
        path: PathBuf,
        /// The host's name for people.
        host: &'static str,
    },
    /// Another program changed a file after it was read.
    #[error("`{path}` was changed by another program")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The host has no settings of this kind.
    #[error("{host} has no {kind}")]
    Lacking {
        /// The host's name for people.
        host: &'static str,
        /// The kind.
        kind: &'static str,
    },
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// Its text now; `None` if it does not exist.
    pub before: Option<String>,
    /// Its text after the change; `None` if it is removed.
    pub after: Option<String>,
    /// Whether the file is executable.
    pub executable: bool,
    /// The number of parent directories that are created or removed with the file.
    pub directories: usize,
    /// The file that keeps the text before the change, if the last change of the file was not ours.
    pub copy: Option<PathBuf>,
    /// The entries of ours after the change.
    pub(crate) entries: Vec<Entry>,
    /// The paths of the objects and lists that exist for them.
    pub(crate) made: Vec<Vec<String>>,
}
