//! Functions that Linux and macOS share, for open directories and names in them.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{
    Access, AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags, RenameFlags, XattrFlags, accessat, fchmod,
    fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, flock, fsetxattr, fstat, linkat, mkdirat, openat,
    readlinkat, renameat, renameat_with, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::stat::{Kind, Stat};
use flags::{STARTING_POINT, bits, raw};

mod flags;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(target_vendor = "apple")]
mod macos;
mod paths;
mod process;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use linux::storage_of;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub use linux::{
    fixed, make_all_durable, only_adds, open_for_writing, process_age, spelling, spelling_of_file, state_base,
    sync_directory,
};
#[cfg(target_vendor = "apple")]
pub(crate) use macos::storage_of;
#[cfg(target_vendor = "apple")]
pub use macos::{
    fixed, make_all_durable, only_adds, open_for_writing, process_age, spelling, spelling_of_file, state_base,
    sync_directory,
};
pub use paths::*;
pub use process::*;

/// An open directory.
pub type Directory = OwnedFd;

/// Flags to open an existing file. Without NONBLOCK, opening a pipe waits for its other end.
const EXISTING: OFlags = OFlags::NONBLOCK.union(OFlags::NOFOLLOW).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Flags to open a directory for reading, or to change its own metadata.
const TO_READ: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

// Paths.

/// Returns the bytes that identify a path.
pub fn bytes_of(path: &OsStr) -> &[u8] {
    path.as_bytes()
}

/// Returns the path of these bytes.
pub fn path_of(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Returns the anchor of an absolute path.
pub fn anchor(path: &Path) -> Option<PathBuf> {
    path.is_absolute().then(|| PathBuf::from("/"))
}

/// Returns the directory above everything, or above most files.
pub fn top_of_all() -> PathBuf {
    PathBuf::from("/")
}

/// Returns an absolute path without prefixes that only control how it is read.
pub fn plain(path: PathBuf) -> PathBuf {
    path
}

/// Checks that a file may have this name; the error is the reason.
pub const fn check_name(_: &OsStr) -> Result<(), &'static str> {
    Ok(())
}

// Directories.

/// Opens a directory by its path, which may pass links above it.
pub fn open_top(path: &Path) -> io::Result<Directory> {
    openat(CWD, path, OFlags::RDONLY | STARTING_POINT, Mode::empty()).map_err(not_followed)
}

/// Opens the directory `name` as a starting point only. Rejects a link.
pub fn open_directory(parent: &Directory, name: &OsStr) -> io::Result<Directory> {
    openat(parent, name, STARTING_POINT, Mode::empty()).map_err(not_followed)
}

/// Opens a directory to read it, to change its own metadata, or to keep locks in it.
pub fn open_directory_to_read(parent: &Directory, name: &OsStr) -> io::Result<Directory> {
    openat(parent, name, TO_READ, Mode::empty()).map_err(not_followed)
}

/// Returns the names in a directory.
pub fn names(directory: &Directory) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::new(open_directory_to_read(directory, ".".as_ref())?)? {
        let name = OsString::from_vec(entry?.file_name().to_bytes().to_owned());
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    Ok(names)
}

/// Makes a directory with the default mode, or with `private` accessible to its owner only.
pub fn make_directory(parent: &Directory, name: &OsStr, private: bool) -> io::Result<()> {
    Ok(mkdirat(parent, name, if private { Mode::RWXU } else { Mode::from_raw_mode(0o777) })?)
}

/// Sets the mode bits of a directory.
pub fn set_directory_mode(parent: &Directory, name: &OsStr, mode: u32) -> io::Result<()> {
    Ok(fchmod(open_directory_to_read(parent, name)?, Mode::from_raw_mode(raw(mode)))?)
}

/// Removes a directory if it is empty; returns false if it is not empty or not a directory.
pub fn remove_directory(parent: &Directory, name: &OsStr) -> io::Result<bool> {
    match unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR | Errno::BUSY) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether entries of a directory may be created and removed.
pub fn may_write_in(directory: &Directory) -> bool {
    let asked = Access::WRITE_OK | Access::EXEC_OK;
    let answer = match accessat(directory, ".", asked, AtFlags::EACCESS) {
        // Old systems only check the real user.
        Err(Errno::NOSYS | Errno::INVAL) => accessat(directory, ".", asked, AtFlags::empty()),
        answer => answer,
    };
    !matches!(answer, Err(Errno::ACCESS | Errno::PERM | Errno::ROFS))
}

