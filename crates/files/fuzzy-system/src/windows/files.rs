//! Functions for open directories and names in them.
//!
//! Windows cannot exchange two files. A new file replaces the old one in one step after the old one was compared, and
//! no program can write to the old one in between; see [`open_alone`].

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::fs::FileExt;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use windows_sys::Wdk::Storage::FileSystem::{
    FILE_CREATE, FILE_DIRECTORY_FILE, FILE_NON_DIRECTORY_FILE, FILE_OPEN, FILE_OPEN_FOR_BACKUP_INTENT, FILE_OPEN_IF,
    FILE_OPEN_REPARSE_POINT,
};
use windows_sys::Win32::Foundation::ERROR_CANT_RESOLVE_FILENAME;
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_ADD_FILE, FILE_ATTRIBUTE_DEVICE, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_HIDDEN,
    FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_NOT_CONTENT_INDEXED, FILE_ATTRIBUTE_READONLY, FILE_ATTRIBUTE_SYSTEM,
    FILE_BASIC_INFO, FILE_GENERIC_READ, FILE_GENERIC_WRITE, FILE_LIST_DIRECTORY, FILE_READ_ATTRIBUTES,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_TRAVERSE, FILE_WRITE_DATA, WRITE_DAC,
};

use super::call::{self, How, Status};
use super::names::{anchor, in_git, native, plain};
use crate::stat::{Kind, Stat};

/// An open directory.
pub type Directory = OwnedHandle;

/// Other programs keep full access.
pub(super) const SHARED: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Other programs keep all access except writing.
const ALONE: u32 = FILE_SHARE_READ | FILE_SHARE_DELETE;

/// The time to wait for another program that has a file open: programs that read every changed file, such as virus
/// scanners, need a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// The pause between two attempts: at first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));

/// Parameters to open an existing name.
pub(super) const fn existing(access: u32) -> How {
    let options = FILE_OPEN_REPARSE_POINT | FILE_OPEN_FOR_BACKUP_INTENT;
    How { access, share: SHARED, disposition: FILE_OPEN, options }
}

/// Parameters to open an existing file.
pub(super) const fn existing_file(access: u32, share: u32) -> How {
    let How { disposition, options, .. } = existing(access);
    How { access, share, disposition, options: options | FILE_NON_DIRECTORY_FILE }
}

/// Parameters to create a file.
const fn fresh_file(access: u32, share: u32) -> How {
    How { access, share, disposition: FILE_CREATE, options: FILE_OPEN_REPARSE_POINT | FILE_NON_DIRECTORY_FILE }
}

/// Parameters to open a directory.
const DIRECTORY: How = {
    let How { share, disposition, options, .. } = existing(0);
    let access = FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES;
    How { access, share, disposition, options: options | FILE_DIRECTORY_FILE }
};

/// Retries for a limited time while another program is in the way.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, Status>) -> io::Result<T> {
    let begun = Instant::now();
    let mut pause = PAUSE.0;
    loop {
        match attempt() {
            Err(status) if (status.is_held() || status.is_delete_pending()) && begun.elapsed() < PATIENCE => {
                thread::sleep(pause);
                pause = (pause * 2).min(PAUSE.1);
            }
            Err(status) if status.is_held() => return Err(ErrorKind::WouldBlock.into()),
            Err(status) if status.is_delete_pending() => return Err(ErrorKind::NotFound.into()),
            done => return Ok(done?),
        }
    }
}

fn open_by(directory: &Directory, name: &OsStr, how: How) -> io::Result<OwnedHandle> {
    open_from(Some(directory), name, how)
}

/// Opens a file or a directory by its path; opens a link at its end itself.
pub(super) fn open_at(path: &Path, how: How) -> io::Result<OwnedHandle> {
    open_from(None, &native(path)?, how)
}

