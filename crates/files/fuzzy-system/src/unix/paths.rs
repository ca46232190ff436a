//! Functions for paths: for files of our own, and to look at those of others.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, OFlags, access, statvfs};

use crate::identity::{Fingerprint, Identity};
use crate::stat::checked;

// Names in git.

/// Returns the place below `root` of a path as git has it: bytes, whose parts `/` separates.
pub fn on_disk(root: &Path, path: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(path))
}

/// Returns a path below the root as git has it.
pub fn in_git(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// Returns whether a file here can have such a path: each that git knows can.
pub const fn may_be_named(_: &[u8]) -> bool {
    true
}

// Directories of the system.

/// Returns the directories that everything is below.
pub fn tops() -> Vec<PathBuf> {
    vec![PathBuf::from("/")]
}

/// Returns the user's home directory, where it is known.
pub fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

// The file at a path.

/// Tells a file from all others, at the end of links.
pub fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|meta| identity_in(&meta))
}

/// Tells a file from all others; a link is one itself.
pub fn identity_of_name(path: &Path) -> io::Result<Identity> {
    fs::symlink_metadata(path).map(|meta| identity_in(&meta))
}

/// Tells an open file from all others.
pub fn identity_of(file: &File) -> io::Result<Identity> {
    file.metadata().map(|meta| identity_in(&meta))
}

fn identity_in(meta: &Metadata) -> Identity {
    Identity { device: meta.dev(), file: meta.ino() }
}

/// Returns what tells that a file was not changed, at the end of links.
pub fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    let meta = fs::metadata(path)?;
    Ok(Fingerprint {
        identity: identity_in(&meta),
        length: meta.len(),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    })
}

/// Returns whether opening something of this type may wait for someone else: a pipe, or a device that is read byte by
/// byte.
pub fn may_wait(kind: FileType) -> bool {
    kind.is_fifo() || kind.is_char_device()
}

/// Returns whether a file may be read.
pub fn may_read(path: &Path) -> bool {
    access(path, Access::READ_OK).is_ok()
}

/// Returns whether a directory may be both listed and entered.
pub fn may_enter(directory: &Path) -> bool {
    access(directory, Access::READ_OK | Access::EXEC_OK).is_ok()
}

/// Says why names cannot be made in a directory.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    Ok(access(directory, Access::WRITE_OK)?)
}

/// Returns how many bytes this user can still write to the file system of a directory.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    let space = statvfs(directory)?;
    Ok(space.f_bavail.saturating_mul(space.f_frsize))
}

// Modes.

/// Returns the twelve mode bits.
pub fn mode(meta: &Metadata) -> u32 {
    meta.mode() & 0o7777
}

/// Returns whether the file system at an empty file of ours keeps modes, which it tries.
pub fn keeps_modes(file: &Path) -> bool {
    [0o700, 0o600].iter().all(|wanted| {
        let set = fs::set_permissions(file, Permissions::from_mode(*wanted));
        set.is_ok() && fs::symlink_metadata(file).is_ok_and(|meta| meta.mode() & 0o700 == *wanted)
    })
}

/// Gives a directory the mode of another one.
pub fn copy_mode(from: &Path, to: &Path) -> io::Result<()> {
    fs::set_permissions(to, Permissions::from_mode(mode(&fs::metadata(from)?)))
}

/// Returns the permissions to make a file with that nobody is to write to, where the system takes any.
pub fn unwritable() -> Option<Permissions> {
    Some(Permissions::from_mode(0o444))
}

/// Returns whether everyone on this machine may read a file.
pub fn is_everyones(meta: &Metadata) -> bool {
    meta.mode() & 0o004 != 0
}

// Files of our own.

/// Makes a directory, and those above it, that only its owner may enter.
pub fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Returns the options of a file that is open to its owner alone if it is made.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Makes a symbolic link at `path`.
pub fn make_link_at(path: &Path, target: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Returns where the link at a path leads.
pub fn link_target(path: &Path) -> io::Result<Vec<u8>> {
    Ok(fs::read_link(path)?.into_os_string().into_vec())
}

// Opening.

/// Opens a regular file to read it, at the end of a link if `follow` is set.
///
/// # Errors
///
/// Fails at once where anything else has the name.
pub fn open_regular(path: &Path, follow: bool) -> io::Result<File> {
    let no_link = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    checked(unwaiting(no_link).read(true).open(path)?)
}

/// Opens a regular file to set its times: for writing, if it may be written.
///
/// # Errors
///
/// As [`open_regular`].
pub fn open_to_touch(path: &Path) -> io::Result<File> {
    match unwaiting(OFlags::NOFOLLOW).append(true).open(path) {
        Ok(file) => checked(file),
        Err(_) => open_regular(path, false),
    }
}

/// Opens a file to add to its end, and makes it, open to its owner alone, if it is not there. A pipe is not waited for.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    unwaiting(OFlags::empty()).append(true).create(true).mode(0o600).open(path)
}

/// Opens a file to read it. A pipe is not waited for.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    unwaiting(OFlags::empty()).read(true).open(path)
}

fn unwaiting(flags: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.custom_flags((flags | OFlags::NONBLOCK).bits().cast_signed());
    options
}
