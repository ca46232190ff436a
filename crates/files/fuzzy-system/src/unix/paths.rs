//! Functions for paths: for files of this program, and for reading metadata of others.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Access, OFlags, access, statvfs};
use rustix::io::Errno;

use crate::identity::{Fingerprint, Identity};
use crate::stat::checked;

// Names in git.

/// Returns the path below `root` for a path of git: bytes, separated by `/`.
pub fn on_disk(root: &Path, path: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(path))
}

/// Returns a path below the root in the form of git.
pub fn in_git(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// Returns whether a file can have such a path: always, for paths of git.
pub const fn may_be_named(_: &[u8]) -> bool {
    true
}

// Directories of the system.

/// Returns the directories above everything.
pub fn tops() -> Vec<PathBuf> {
    vec![PathBuf::from("/")]
}

/// Returns the user's home directory, if it is known.
pub fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

// The file at a path.

/// Returns the identity of a file, following links.
pub fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|meta| identity_in(&meta))
}

/// Returns the identity of a name, without following links.
pub fn identity_of_name(path: &Path) -> io::Result<Identity> {
    fs::symlink_metadata(path).map(|meta| identity_in(&meta))
}

/// Returns the identity of an open file.
pub fn identity_of(file: &File) -> io::Result<Identity> {
    file.metadata().map(|meta| identity_in(&meta))
}

fn identity_in(meta: &Metadata) -> Identity {
    Identity { device: meta.dev(), file: meta.ino() }
}

/// Returns the fingerprint of a file, following links.
pub fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    let meta = fs::metadata(path)?;
    Ok(Fingerprint {
        identity: identity_in(&meta),
        length: meta.len(),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    })
}

/// Returns the time of the last change of a file or its attributes, if the system has it.
pub fn change_time(meta: &Metadata) -> Option<SystemTime> {
    let seconds = Duration::from_secs(u64::try_from(meta.ctime()).ok()?);
    let nanos = Duration::from_nanos(u64::try_from(meta.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds + nanos)
}

/// Returns whether opening such an object may block: a pipe or a character device.
pub fn may_wait(kind: FileType) -> bool {
    kind.is_fifo() || kind.is_char_device()
}

/// Returns whether a file may be read.
pub fn may_read(path: &Path) -> bool {
    access(path, Access::READ_OK).is_ok()
}

/// Returns whether a directory may be listed and entered.
pub fn may_enter(directory: &Path) -> bool {
    access(directory, Access::READ_OK | Access::EXEC_OK).is_ok()
}

/// Checks that entries may be created in a directory; the error is the reason.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    Ok(access(directory, Access::WRITE_OK)?)
}

/// Returns the space that this user can still write to a directory's file system, in bytes.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    let space = statvfs(directory)?;
    Ok(space.f_bavail.saturating_mul(space.f_frsize))
}

// Modes.

/// Returns the twelve mode bits.
pub fn mode(meta: &Metadata) -> u32 {
    meta.mode() & 0o7777
}

/// Returns whether the file system of an empty file of this program keeps modes, by trying.
///
/// # Errors
///
/// Fails if that cannot be found out.
pub fn keeps_modes(file: &Path) -> io::Result<bool> {
    for wanted in [0o700, 0o600] {
        if !has(fs::set_permissions(file, Permissions::from_mode(wanted)))? {
            return Ok(false);
        }
        if fs::symlink_metadata(file)?.mode() & 0o700 != wanted {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a file system has symbolic links, by making one at `link`.
///
/// # Errors
///
/// Fails if that cannot be found out.
pub fn keeps_links(link: &Path) -> io::Result<bool> {
    has(make_link_at(link, Path::new("target")))
}

/// Returns whether a file system did something; fails unless the error is that of one that cannot.
fn has(done: io::Result<()>) -> io::Result<bool> {
    let lacks = [Errno::PERM, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS, Errno::INVAL];
    match done {
        Err(error) if Errno::from_io_error(&error).is_some_and(|error| lacks.contains(&error)) => Ok(false),
        done => done.map(|()| true),
    }
}

/// Sets the mode of a directory to that of another one.
pub fn copy_mode(from: &Path, to: &Path) -> io::Result<()> {
    fs::set_permissions(to, Permissions::from_mode(mode(&fs::metadata(from)?)))
}

/// Returns the permissions of a file that is never written again, if the system supports them.
pub fn unwritable() -> Option<Permissions> {
    Some(Permissions::from_mode(0o444))
}

/// Returns whether every user of this machine may read a file.
pub fn is_everyones(meta: &Metadata) -> bool {
    meta.mode() & 0o004 != 0
}

// Files of this program.

/// Makes a directory and its parents, which only their owner can enter.
pub fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Makes a directory and its parents likewise; an existing one loses the access of other users.
///
/// # Errors
///
/// Fails if another user owns the directory.
pub fn make_own(directory: &Path) -> io::Result<()> {
    make_private(directory)?;
    let meta = fs::metadata(directory)?;
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if meta.mode() & 0o077 != 0 {
        // A read-only file system keeps its modes.
        let _ = fs::set_permissions(directory, Permissions::from_mode(0o700));
    }
    Ok(())
}

/// Returns the options to create a file that only its owner can access.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Makes a symbolic link at `path`.
pub fn make_link_at(path: &Path, target: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Returns the target of the link at a path.
pub fn link_target(path: &Path) -> io::Result<Vec<u8>> {
    Ok(fs::read_link(path)?.into_os_string().into_vec())
}

// Opening.

/// Opens a regular file for reading; follows a link if `follow` is set.
///
/// # Errors
///
/// Fails at once if anything else has the name.
pub fn open_regular(path: &Path, follow: bool) -> io::Result<File> {
    let no_link = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    checked(unwaiting(no_link).read(true).open(path)?)
}

/// Opens a regular file to set its times: for writing, if permitted.
///
/// # Errors
///
/// Returns the errors of [`open_regular`].
pub fn open_to_touch(path: &Path) -> io::Result<File> {
    match unwaiting(OFlags::NOFOLLOW).append(true).open(path) {
        Ok(file) => checked(file),
        Err(_) => open_regular(path, false),
    }
}

/// Opens a file for appending; creates it, accessible to its owner only, if it is missing. A pipe does not block.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    unwaiting(OFlags::empty()).append(true).create(true).mode(0o600).open(path)
}

/// Opens a file for reading. A pipe does not block.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    unwaiting(OFlags::empty()).read(true).open(path)
}

fn unwaiting(flags: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.custom_flags((flags | OFlags::NONBLOCK).bits().cast_signed());
    options
}