fn open_from(directory: Option<&Directory>, name: &OsStr, how: How) -> io::Result<OwnedHandle> {
    let wide: Vec<u16> = name.encode_wide().collect();
    let from = directory.map(Directory::as_raw_handle);
    let opened = patiently(|| call::open(from, &wide, how))?;
    match call::tag(&opened)? {
        // It is no link, but a storage format that only the system can read.
        (_, Some(tag)) if !is_link(tag) => {
            let how = How { options: how.options & !FILE_OPEN_REPARSE_POINT, disposition: FILE_OPEN, ..how };
            patiently(|| call::open(from, &wide, how))
        }
        _ => Ok(opened),
    }
}

/// Returns whether a reparse point of this kind leads to another name, as symbolic links and junctions do.
const fn is_link(tag: u32) -> bool {
    tag & 0x2000_0000 != 0
}

/// Rejects a link.
pub(super) fn no_link(opened: OwnedHandle) -> io::Result<OwnedHandle> {
    match call::tag(&opened)? {
        (_, Some(tag)) if is_link(tag) => Err(ErrorKind::NotADirectory.into()),
        _ => Ok(opened),
    }
}

fn at(handle: &OwnedHandle) -> Option<PathBuf> {
    call::path(handle).ok().map(|path| OsString::from_wide(&path).into())
}

// Paths.

