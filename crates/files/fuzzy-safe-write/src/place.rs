//! The place of a file, held open so that it cannot be redirected.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::sys::{self, Directory, Kind};

/// A name in a directory that is held open; the file itself may not exist.
///
/// Reads and writes reach this directory even if its path changes meanwhile.
#[derive(Clone, Debug)]
pub struct FilePlace {
    pub(crate) directory: Arc<Directory>,
    /// Directories to create below `directory` first.
    pub(crate) missing: Vec<OsString>,
    pub(crate) name: OsString,
    /// The absolute path without symbolic links at the time when the directory was opened.
    pub(crate) target: PathBuf,
}

impl FilePlace {
    /// Returns the absolute path without symbolic links at the time when the directory was opened.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns whether a regular file is there.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.missing.is_empty() && sys::look(&self.directory, &self.name).is_ok_and(|stat| stat.kind == Kind::File)
    }

    /// Returns whether the owner may execute the file, if it exists.
    #[must_use]
    pub fn is_executable(&self) -> Option<bool> {
        Some(sys::look(&self.directory, &self.name).ok()?.mode & 0o100 != 0)
    }

    /// Makes changes in the directory durable.
    pub(crate) fn sync(&self) {
        // Fails on some file systems and on unreadable directories; the change itself is made.
        let _ = sys::sync_directory(&self.directory);
    }
}
