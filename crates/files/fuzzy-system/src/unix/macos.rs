//! Functions for macOS only.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{Directory, look, open, open_directory_to_read};
use crate::stat::Kind;
use crate::storage::Storage;

/// Returns the directory for the state of this user's programs.
pub fn state_base() -> Option<PathBuf> {
    // Without this check, the crate would use the home directory of the user database.
    std::env::var_os("HOME")?;
    Some(etcetera::base_strategy::Apple::new().ok()?.data_dir())
}

/// Returns the kind of storage of an existing directory.
pub(crate) fn storage_of(directory: &Path) -> io::Result<Storage> {
    /// The flag of a local file system.
    const LOCAL: u32 = 0x1000;
    let flags = rustix::fs::statfs(directory)?.f_flags;
    Ok(if flags & LOCAL == 0 { Storage::Remote } else { Storage::Disk })
}

/// Returns the name of the directory opened as `name`, as its parent stores it: macOS ignores case and composition when
/// it compares names.
pub fn spelling(opened: &Directory, name: OsString) -> OsString {
    spelled(opened, &name).unwrap_or(name)
}

/// Returns a name as its directory stores it, if the file exists.
pub fn spelling_of_file(directory: &Directory, name: OsString) -> OsString {
    // For a file with several hard links the system may return another of its names.
    let is_sure = look(directory, &name).is_ok_and(|stat| stat.kind == Kind::File && stat.names == 1);
    let file = is_sure.then(|| open(directory, &name).ok()).flatten();
    file.and_then(|file| spelled(&file, &name)).unwrap_or(name)
}

fn spelled(opened: impl AsFd, name: &OsStr) -> Option<OsString> {
    let path = rustix::fs::getpath(opened).ok()?;
    let spelled = Path::new(OsStr::from_bytes(path.to_bytes())).file_name()?;
    (spelled != name).then(|| spelled.to_owned())
}

/// Makes changes in a directory durable, with a flush of the drive's cache.
pub fn sync_directory(directory: &Directory) -> io::Result<()> {
    let directory = open_directory_to_read(directory, ".".as_ref())?;
    // Not every file system supports it.
    Ok(rustix::fs::fcntl_fullfsync(&directory).or_else(|_| rustix::fs::fsync(&directory))?)
}

/// Returns false: the system cannot make all files durable at once, so each is when it is written.
#[expect(clippy::unnecessary_wraps, reason = "other systems can fail")]
pub const fn make_all_durable(_: Option<&Directory>) -> io::Result<bool> {
    Ok(false)
}

/// Returns the time since another process started this one; it is not known on this system.
pub const fn process_age() -> Option<std::time::Duration> {
    None
}

/// Returns the reason why a file cannot be replaced or removed although its directory may be written; it is not known
/// before the attempt.
pub const fn fixed(_: &Directory, _: &OsStr) -> Option<&'static str> {
    None
}

/// Returns false: the attempt to replace a file fails.
pub const fn only_adds(_: &Directory) -> bool {
    false
}

/// Returns no names: the system does not reveal which processes have a file open.
pub const fn open_for_writing(_: &BTreeMap<OsString, PathBuf>) -> BTreeSet<OsString> {
    BTreeSet::new()
}