/// Returns the directory above everything, or above most files.
pub fn top_of_all() -> PathBuf {
    let current = std::env::current_dir().ok();
    current.and_then(|current| anchor(&current)).unwrap_or_else(|| PathBuf::from(r"C:\"))
}

/// Returns the name of the directory opened as `name`, as its parent stores it: Windows ignores letter case, and a name
/// may have a short form.
pub fn spelling(opened: &Directory, name: OsString) -> OsString {
    spelled(opened).unwrap_or(name)
}

/// Returns a name as its directory stores it, if the file exists.
pub fn spelling_of_file(directory: &Directory, name: OsString) -> OsString {
    let how = existing_file(FILE_READ_ATTRIBUTES, SHARED);
    let opened = open_by(directory, &name, how).ok();
    opened.and_then(|opened| spelled(&opened)).unwrap_or(name)
}

fn spelled(opened: &OwnedHandle) -> Option<OsString> {
    at(opened)?.file_name().map(OsStr::to_owned)
}

// Directories.

/// Opens a directory by its path, which may pass links above it.
pub fn open_top(path: &Path) -> io::Result<Directory> {
    let native: Vec<u16> = native(path)?.encode_wide().collect();
    let opened = patiently(|| call::open(None, &native, DIRECTORY))?;
    // A drive may be a link, which other programs cannot redirect.
    if anchor(path).is_some_and(|anchor| anchor == path) { Ok(opened) } else { no_link(opened) }
}

/// Opens the directory `name`. Rejects a link.
pub fn open_directory(parent: &Directory, name: &OsStr) -> io::Result<Directory> {
    no_link(open_by(parent, name, DIRECTORY)?)
}

/// Opens a directory to read it, or to keep locks in it.
pub fn open_directory_to_read(parent: &Directory, name: &OsStr) -> io::Result<Directory> {
    open_directory(parent, name)
}

/// Returns the names in a directory.
pub fn names(directory: &Directory) -> io::Result<Vec<OsString>> {
    let names = call::names(directory)?.into_iter().map(|name| OsString::from_wide(&name));
    Ok(names.filter(|name| name != "." && name != "..").collect())
}

/// Makes a directory, which inherits the access list of its parent.
pub fn make_directory(parent: &Directory, name: &OsStr, _private: bool) -> io::Result<()> {
    open_by(parent, name, How { disposition: FILE_CREATE, ..DIRECTORY }).map(drop)
}

/// Does nothing: a directory has no mode bits.
pub const fn set_directory_mode(_: &Directory, _: &OsStr, _: u32) -> io::Result<()> {
    Ok(())
}

/// Removes a directory if it is empty; returns false if it is not empty or not a directory.
pub fn remove_directory(parent: &Directory, name: &OsStr) -> io::Result<bool> {
    let how = How { access: DELETE | FILE_READ_ATTRIBUTES, ..DIRECTORY };
    let removed = open_by(parent, name, how).and_then(no_link).and_then(|it| patiently(|| call::remove(&it)));
    match removed.as_ref().map_err(io::Error::kind) {
        Ok(()) | Err(ErrorKind::NotFound) => Ok(true),
        Err(ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory | ErrorKind::WouldBlock) => Ok(false),
        Err(_) => removed.map(|()| true),
    }
}

/// Returns whether entries of a directory may be created and removed.
pub fn may_write_in(directory: &Directory) -> bool {
    let answer = open_by(directory, "".as_ref(), How { access: FILE_ADD_FILE, ..DIRECTORY });
    answer.map_or_else(|error| error.kind() != ErrorKind::PermissionDenied, |_| true)
}

/// Returns false: the system has no such directories.
pub const fn only_adds(_: &Directory) -> bool {
    false
}

/// Returns true: the system checks this when the name is removed.
pub const fn may_take(_: &Directory, _: &OsStr) -> bool {
    true
}

/// Makes changes in a directory durable, if the file system can; NTFS keeps them in order in a journal of its own.
pub fn sync_directory(directory: &Directory) -> io::Result<()> {
    let opened = open_by(directory, "".as_ref(), How { access: FILE_ADD_FILE, ..DIRECTORY });
    let _ = opened.and_then(|opened| call::flush(&opened));
    Ok(())
}

/// Returns false: the system cannot make all files durable at once, so each is when it is written.
pub const fn make_all_durable(_: Option<&Directory>) -> io::Result<bool> {
    Ok(false)
}

// Names.

/// Returns the metadata of a name.
pub fn look(directory: &Directory, name: &OsStr) -> io::Result<Stat> {
    let stat = stat_of(&open_by(directory, name, existing(FILE_READ_ATTRIBUTES))?)?;
    if stat.kind != Kind::Link {
        return Ok(stat);
    }
    let length = read_link(directory, name)?.map_or(0, |target| target.len() as u64);
    Ok(Stat { length, ..stat })
}

/// Returns the target of a link; `None` if it is no link or does not exist.
///
/// Its parts are separated by `/`, as in git.
pub fn read_link(directory: &Directory, name: &OsStr) -> io::Result<Option<Vec<u8>>> {
    let opened = match open_by(directory, name, existing(FILE_READ_ATTRIBUTES)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    if stat_of(&opened)?.kind != Kind::Link {
        return Ok(None);
    }
    // The target is walked like any other path, so a redirection of this path is harmless.
    let path = at(directory).ok_or(ErrorKind::NotFound)?.join(name);
    match std::fs::read_link(path) {
        Ok(target) => Ok(Some(in_git(&plain(target)))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a link to `target`, if this account may.
pub fn make_link(directory: &Directory, name: &OsStr, target: &[u8]) -> io::Result<()> {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    let above = at(directory).ok_or(ErrorKind::NotFound)?;
    let target = PathBuf::from(String::from_utf8_lossy(target).replace('/', "\\"));
    let is_directory = above.join(&target).is_dir();
    let made =
        if is_directory { symlink_dir(target, above.join(name)) } else { symlink_file(target, above.join(name)) };
    made.map_err(|error| match error.raw_os_error().map(i32::cast_unsigned) {
        Some(windows_sys::Win32::Foundation::ERROR_PRIVILEGE_NOT_HELD) => io::Error::new(
            ErrorKind::Unsupported,
            "this account may not create symbolic links; turn on the Developer Mode of Windows, or leave links out",
        ),
        _ => error,
    })
}

/// Returns the error for a path with too many links.
pub fn too_many_links() -> io::Error {
    io::Error::from_raw_os_error(ERROR_CANT_RESOLVE_FILENAME.cast_signed())
}

/// Removes a name, unless it is a directory.
pub fn remove(directory: &Directory, name: &OsStr) -> io::Result<()> {
    let opened = open_by(directory, name, existing(DELETE | FILE_READ_ATTRIBUTES))?;
    if stat_of(&opened)?.kind == Kind::Directory {
        return Err(ErrorKind::IsADirectory.into());
    }
    patiently(|| call::remove(&opened))
}

/// Renames a file and replaces any file of that name.
pub fn replace(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<()> {
    rename(from, to, true, None)
}

/// Renames a file and replaces another one that is [held alone](open_alone). Only if the file system cannot replace an
/// open file, the other one is released just before.
pub fn replace_held(from: (&Directory, &OsStr), to: (&Directory, &OsStr), alone: File) -> io::Result<()> {
    rename(from, to, true, Some(alone))
}

/// Renames a file to a name that does not exist.
pub fn appear(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<bool> {
    rename(from, to, false, None).map(|()| true)
}

/// Returns false: the system has no such call.
pub const fn exchange(_: (&Directory, &OsStr), _: (&Directory, &OsStr)) -> io::Result<bool> {
    Ok(false)
}

/// Gives a file a second name that does not exist.
pub fn link(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<()> {
    let opened = open_by(from.0, from.1, existing(FILE_READ_ATTRIBUTES))?;
    let name: Vec<u16> = to.1.encode_wide().collect();
    patiently(|| call::link(&opened, to.0.as_raw_handle(), &name))
}

fn rename(
    from: (&Directory, &OsStr),
    to: (&Directory, &OsStr),
    replaces: bool,
    mut alone: Option<File>,
) -> io::Result<()> {
    let opened = open_by(from.0, from.1, existing(DELETE | FILE_READ_ATTRIBUTES))?;
    let name: Vec<u16> = to.1.encode_wide().collect();
    let begun = Instant::now();
    let mut pause = PAUSE.0;
    loop {
        match patiently(|| call::rename(&opened, to.0.as_raw_handle(), &name, replaces, || drop(alone.take()))) {
            // Another program may have the file open on a file system that cannot replace an open file: then retry for
            // a while. A file that this account may not replace cannot be opened for deletion either.
            Err(error) if replaces && error.kind() == ErrorKind::PermissionDenied => {
                if let Err(error) = open_by(to.0, to.1, existing(DELETE))
                    && error.kind() != ErrorKind::NotFound
                {
                    return Err(error);
                }
                if begun.elapsed() >= PATIENCE {
                    return Err(ErrorKind::WouldBlock.into());
                }
                thread::sleep(pause);
                pause = (pause * 2).min(PAUSE.1);
            }
            done => return done,
        }
    }
}

// Files.

fn open_file(directory: &Directory, name: &OsStr, how: How) -> io::Result<File> {
    Ok(no_link(open_by(directory, name, how)?)?.into())
}

/// Opens a file for reading; a link is an error.
pub fn open(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ, SHARED))
}

/// Opens a file for reading just before it is replaced. Until it is closed no program has it open for writing.
pub fn open_alone(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ, ALONE))
}

/// Opens a file to overwrite its content.
pub fn open_to_overwrite(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, ALONE))
}

/// Opens an existing journal.
pub fn open_journal(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, SHARED))
}

/// Makes a file, to write it and to set its attributes.
pub fn create(directory: &Directory, name: &OsStr, _mode: u32) -> io::Result<File> {
    let access = FILE_GENERIC_READ | FILE_GENERIC_WRITE;
    let made = match open_by(directory, name, fresh_file(access | WRITE_DAC, ALONE)) {
        // A share may permit writing but not setting the access list.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            open_by(directory, name, fresh_file(access, ALONE))
        }
        made => made,
    };
    Ok(made?.into())
}