/// Returns whether a name may be removed from a directory where only owners may remove files.
pub fn may_take(directory: &Directory, name: &OsStr) -> bool {
    let (Ok(above), Ok(file)) = (fstat(directory), statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)) else {
        return true;
    };
    let user = rustix::process::geteuid();
    let is_sticky = Mode::from_raw_mode(above.st_mode).contains(Mode::SVTX);
    !is_sticky || user.is_root() || [above.st_uid, file.st_uid].contains(&user.as_raw())
}

// Names.

/// Returns the metadata of a name.
pub fn look(directory: &Directory, name: &OsStr) -> io::Result<Stat> {
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let mode = bits(stat.st_mode);
    let length = u64::try_from(stat.st_size).unwrap_or(0);
    #[allow(clippy::useless_conversion, reason = "its type differs between systems")]
    let names = u64::from(stat.st_nlink);
    Ok(Stat { kind: kind(mode), length, mode: mode & 0o7777, names })
}

/// Returns the target of a link; `None` if it is no link or does not exist.
pub fn read_link(directory: &Directory, name: &OsStr) -> io::Result<Option<Vec<u8>>> {
    match readlinkat(directory, name, Vec::new()) {
        Ok(target) => Ok(Some(target.into_bytes())),
        Err(Errno::INVAL | Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes a link to `target`.
pub fn make_link(directory: &Directory, name: &OsStr, target: &[u8]) -> io::Result<()> {
    Ok(symlinkat(target, directory, name)?)
}

/// Returns the error for a path with too many links.
pub fn too_many_links() -> io::Error {
    Errno::LOOP.into()
}

/// Removes a name, unless it is a directory.
pub fn remove(directory: &Directory, name: &OsStr) -> io::Result<()> {
    Ok(unlinkat(directory, name, AtFlags::empty())?)
}

/// Renames a file and replaces any file of that name.
pub fn replace(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<()> {
    Ok(renameat(from.0, from.1, to.0, to.1)?)
}

/// Renames a file and replaces another one that is [held alone](open_alone).
pub fn replace_held(from: (&Directory, &OsStr), to: (&Directory, &OsStr), _alone: File) -> io::Result<()> {
    replace(from, to)
}

/// Renames a file to a name that does not exist; returns false without a change if the file system cannot.
pub fn appear(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<bool> {
    rename_with(from, to, RenameFlags::NOREPLACE)
}

/// Exchanges the names of two files; returns false without a change if the file system cannot.
pub fn exchange(one: (&Directory, &OsStr), other: (&Directory, &OsStr)) -> io::Result<bool> {
    rename_with(one, other, RenameFlags::EXCHANGE)
}

fn rename_with(from: (&Directory, &OsStr), to: (&Directory, &OsStr), flags: RenameFlags) -> io::Result<bool> {
    match renameat_with(from.0, from.1, to.0, to.1, flags) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        done => Ok(done.map(|()| true)?),
    }
}

/// Gives a file a second name that does not exist.
pub fn link(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<()> {
    Ok(linkat(from.0, from.1, to.0, to.1, AtFlags::empty())?)
}

// Files.

/// Opens a file for reading; a link is an error, and a pipe does not block.
pub fn open(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_existing(directory, name, OFlags::RDONLY)
}

/// Opens a file for reading just before it is replaced. If the system can, it locks out writers.
pub fn open_alone(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open(directory, name)
}

/// Opens a file to overwrite its content.
pub fn open_to_overwrite(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_existing(directory, name, OFlags::WRONLY)
}

/// Opens an existing journal.
pub fn open_journal(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_existing(directory, name, OFlags::RDWR)
}

fn open_existing(directory: &Directory, name: &OsStr, flags: OFlags) -> io::Result<File> {
    Ok(openat(directory, name, flags | EXISTING, Mode::empty())?.into())
}

/// Makes a file with at most the bits `mode`, to write it and to set its attributes.
pub fn create(directory: &Directory, name: &OsStr, mode: u32) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(directory, name, flags, Mode::from_raw_mode(raw(mode)))?.into())
}

/// Makes a journal that only its owner can access.
pub fn create_journal(directory: &Directory, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}

/// Opens a lock file that only its owner can access; creates it if it is missing.
pub fn open_lock(directory: &Directory, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}

/// Returns whether a file may be written, as far as the system knows.
pub fn may_write(directory: &Directory, name: &OsStr) -> bool {
    let access = accessat(directory, name, Access::WRITE_OK, AtFlags::empty());
    !matches!(access, Err(Errno::ACCESS | Errno::PERM | Errno::ROFS))
}

/// Returns the metadata of an open file.
pub fn stat(file: &File) -> io::Result<Stat> {
    let metadata = file.metadata()?;
    let mode = metadata.mode();
    Ok(Stat { kind: kind(mode), length: metadata.len(), mode: mode & 0o7777, names: metadata.nlink() })
}

/// Sets the mode bits of an open file.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Returns whether an error means that the file system has no modes.
pub fn keeps_no_modes(error: &io::Error) -> bool {
    let error = Errno::from_io_error(error);
    matches!(error, Some(Errno::PERM | Errno::ACCESS | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL))
}

/// Writes at an offset of a file.
pub fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Returns whether `name` still refers to this open file.
pub fn is_linked(directory: &Directory, name: &OsStr, file: &File) -> bool {
    let Ok(ours) = file.metadata() else { return false };
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.is_ok_and(|stat| is_same(&ours, &stat))
}

#[allow(clippy::cast_sign_loss, clippy::unnecessary_cast, reason = "its type differs between systems")]
fn is_same(ours: &Metadata, stat: &rustix::fs::Stat) -> bool {
    stat.st_ino == ours.ino() && stat.st_dev as u64 == ours.dev()
}

// Locks.

/// Waits for the lock of a file.
pub fn lock(file: &File) -> io::Result<()> {
    Ok(flock(file, FlockOperation::LockExclusive)?)
}

/// Takes the lock of a file; returns false if it is held.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Ok(false),
        done => Ok(done.map(|()| true)?),
    }
}

/// Releases the lock of a file.
pub fn unlock(file: &File) {
    let _ = flock(file, FlockOperation::Unlock);
}

// Attributes.

/// Name and value of an extended attribute.
type Extended = (Vec<u8>, Vec<u8>);

/// The owner of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    owner: u32,
    group: u32,
}

