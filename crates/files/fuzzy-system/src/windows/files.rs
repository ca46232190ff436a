//! Functions for directories that are held open, and names in them.
//!
//! Nothing exchanges two files here. A new file takes an old one's place in one step, after the old one was compared, and
//! nobody can write to the old one in between; see [`open_alone`].

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

/// A directory that is held open.
pub type Directory = OwnedHandle;

/// Others may do everything meanwhile.
pub(super) const SHARED: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Others may do everything but write meanwhile.
const ALONE: u32 = FILE_SHARE_READ | FILE_SHARE_DELETE;

/// How long another program is waited for that has a file open: those that look at every file that changes, as virus
/// scanners do, take a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long between two tries: at first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));

/// How a name is opened that exists.
pub(super) const fn existing(access: u32) -> How {
    let options = FILE_OPEN_REPARSE_POINT | FILE_OPEN_FOR_BACKUP_INTENT;
    How { access, share: SHARED, disposition: FILE_OPEN, options }
}

/// How a file is opened that exists.
pub(super) const fn existing_file(access: u32, share: u32) -> How {
    let How { disposition, options, .. } = existing(access);
    How { access, share, disposition, options: options | FILE_NON_DIRECTORY_FILE }
}

/// How a file is made that is not there.
const fn fresh_file(access: u32, share: u32) -> How {
    How { access, share, disposition: FILE_CREATE, options: FILE_OPEN_REPARSE_POINT | FILE_NON_DIRECTORY_FILE }
}

/// How a directory is opened.
const DIRECTORY: How = {
    let How { share, disposition, options, .. } = existing(0);
    let access = FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES;
    How { access, share, disposition, options: options | FILE_DIRECTORY_FILE }
};

/// Tries again while another program is in the way, but not for ever.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, Status>) -> io::Result<T> {
    let begun = Instant::now();
    let mut pause = PAUSE.0;
    loop {
        match attempt() {
            Err(status) if (status.is_held() || status.is_going()) && begun.elapsed() < PATIENCE => {
                thread::sleep(pause);
                pause = (pause * 2).min(PAUSE.1);
            }
            Err(status) if status.is_held() => return Err(ErrorKind::WouldBlock.into()),
            Err(status) if status.is_going() => return Err(ErrorKind::NotFound.into()),
            done => return Ok(done?),
        }
    }
}

fn open_by(directory: &Directory, name: &OsStr, how: How) -> io::Result<OwnedHandle> {
    open_from(Some(directory), name, how)
}

/// Opens a file or a directory by its path; a link at its end is opened itself.
pub(super) fn open_at(path: &Path, how: How) -> io::Result<OwnedHandle> {
    open_from(None, &native(path)?, how)
}