/// Makes a journal.
pub fn create_journal(directory: &Directory, name: &OsStr) -> io::Result<File> {
    Ok(open_by(directory, name, fresh_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, SHARED))?.into())
}

/// Opens a lock file; creates it if it is missing.
pub fn open_lock(directory: &Directory, name: &OsStr) -> io::Result<File> {
    let how = How { disposition: FILE_OPEN_IF, ..fresh_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, SHARED) };
    Ok(open_by(directory, name, how)?.into())
}

/// Returns whether a file may be written, as far as the system knows.
pub fn may_write(directory: &Directory, name: &OsStr) -> bool {
    let wide: Vec<u16> = name.encode_wide().collect();
    match call::open(Some(directory.as_raw_handle()), &wide, existing_file(FILE_WRITE_DATA, SHARED)) {
        Ok(_) => true,
        Err(status) => status.is_held() || io::Error::from(status).kind() != ErrorKind::PermissionDenied,
    }
}

/// Returns the metadata of an open file.
pub fn stat(file: &File) -> io::Result<Stat> {
    stat_of(file)
}

fn stat_of(opened: &impl AsRawHandle) -> io::Result<Stat> {
    let identity = call::identity(opened)?;
    let kind = match call::tag(opened)? {
        (_, Some(tag)) if is_link(tag) => Kind::Link,
        (attributes, _) if attributes & FILE_ATTRIBUTE_DIRECTORY != 0 => Kind::Directory,
        (attributes, _) if attributes & FILE_ATTRIBUTE_DEVICE != 0 => Kind::Other("a device"),
        _ => Kind::File,
    };
    let is_read_only = identity.dwFileAttributes & FILE_ATTRIBUTE_READONLY != 0;
    let mode = match kind {
        // For directories and links the bit has another meaning.
        Kind::Directory | Kind::Link => 0o777,
        _ if is_read_only => 0o444,
        _ => 0o666,
    };
    let length = u64::from(identity.nFileSizeHigh) << 32 | u64::from(identity.nFileSizeLow);
    Ok(Stat { kind, length, mode, names: identity.nNumberOfLinks.into() })
}

