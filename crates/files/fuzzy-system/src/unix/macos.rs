//! Functions of macOS alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{Directory, look, open, open_directory_to_read};
use crate::stat::Kind;

/// Returns the directory that this user's programs keep their state in.
pub fn state_base() -> Option<PathBuf> {
    // Without it, the crate would use the home directory of the user database.
    std::env::var_os("HOME")?;
    Some(etcetera::base_strategy::Apple::new().ok()?.data_dir())
}

/// Returns the name of the directory that was opened as `name`, as its parent has it: case and composition of letters
/// do not tell names apart here.
pub fn spelling(opened: &Directory, name: OsString) -> OsString {
    spelled(opened, &name).unwrap_or(name)
}

/// Returns a name as its directory has it, if there is a file.
pub fn spelling_of_file(directory: &Directory, name: OsString) -> OsString {
    // Of a file with further names the system may tell another one.
    let is_sure = look(directory, &name).is_ok_and(|stat| stat.kind == Kind::File && stat.names == 1);
    let file = is_sure.then(|| open(directory, &name).ok()).flatten();
    file.and_then(|file| spelled(&file, &name)).unwrap_or(name)
}

fn spelled(opened: impl AsFd, name: &OsStr) -> Option<OsString> {
    let path = rustix::fs::getpath(opened).ok()?;
    let spelled = Path::new(OsStr::from_bytes(path.to_bytes())).file_name()?;
    (spelled != name).then(|| spelled.to_owned())
}

/// Makes changes in a directory durable, beyond what the drive keeps in its own memory.
pub fn sync_directory(directory: &Directory) -> io::Result<()> {
    let directory = open_directory_to_read(directory, ".".as_ref())?;
    // Not every file system can.
    Ok(rustix::fs::fcntl_fullfsync(&directory).or_else(|_| rustix::fs::fsync(&directory))?)
}

/// Says that the system cannot make all files durable at once: each is when it is written.
#[expect(clippy::unnecessary_wraps, reason = "other systems can fail")]
pub const fn make_all_durable(_: Option<&Directory>) -> io::Result<bool> {
    Ok(false)
}

/// Returns no name: the system shows nobody who has a file open.
pub const fn open_for_writing(_: &BTreeMap<OsString, PathBuf>) -> BTreeSet<OsString> {
    BTreeSet::new()
}