fn open_from(directory: Option<&Directory>, name: &OsStr, how: How) -> io::Result<OwnedHandle> {
    let wide: Vec<u16> = name.encode_wide().collect();
    let from = directory.map(Directory::as_raw_handle);
    let opened = patiently(|| call::open(from, &wide, how))?;
    match call::tag(&opened)? {
        // It leads nowhere else, but says how its file is stored; only the system knows that.
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

/// Refuses a link in the place of what was asked for.
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

/// Returns a directory that everything is below, or much of it.
pub fn top_of_all() -> PathBuf {
    let current = std::env::current_dir().ok();
    current.and_then(|current| anchor(&current)).unwrap_or_else(|| PathBuf::from(r"C:\"))
}

/// Returns the name of the directory that was opened as `name`, as its parent has it: letter case does not tell names
/// apart here, and a name may have a short one beside it.
pub fn spelling(opened: &Directory, name: OsString) -> OsString {
    spelled(opened).unwrap_or(name)
}

/// Returns a name as its directory has it, if there is a file.
pub fn spelling_of_file(directory: &Directory, name: OsString) -> OsString {
    let how = existing_file(FILE_READ_ATTRIBUTES, SHARED);
    let opened = open_by(directory, &name, how).ok();
    opened.and_then(|opened| spelled(&opened)).unwrap_or(name)
}

fn spelled(opened: &OwnedHandle) -> Option<OsString> {
    at(opened)?.file_name().map(OsStr::to_owned)
}

// Directories.

/// Opens a directory by its path, which may lead through links above it.
pub fn open_top(path: &Path) -> io::Result<Directory> {
    let native: Vec<u16> = native(path)?.encode_wide().collect();
    let opened = patiently(|| call::open(None, &native, DIRECTORY))?;
    // A drive may be one by way of a link, which nobody can lead elsewhere.
    if anchor(path).is_some_and(|anchor| anchor == path) { Ok(opened) } else { no_link(opened) }
}

/// Opens the directory `name`. A link in its place is no directory.
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

/// Makes a directory; who may look into it is as its parent says, for all that is made in it.
pub fn make_directory(parent: &Directory, name: &OsStr, _private: bool) -> io::Result<()> {
    open_by(parent, name, How { disposition: FILE_CREATE, ..DIRECTORY }).map(drop)
}

/// Does nothing: a directory has no mode bits.
pub const fn set_directory_mode(_: &Directory, _: &OsStr, _: u32) -> io::Result<()> {
    Ok(())
}

/// Removes a directory if it is empty; says no if it is not, or is none.
pub fn remove_directory(parent: &Directory, name: &OsStr) -> io::Result<bool> {
    let how = How { access: DELETE | FILE_READ_ATTRIBUTES, ..DIRECTORY };
    let removed = open_by(parent, name, how).and_then(no_link).and_then(|it| patiently(|| call::remove(&it)));
    match removed.as_ref().map_err(io::Error::kind) {
        Ok(()) | Err(ErrorKind::NotFound) => Ok(true),
        Err(ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory | ErrorKind::WouldBlock) => Ok(false),
        Err(_) => removed.map(|()| true),
    }
}

/// Returns whether names may be made and removed in a directory.
pub fn may_write_in(directory: &Directory) -> bool {
    let answer = open_by(directory, "".as_ref(), How { access: FILE_ADD_FILE, ..DIRECTORY });
    answer.map_or_else(|error| error.kind() != ErrorKind::PermissionDenied, |_| true)
}

/// Says yes: whether a name may be removed is asked when it is.
pub const fn may_take(_: &Directory, _: &OsStr) -> bool {
    true
}

/// Makes changes in a directory durable, where the file system can; NTFS keeps them in order in a journal of its own.
pub fn sync_directory(directory: &Directory) -> io::Result<()> {
    let opened = open_by(directory, "".as_ref(), How { access: FILE_ADD_FILE, ..DIRECTORY });
    let _ = opened.and_then(|opened| call::flush(&opened));
    Ok(())
}

/// Says that the system cannot make all files durable at once: each is when it is written.
pub const fn make_all_durable(_: Option<&Directory>) -> io::Result<bool> {
    Ok(false)
}

// Names.

/// Returns what is at a name.
pub fn look(directory: &Directory, name: &OsStr) -> io::Result<Stat> {
    let stat = stat_of(&open_by(directory, name, existing(FILE_READ_ATTRIBUTES))?)?;
    if stat.kind != Kind::Link {
        return Ok(stat);
    }
    let length = read_link(directory, name)?.map_or(0, |target| target.len() as u64);
    Ok(Stat { length, ..stat })
}

/// Returns where a link leads; nothing if it is none, or is gone.
///
/// Its parts are separated as git has them.
pub fn read_link(directory: &Directory, name: &OsStr) -> io::Result<Option<Vec<u8>>> {
    let opened = match open_by(directory, name, existing(FILE_READ_ATTRIBUTES)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    if stat_of(&opened)?.kind != Kind::Link {
        return Ok(None);
    }
    // Where it leads is walked like any other path, so that it does no harm if someone leads this one elsewhere.
    let path = at(directory).ok_or(ErrorKind::NotFound)?.join(name);
    match std::fs::read_link(path) {
        Ok(target) => Ok(Some(in_git(&plain(target)))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a link that leads to `target`, if this account may.
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
            "this account may not make symbolic links; turn on the Developer Mode of Windows, or leave links out",
        ),
        _ => error,
    })
}

/// Returns the error that says that a path leads through too many links.
pub fn too_many_links() -> io::Error {
    io::Error::from_raw_os_error(ERROR_CANT_RESOLVE_FILENAME.cast_signed())
}

/// Removes a name that is no directory's.
pub fn remove(directory: &Directory, name: &OsStr) -> io::Result<()> {
    let opened = open_by(directory, name, existing(DELETE | FILE_READ_ATTRIBUTES))?;
    if stat_of(&opened)?.kind == Kind::Directory {
        return Err(ErrorKind::IsADirectory.into());
    }
    patiently(|| call::remove(&opened))
}

/// Gives a file another name, and puts it in the place of what has that name.
pub fn replace(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<()> {
    rename(from, to, true, None)
}

/// Puts a file in the place of another one that is [held alone](open_alone); only where the file system takes the place of
/// no file that is open, the other one is let go a moment before.
pub fn replace_held(from: (&Directory, &OsStr), to: (&Directory, &OsStr), alone: File) -> io::Result<()> {
    rename(from, to, true, Some(alone))
}

/// Gives a file another name that nothing has.
pub fn appear(from: (&Directory, &OsStr), to: (&Directory, &OsStr)) -> io::Result<bool> {
    rename(from, to, false, None).map(|()| true)
}

/// Says no: the system has no such call.
pub const fn exchange(_: (&Directory, &OsStr), _: (&Directory, &OsStr)) -> io::Result<bool> {
    Ok(false)
}

/// Gives a file a second name that nothing has.
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
            // Another program may have the file open, where the file system replaces none that is. One that this account
            // may not replace cannot be opened for deletion, either; else it is tried again for a while.
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

/// Opens a file to read it; a link in its place is an error.
pub fn open(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ, SHARED))
}

/// Opens a file to read it as long as it is about to be replaced. Until it is closed nobody can open it for writing, and
/// nobody has.
pub fn open_alone(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ, ALONE))
}

/// Opens a file to write over what is in it.
pub fn open_to_overwrite(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, ALONE))
}

