//! Where a file is, held so that nobody can lead it elsewhere.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::sys::{self, Directory, Kind};

/// A name in a directory that is held open; the file itself may not exist.
///
/// Whatever happens to the path meanwhile, reading and writing reach this directory and no other.
#[derive(Clone, Debug)]
pub struct FilePlace {
    pub(crate) directory: Arc<Directory>,
    /// Directories that have to be made below `directory` first.
    pub(crate) missing: Vec<OsString>,
    pub(crate) name: OsString,
    /// The absolute path without symbolic links, as it was when the directory was opened.
    pub(crate) target: PathBuf,
}

impl FilePlace {
    /// Returns the absolute path without symbolic links, as it was when the directory was opened.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns whether a regular file is there.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.missing.is_empty() && sys::look(&self.directory, &self.name).is_ok_and(|stat| stat.kind == Kind::File)
    }

    /// Returns whether the owner may execute the file that is there, if there is one.
    #[must_use]
    pub fn is_executable(&self) -> Option<bool> {
        Some(sys::look(&self.directory, &self.name).ok()?.mode & 0o100 != 0)
    }

    /// Makes changes in the directory durable.
    pub(crate) fn sync(&self) {
        // Some file systems cannot do this, and a directory may be closed to reading; the change itself is made.
        let _ = sys::sync_directory(&self.directory);
    }
}
