//! Functions for paths: for files of this program, and for reading metadata of others.

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
use crate::canonical;
use crate::identity::{Fingerprint, Identity};
use crate::stat::checked;
use crate::storage::Storage;

// Directories of the system.

/// Returns the directories above everything: the drives.
pub fn tops() -> Vec<PathBuf> {
    ('A'..='Z').map(|letter| PathBuf::from(format!(r"{letter}:\"))).filter(|drive| drive.is_dir()).collect()
}

/// Returns the user's home directory, if it is known: the same as for git.
pub fn home() -> Option<PathBuf> {
    let named = ["HOME", "USERPROFILE"].map(std::env::var_os).into_iter().flatten();
    named.map(PathBuf::from).find(|home| !home.as_os_str().is_empty())
}

// The file at a path.

/// Returns the identity of a file, following links.
pub fn identity(path: &Path) -> io::Result<Identity> {
    identity_of(&open_any(path, FILE_READ_ATTRIBUTES)?)
}

/// Returns the identity of a name, without following links.
pub fn identity_of_name(path: &Path) -> io::Result<Identity> {
    identity_in(&open_at(path, existing(FILE_READ_ATTRIBUTES))?)
}

/// Returns the identity of an open file.
pub fn identity_of(file: &File) -> io::Result<Identity> {
    identity_in(file)
}

fn identity_in(opened: &impl AsRawHandle) -> io::Result<Identity> {
    let it = call::identity(opened)?;
    let file = u64::from(it.nFileIndexHigh) << 32 | u64::from(it.nFileIndexLow);
    Ok(Identity { device: it.dwVolumeSerialNumber.into(), file })
}

/// Returns the fingerprint of a file, following links.
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

/// Opens a file or a directory, following links.
fn open_any(path: &Path, access: u32) -> io::Result<File> {
    OpenOptions::new().access_mode(access).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)
}

/// Returns false: directories have no pipes or devices.
pub const fn may_wait(_: FileType) -> bool {
    false
}

/// Returns whether a file may be read.
pub fn may_read(path: &Path) -> bool {
    File::open(path).is_ok()
}

/// Returns whether a directory may be listed and entered.
pub fn may_enter(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok()
}

/// Checks that entries may be created in a directory; the error is the reason.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    open_any(directory, FILE_ADD_FILE).map(drop)
}

/// Returns the space that this user can still write to a directory's file system, in bytes.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    call::free_space(&directory.as_os_str().encode_wide().collect::<Vec<_>>())
}

/// Returns the kind of storage of an existing directory.
pub(crate) fn storage_of(directory: &Path) -> io::Result<Storage> {
    let top = canonical(directory)?.ancestors().last().map(Path::to_owned).unwrap_or_default();
    Ok(call::storage_of_drive(&top.as_os_str().encode_wide().collect::<Vec<_>>()))
}

// Modes.

/// Returns the default mode bits, without the write bits for a read-only file.
pub fn mode(meta: &Metadata) -> u32 {
    if meta.is_file() && meta.permissions().readonly() { 0o444 } else { 0o666 }
}

/// Returns false: there are no modes.
///
/// # Errors
///
/// Never fails.
pub const fn keeps_modes(_: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Returns whether this user may make symbolic links, by making one at `link`.
///
/// # Errors
///
/// Never fails.
pub fn keeps_links(link: &Path) -> io::Result<bool> {
    Ok(make_link_at(link, Path::new("target")).is_ok())
}

/// Does nothing: a directory has no mode bits.
pub const fn copy_mode(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns `None`: a read-only file could not be removed.
pub const fn unwritable() -> Option<Permissions> {
    None
}

/// Returns false: files inherit the access list of their directory.
pub const fn is_everyones(_: &Metadata) -> bool {
    false
}

// Files of this program.

/// Makes a directory and its parents, which inherit their access lists.
pub fn make_private(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// Makes a directory and its parents likewise: access lists replace owners.
pub fn make_own(directory: &Path) -> io::Result<()> {
    make_private(directory)
}

/// Returns the options to create a file, which inherits the access list of its directory.
pub fn private_file() -> OpenOptions {
    OpenOptions::new()
}

/// Makes a symbolic link at `path`, if this account may.
pub fn make_link_at(path: &Path, target: &Path) -> io::Result<()> {
    symlink_file(target, path)
}

/// Returns the target of the link at a path. Its parts are separated by `/`, as in git.
pub fn link_target(path: &Path) -> io::Result<Vec<u8>> {
    Ok(in_git(&plain(fs::read_link(path)?)))
}

// Opening.

/// Opens a regular file for reading; follows a link if `follow` is set.
///
/// # Errors
///
/// Fails at once if anything else has the name.
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
/// Returns the errors of [`open_regular`].
pub fn open_to_touch(path: &Path) -> io::Result<File> {
    let access = FILE_READ_DATA | FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES;
    checked(no_link(open_at(path, existing_file(access, SHARED))?)?.into())
}

/// Returns the time of the last change of a file or its attributes, if the system has it.
pub const fn change_time(_: &Metadata) -> Option<std::time::SystemTime> {
    None
}

/// Opens a file for appending; creates it if it is missing.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

/// Opens a file for reading.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    File::open(path)
}