/// Opens a journal that exists.
pub fn open_journal(directory: &Directory, name: &OsStr) -> io::Result<File> {
    open_file(directory, name, existing_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, SHARED))
}

/// Makes a file, to write it and to set what it has besides its bytes.
pub fn create(directory: &Directory, name: &OsStr, _mode: u32) -> io::Result<File> {
    let access = FILE_GENERIC_READ | FILE_GENERIC_WRITE;
    let made = match open_by(directory, name, fresh_file(access | WRITE_DAC, ALONE)) {
        // A share may let us write, but not say who else may.
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

/// Opens the file of a lock, which is made if it is not there.
pub fn open_lock(directory: &Directory, name: &OsStr) -> io::Result<File> {
    let how = How { disposition: FILE_OPEN_IF, ..fresh_file(FILE_GENERIC_READ | FILE_GENERIC_WRITE, SHARED) };
    Ok(open_by(directory, name, how)?.into())
}

/// Returns whether a file may be written, as far as the system says so.
pub fn may_write(directory: &Directory, name: &OsStr) -> bool {
    let wide: Vec<u16> = name.encode_wide().collect();
    match call::open(Some(directory.as_raw_handle()), &wide, existing_file(FILE_WRITE_DATA, SHARED)) {
        Ok(_) => true,
        Err(status) => status.is_held() || io::Error::from(status).kind() != ErrorKind::PermissionDenied,
    }
}

/// Returns what an open file is.
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
        // Of directories and links the bit says something else.
        Kind::Directory | Kind::Link => 0o777,
        _ if is_read_only => 0o444,
        _ => 0o666,
    };
    let length = u64::from(identity.nFileSizeHigh) << 32 | u64::from(identity.nFileSizeLow);
    Ok(Stat { kind, length, mode, names: identity.nNumberOfLinks.into() })
}

/// Makes an open file read-only, or lets it be written.
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
    // 0 would leave them as they are.
    let wanted = if wanted == 0 { FILE_ATTRIBUTE_NORMAL } else { wanted };
    call::set_basic(file, &FILE_BASIC_INFO { FileAttributes: wanted, CreationTime: created, ..Default::default() })
}

/// Returns whether an error says that the file system keeps no modes.
pub fn keeps_no_modes(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported | ErrorKind::InvalidInput)
}

/// Writes at a place in a file.
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

/// Returns whether `name` still means this open file.
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

/// Takes the lock of a file; says no if someone else has it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    call::lock(file, false)
}

/// Lets go of the lock of a file.
pub fn unlock(file: &File) {
    let _ = call::unlock(file);
}

// Attributes.

/// Name and content of a stream beside the text of a file.
type Extended = (Vec<u8>, Vec<u8>);

/// The access list of a file, and its other attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The access list; empty if the system does not show it.
    access: Vec<u8>,
    /// Whether it is hidden, of the system, or left out of searches.
    attributes: u32,
    created: i64,
}

/// The attributes that a new file gets from the one that it replaces.
const KEPT: u32 = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;

impl Owner {
    /// Returns who may do what with a file, and its mode bits.
    pub fn and_mode(file: &File) -> io::Result<(Self, u32)> {
        let basic = call::basic(file)?;
        let access = call::access(file).unwrap_or_default();
        let owner = Self { access, attributes: basic.FileAttributes & KEPT, created: basic.CreationTime };
        Ok((owner, stat(file)?.mode))
    }

    /// Gives a new file the same, where the system lets us; says that there is no mode that lends rights.
    pub fn give(&self, file: &File) -> io::Result<bool> {
        // A file gets those of its directory, so that most need not be set.
        if !self.access.is_empty() && call::access(file).is_ok_and(|access| access != self.access) {
            let _ = call::set_access(file, &self.access);
        }
        let now = call::basic(file)?.FileAttributes;
        set_attributes(file, now, now & !KEPT | self.attributes, self.created)?;
        Ok(true)
    }
}

/// Returns the streams of a file beside its text, by name; none where the file system has none.
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

/// Gives a file a stream beside its text, if the file system lets us.
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

/// Returns the directory that this user's programs keep their state in.
pub fn state_base() -> Option<PathBuf> {
    Some(etcetera::base_strategy::Windows::new().ok()?.cache_dir())
}

/// Opens a directory of the state by its path; a link in its place is none.
pub fn open_state(path: &Path) -> io::Result<Directory> {
    open_top(path)
}

/// Makes a directory of the state.
pub fn make_state(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

/// Says yes: the directories that the state is in are the user's own, and what is made in them as well.
pub const fn is_own(_: &Directory) -> bool {
    true
}

/// Returns what tells the user from others of this machine.
pub fn user() -> String {
    let name = std::env::var("USERNAME").unwrap_or_default();
    name.chars().filter(|c| c.is_alphanumeric()).collect()
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