impl Owner {
    /// Returns the owner of a file and its mode bits.
    pub fn and_mode(file: &File) -> io::Result<(Self, u32)> {
        let metadata = file.metadata()?;
        Ok((Self { owner: metadata.uid(), group: metadata.gid() }, metadata.mode() & 0o7777))
    }

    /// Sets the owner of a new file if the system permits it; returns whether the file has that owner.
    pub fn give(&self, file: &File) -> io::Result<bool> {
        let fresh = file.metadata()?;
        if (fresh.uid(), fresh.gid()) != (self.owner, self.group)
            && fchown(file, Some(self.owner), Some(self.group)).is_err()
        {
            // Only the superuser can change the owner, but every user may choose among their own groups.
            let _ = fchown(file, None, Some(self.group));
            return Ok(false);
        }
        Ok(true)
    }
}

/// Returns the extended attributes of a file by name; none if the system has none or hides them.
pub fn extended(file: &File) -> io::Result<Vec<Extended>> {
    match attributes(file) {
        Err(error) if has_none(error) => Ok(Vec::new()),
        attributes => Ok(attributes?),
    }
}

/// Sets an extended attribute of a file, if the system permits it.
pub fn set_extended(file: &File, name: &[u8], value: &[u8]) -> io::Result<()> {
    match fsetxattr(file, name, value, XattrFlags::empty()) {
        Err(error) if has_none(error) => Ok(()),
        done => Ok(done?),
    }
}

fn has_none(error: Errno) -> bool {
    matches!(error, Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NOSYS)
}

fn attributes(file: &File) -> Result<Vec<Extended>, Errno> {
    let mut names = vec![0; flistxattr_query(file)?];
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let length = flistxattr(file, &mut names[..])?;
    let mut extended = Vec::new();
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; fgetxattr_query(file, name)?];
        let length = fgetxattr(file, name, &mut value[..])?;
        value.truncate(length);
        extended.push((name.to_owned(), value));
    }
    Ok(extended)
}

// The state.

/// Opens a directory of the state by its path; rejects a link.
pub fn open_state(path: &Path) -> io::Result<Directory> {
    openat(CWD, path, TO_READ, Mode::empty()).map_err(not_followed)
}

/// Makes a directory of the state that only its owner can access.
pub fn make_state(path: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

/// Returns whether this user owns a directory; removes the access of all others.
pub fn is_own(directory: &Directory) -> bool {
    let Ok(stat) = fstat(directory) else { return false };
    let is_closed = !Mode::from_raw_mode(stat.st_mode).intersects(Mode::RWXG | Mode::RWXO);
    stat.st_uid == rustix::process::geteuid().as_raw() && (is_closed || fchmod(directory, Mode::RWXU).is_ok())
}

/// Returns text that distinguishes this user from others of this machine.
pub fn user() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

/// Converts the error for a link in place of a directory to "not a directory".
fn not_followed(error: Errno) -> io::Error {
    if error == Errno::LOOP { Errno::NOTDIR.into() } else { error.into() }
}

fn kind(mode: u32) -> Kind {
    match FileType::from_raw_mode(raw(mode)) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        FileType::Fifo => Kind::Other("a pipe"),
        FileType::Socket => Kind::Other("a socket"),
        _ => Kind::Other("a device"),
    }
}
