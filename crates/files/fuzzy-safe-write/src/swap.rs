//! The three moves that change a file at once: put a new one in its place, take it away, let one appear.
//!
//! Each keeps what it replaced under a name beside the file until all is done, so that nothing is lost that someone
//! else wrote a moment ago, and so that each can be taken back without writing anything.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, OFlags, RawMode, RenameFlags};
use rustix::io::Errno;

use crate::Error;
use crate::attributes::Attributes;
use crate::change::Mode;
use crate::fault;
use crate::file::OpenFile;
use crate::place::FilePlace;

/// Returns the place of another name beside a file.
pub(crate) fn beside(place: &FilePlace, name: impl Into<OsString>) -> FilePlace {
    let name = name.into();
    FilePlace { target: place.target.with_file_name(&name), name, ..place.clone() }
}

/// Writes a new file at `place` and makes it durable; without attributes it gets those of any new file.
pub(crate) fn stage(place: &FilePlace, bytes: &[u8], attributes: Option<&Attributes>, mode: Mode) -> io::Result<()> {
    let open_to = if attributes.is_some() { 0o600 } else { 0o666 };
    create(place, bytes, open_to, |file| {
        if let Some(attributes) = attributes {
            attributes.give(file)?;
        }
        give_mode(file, mode)?;
        fault::point()?;
        file.sync_all()
    })
}

/// Gives a file another mode, where the file system keeps modes.
fn give_mode(file: &File, mode: Mode) -> io::Result<()> {
    let bits = file.metadata()?.mode() & 0o7777;
    let wanted = mode.applied_to(bits);
    if wanted == bits || fault::modes_are_unsupported() {
        return Ok(());
    }
    fault::point()?;
    match file.set_permissions(Permissions::from_mode(wanted)) {
        Err(error)
            if matches!(
                Errno::from_io_error(&error),
                Some(Errno::PERM | Errno::ACCESS | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL)
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}

/// Writes a new file at `place`, whose mode is at most `mode` until it is `completed`.
pub(crate) fn create<T>(
    place: &FilePlace,
    bytes: &[u8],
    mode: RawMode,
    completed: impl FnOnce(&File) -> io::Result<T>,
) -> io::Result<T> {
    fault::point()?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(&*place.directory, &place.name, flags, mode.into())?;
    let mut file = File::from(opened);
    let written = fault::point().and_then(|()| file.write_all(bytes)).and_then(|()| completed(&file));
    written.inspect_err(|_| remove(place))
}

/// Removes a name, if it is there.
pub(crate) fn remove(place: &FilePlace) {
    if fault::is_stopped() {
        return;
    }
    let _ = rustix::fs::unlinkat(&*place.directory, &place.name, AtFlags::empty());
}

/// Exchanges a file and the new one beside it; says no, with nothing done, where files cannot be exchanged.
pub(crate) fn exchange(place: &FilePlace, staged: &FilePlace) -> io::Result<bool> {
    fault::point()?;
    if fault::exchange_is_unsupported() {
        return Ok(false);
    }
    let (from, to) = (&*staged.directory, &*place.directory);
    match rustix::fs::renameat_with(from, &staged.name, to, &place.name, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        done => done.map(|()| true).map_err(io::Error::from),
    }
}

/// Puts the file at `from` in the place of `to`, whatever is there.
pub(crate) fn replace(from: &FilePlace, to: &FilePlace) -> io::Result<()> {
    fault::point()?;
    Ok(rustix::fs::renameat(&*from.directory, &from.name, &*to.directory, &to.name)?)
}

/// Gives the file at `from` the name of `to` if nothing has that name.
pub(crate) fn appear(from: &FilePlace, to: &FilePlace) -> io::Result<()> {
    fault::point()?;
    let (old, new) = (&*from.directory, &*to.directory);
    if !fault::exchange_is_unsupported() {
        match rustix::fs::renameat_with(old, &from.name, new, &to.name, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return done.map_err(io::Error::from),
        }
    }
    rustix::fs::linkat(old, &from.name, new, &to.name, AtFlags::empty())?;
    // It is there now, and a name too many is no failure.
    let _ = fault::point();
    remove(from);
    Ok(())
}

/// Overwrites a file that keeps its identity, which is not atomic, and makes it durable.
pub(crate) fn overwrite(place: &FilePlace, bytes: &[u8], mode: Mode) -> io::Result<()> {
    fault::point()?;
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(&*place.directory, &place.name, flags, 0.into())?);
    file.write_all(bytes)?;
    fault::point()?;
    file.set_len(bytes.len() as u64)?;
    give_mode(&file, mode)?;
    file.sync_all()
}

/// Returns whether a regular file of exactly these bytes is at `place`.
pub(crate) fn holds(path: &Path, place: &FilePlace, bytes: &[u8]) -> Result<bool, Error> {
    match OpenFile::open(path, place) {
        Ok(mut open) => open.holds(path, bytes),
        Err(Error::Missing { .. } | Error::NotAFile { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
