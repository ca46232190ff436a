//! A change of one file of settings, and the errors of changes.

use std::path::PathBuf;

/// Why settings cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A file cannot be read or understood; it stays as it is.
    #[error("`{path}`: {why}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file cannot be written.
    #[error("`{path}` cannot be written: {why}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file of the user has the name that ours needs.
    #[error("`{path}` is a hook of yours, and {host} runs one hook of that name")]
    Taken {
        /// The file.
        path: PathBuf,
        /// The host's name for people.
        host: &'static str,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// Its text now; nothing if there is no file.
    pub before: Option<String>,
    /// Its text after; nothing if the file goes.
    pub after: Option<String>,
    /// Whether the file is a program.
    pub executable: bool,
    /// The number of directories above that come or go with the file.
    pub directories: usize,
}