/// Sets or clears the read-only attribute of an open file.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    let attributes = call::basic(file)?.FileAttributes;
    let read_only = if mode & 0o222 == 0 { FILE_ATTRIBUTE_READONLY } else { 0 };
    set_attributes(file, attributes, attributes & !FILE_ATTRIBUTE_READONLY | read_only, 0)
}

/// Sets attributes and, if it is not 0, the time of creation.
fn set_attributes(file: &File, now: u32, wanted: u32, created: i64) -> io::Result<()> {
    if now == wanted && created == 0 {
        return Ok(());
    }
    // The value 0 would leave them unchanged.
    let wanted = if wanted == 0 { FILE_ATTRIBUTE_NORMAL } else { wanted };
    call::set_basic(file, &FILE_BASIC_INFO { FileAttributes: wanted, CreationTime: created, ..Default::default() })
}

/// Returns whether an error means that the file system has no modes.
pub fn keeps_no_modes(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported | ErrorKind::InvalidInput)
}

/// Writes at an offset of a file.
pub fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, at) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                at += written as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns whether `name` still refers to this open file.
pub fn is_linked(directory: &Directory, name: &OsStr, file: &File) -> bool {
    let wide: Vec<u16> = name.encode_wide().collect();
    let Ok(opened) = call::open(Some(directory.as_raw_handle()), &wide, existing(FILE_READ_ATTRIBUTES)) else {
        return false;
    };
    let (Ok(ours), Ok(named)) = (call::identity(file), call::identity(&opened)) else { return false };
    (ours.dwVolumeSerialNumber, ours.nFileIndexHigh, ours.nFileIndexLow)
        == (named.dwVolumeSerialNumber, named.nFileIndexHigh, named.nFileIndexLow)
}

// Locks.

/// Waits for the lock of a file.
pub fn lock(file: &File) -> io::Result<()> {
    call::lock(file, true).map(drop)
}

/// Takes the lock of a file; returns false if it is held.
pub fn try_lock(file: &File) -> io::Result<bool> {
    call::lock(file, false)
}

/// Releases the lock of a file.
pub fn unlock(file: &File) {
    let _ = call::unlock(file);
}

// Attributes.

/// Name and content of a named stream of a file.
type Extended = (Vec<u8>, Vec<u8>);

