//! Where a file is, held so that nobody can lead it elsewhere.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

/// A name in a directory that is held open; the file itself may not exist.
///
/// Whatever happens to the path meanwhile, reading and writing reach this directory and no other.
#[derive(Clone, Debug)]
pub struct FilePlace {
    pub(crate) directory: Arc<OwnedFd>,
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
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        self.missing.is_empty()
            && statat(&*self.directory, &self.name, flags)
                .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_file())
    }

    /// Makes changes in the directory durable.
    pub(crate) fn sync(&self) {
        // Some file systems cannot do this, and a directory may be closed to reading; the change itself is made.
        let _ = open_to_read(&self.directory, ".".as_ref()).and_then(rustix::fs::fsync);
    }
}

/// Opens the directory `name` of `parent`, for use as a starting point only; never follows a symbolic link.
pub(crate) fn open_directory(parent: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(parent, name, DIRECTORY, Mode::empty())
}

/// Opens the directory `name` of `parent` to read it, or to change what it is itself; never follows a symbolic link.
pub(crate) fn open_to_read(parent: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// How directories are opened that only serve as starting points. Where the system can, without asking to read them.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) const DIRECTORY: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// How directories are opened that only serve as starting points.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
