//! Functions for paths: for files of our own, and to look at those of others.

use std::fs::{self, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::{OpenOptionsExt, symlink_file};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use windows_sys::Win32::Storage::FileSystem::{
    FILE_ADD_FILE, FILE_FLAG_BACKUP_SEMANTICS, FILE_GENERIC_READ, FILE_READ_ATTRIBUTES, FILE_READ_DATA,
    FILE_WRITE_ATTRIBUTES,
};

use super::call;
use super::files::{SHARED, existing, existing_file, no_link, open_at};
use super::names::{in_git, plain};
use crate::identity::{Fingerprint, Identity};
use crate::stat::checked;

// Directories of the system.

/// Returns the directories that everything is below: the drives.
pub fn tops() -> Vec<PathBuf> {
    ('A'..='Z').map(|letter| PathBuf::from(format!(r"{letter}:\"))).filter(|drive| drive.is_dir()).collect()
}

/// Returns the user's home directory, where it is known: the one that git takes.
pub fn home() -> Option<PathBuf> {
    let named = ["HOME", "USERPROFILE"].map(std::env::var_os).into_iter().flatten();
    named.map(PathBuf::from).find(|home| !home.as_os_str().is_empty())
}

// The file at a path.

/// Tells a file from all others, at the end of links.
pub fn identity(path: &Path) -> io::Result<Identity> {
    identity_of(&open_any(path, FILE_READ_ATTRIBUTES)?)
}

/// Tells a file from all others; a link is one itself.
pub fn identity_of_name(path: &Path) -> io::Result<Identity> {
    identity_in(&open_at(path, existing(FILE_READ_ATTRIBUTES))?)
}

/// Tells an open file from all others.
pub fn identity_of(file: &File) -> io::Result<Identity> {
    identity_in(file)
}

fn identity_in(opened: &impl AsRawHandle) -> io::Result<Identity> {
    let it = call::identity(opened)?;
    let file = u64::from(it.nFileIndexHigh) << 32 | u64::from(it.nFileIndexLow);
    Ok(Identity { device: it.dwVolumeSerialNumber.into(), file })
}

/// Returns what tells that a file was not changed, at the end of links.
pub fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    let opened = open_any(path, FILE_READ_ATTRIBUTES)?;
    let times = call::basic(&opened)?;
    Ok(Fingerprint {
        identity: identity_of(&opened)?,
        length: opened.metadata()?.len(),
        modified: (times.LastWriteTime, 0),
        changed: (times.ChangeTime, 0),
    })
}

/// Opens a file or a directory at the end of links.
fn open_any(path: &Path, access: u32) -> io::Result<File> {
    OpenOptions::new().access_mode(access).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)
}

/// Says no: no directory holds pipes or devices.
pub const fn may_wait(_: FileType) -> bool {
    false
}

/// Returns whether a file may be read.
pub fn may_read(path: &Path) -> bool {
    File::open(path).is_ok()
}

/// Returns whether a directory may be both listed and entered.
pub fn may_enter(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok()
}

/// Says why names cannot be made in a directory.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    open_any(directory, FILE_ADD_FILE).map(drop)
}

/// Returns how many bytes this user can still write to the file system of a directory.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    call::free_space(&directory.as_os_str().encode_wide().collect::<Vec<_>>())
}

// Modes.

/// Returns the mode bits that any file would have, without those for writing where it is read-only.
pub fn mode(meta: &Metadata) -> u32 {
    if meta.is_file() && meta.permissions().readonly() { 0o444 } else { 0o666 }
}

/// Says no: there are no modes.
pub const fn keeps_modes(_: &Path) -> bool {
    false
}

/// Does nothing: a directory has no mode bits.
pub const fn copy_mode(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns none: a read-only file could not be removed.
pub const fn unwritable() -> Option<Permissions> {
    None
}

/// Says no: who may read a file is in its access list, which is as its directory's.
pub const fn is_everyones(_: &Metadata) -> bool {
    false
}

// Files of our own.

/// Makes a directory, and those above it; who may look into them is as the one above says.
pub fn make_private(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// Returns the options of a file; who may read it is as its directory says.
pub fn private_file() -> OpenOptions {
    OpenOptions::new()
}

/// Makes a symbolic link at `path`, if this account may.
pub fn make_link_at(path: &Path, target: &Path) -> io::Result<()> {
    symlink_file(target, path)
}

/// Returns where the link at a path leads. Its parts are separated as git has them.
pub fn link_target(path: &Path) -> io::Result<Vec<u8>> {
    Ok(in_git(&plain(fs::read_link(path)?)))
}

// Opening.

/// Opens a regular file to read it, at the end of a link if `follow` is set.
///
/// # Errors
///
/// Fails at once where anything else has the name.
pub fn open_regular(path: &Path, follow: bool) -> io::Result<File> {
    if follow {
        return checked(File::open(path)?);
    }
    checked(no_link(open_at(path, existing_file(FILE_GENERIC_READ, SHARED))?)?.into())
}

/// Opens a regular file to set its times.
///
/// # Errors
///
/// As [`open_regular`].
pub fn open_to_touch(path: &Path) -> io::Result<File> {
    let access = FILE_READ_DATA | FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES;
    checked(no_link(open_at(path, existing_file(access, SHARED))?)?.into())
}

/// Opens a file to add to its end, and makes it if it is not there.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

/// Opens a file to read it.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    File::open(path)
}