/// The access list of a file, and its other attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The access list; empty if the system hides it.
    access: Vec<u8>,
    /// Whether it is hidden, a system file, or excluded from searches.
    attributes: u32,
    created: i64,
}

/// The attributes that a new file takes over from the file that it replaces.
const KEPT: u32 = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;

impl Owner {
    /// Returns access list and attributes of a file, and its mode bits.
    pub fn and_mode(file: &File) -> io::Result<(Self, u32)> {
        let basic = call::basic(file)?;
        let access = call::access(file).unwrap_or_default();
        let owner = Self { access, attributes: basic.FileAttributes & KEPT, created: basic.CreationTime };
        Ok((owner, stat(file)?.mode))
    }

    /// Gives a new file the same, as far as the system permits; returns true, because there are no set-id bits.
    pub fn give(&self, file: &File) -> io::Result<bool> {
        // A file inherits its access list from its directory, so most need no change.
        if !self.access.is_empty() && call::access(file).is_ok_and(|access| access != self.access) {
            let _ = call::set_access(file, &self.access);
        }
        let now = call::basic(file)?.FileAttributes;
        set_attributes(file, now, now & !KEPT | self.attributes, self.created)?;
        Ok(true)
    }
}

/// Returns the named streams of a file; none if the file system has none.
pub fn extended(file: &File) -> io::Result<Vec<Extended>> {
    let mut extended = Vec::new();
    for name in call::streams(file).unwrap_or_default() {
        let Ok(text) = String::from_utf16(&name) else { continue };
        if text == "::$DATA" || !text.ends_with(":$DATA") {
            continue;
        }
        let how = How { options: FILE_NON_DIRECTORY_FILE, ..existing_file(FILE_GENERIC_READ, SHARED) };
        let mut content = Vec::new();
        File::from(call::open(Some(file.as_raw_handle()), &name, how)?).read_to_end(&mut content)?;
        extended.push((text.into_bytes(), content));
    }
    Ok(extended)
}

/// Writes a named stream of a file, if the file system supports that.
pub fn set_extended(file: &File, name: &[u8], value: &[u8]) -> io::Result<()> {
    let name: Vec<u16> = String::from_utf8_lossy(name).encode_utf16().collect();
    let how = fresh_file(FILE_GENERIC_WRITE, SHARED);
    let how = How { disposition: FILE_OPEN_IF, options: FILE_NON_DIRECTORY_FILE, ..how };
    match call::open(Some(file.as_raw_handle()), &name, how) {
        Ok(stream) => File::from(stream).write_all(value),
        Err(_) => Ok(()),
    }
}

// The state.

/// Returns the directory for the state of this user's programs.
pub fn state_base() -> Option<PathBuf> {
    Some(etcetera::base_strategy::Windows::new().ok()?.cache_dir())
}

/// Opens a directory of the state by its path; rejects a link.
pub fn open_state(path: &Path) -> io::Result<Directory> {
    open_top(path)
}

/// Makes a directory of the state.
pub fn make_state(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

/// Returns true: the parent directories of the state belong to the user, and so does their content.
pub const fn is_own(_: &Directory) -> bool {
    true
}

/// Returns text that distinguishes this user from others of this machine.
pub fn user() -> String {
    let name = std::env::var("USERNAME").unwrap_or_default();
    name.chars().filter(|c| c.is_alphanumeric()).collect()
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

/// Returns the names of those files that a process has open for writing now.
pub fn open_for_writing(files: &BTreeMap<OsString, PathBuf>) -> BTreeSet<OsString> {
    let is_open = |path: &Path| {
        let native: Vec<u16> = native(path).unwrap_or_default().encode_wide().collect();
        let opened = call::open(None, &native, existing_file(FILE_GENERIC_READ, ALONE));
        opened.is_err_and(Status::is_held)
    };
    files.iter().filter(|(_, path)| is_open(path)).map(|(name, _)| name.clone()).collect()
}
