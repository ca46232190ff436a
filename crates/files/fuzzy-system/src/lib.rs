//! All differences between Linux, macOS and Windows. Other crates have no `cfg` for systems and no system calls.
//!
//! Each system has the same functions. Functions that take a directory and a name look the name up in that directory
//! only, and follow no link. Functions that take a path are for files of this program, and for reading metadata.
//!
//! Every error is an error of the system, unless a function documents another one.
#![allow(clippy::missing_errors_doc, reason = "every error is an error of the system")]
#![allow(clippy::must_use_candidate, reason = "nearly every function is a query")]

mod beneath;
mod identity;
mod stat;
mod storage;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use beneath::Beneath;
pub use identity::{Fingerprint, Identity};
pub use stat::{Kind, Stat};
pub use storage::Storage;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

use std::io;
use std::path::{Path, PathBuf};

/// Returns the kind of storage of a directory, or of its nearest parent that exists.
pub fn storage(directory: &Path) -> io::Result<Storage> {
    let found = directory.ancestors().find(|above| above.is_dir()).unwrap_or(directory);
    storage_of(found)
}

/// Returns the time at which a file was last written, in milliseconds since 1970, if it is known.
pub fn modified_ms(path: &Path) -> Option<i64> {
    let written = std::fs::symlink_metadata(path).and_then(|meta| meta.modified()).ok()?;
    i64::try_from(written.duration_since(std::time::SystemTime::UNIX_EPOCH).ok()?.as_millis()).ok()
}

/// Returns whether the disk has no space or no inodes, or the user's quota is exceeded.
#[must_use]
pub fn is_disk_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Returns a path without links, in the system's spelling and in the form that other programs read.
pub fn canonical(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    std::fs::canonicalize(path).map(plain)
}
