//! The atomic moves that change a file: replace it, remove it, create it.
//!
//! Each keeps the replaced file under a temporary name until the whole batch is done. So no concurrent save is lost,
//! and a rollback writes no data.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::attributes::Attributes;
use crate::change::Mode;
use crate::file::OpenFile;
use crate::place::FilePlace;
use crate::sys::{self, Directory};
use crate::{Error, fault};

/// Returns a place in the form that the system calls need.
fn at(place: &FilePlace) -> (&Directory, &OsStr) {
    (&place.directory, &place.name)
}

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

/// Sets the mode of a file, if the file system keeps modes.
fn give_mode(file: &File, mode: Mode) -> io::Result<()> {
    let bits = sys::stat(file)?.mode;
    let wanted = mode.applied_to(bits);
    if wanted == bits || fault::modes_are_unsupported() {
        return Ok(());
    }
    fault::point()?;
    match sys::set_mode(file, wanted) {
        Err(error) if sys::keeps_no_modes(&error) => Ok(()),
        done => done,
    }
}

/// Writes a new file at `place`, whose mode is at most `mode` until `completed` runs.
pub(crate) fn create<T>(
    place: &FilePlace,
    bytes: &[u8],
    mode: u32,
    completed: impl FnOnce(&File) -> io::Result<T>,
) -> io::Result<T> {
    fault::point()?;
    let mut file = sys::create(&place.directory, &place.name, mode)?;
    let written = fault::point().and_then(|()| file.write_all(bytes)).and_then(|()| completed(&file));
    written.inspect_err(|_| remove(place))
}

/// Removes a name if it exists.
pub(crate) fn remove(place: &FilePlace) {
    let _ = try_remove(place);
}

/// Removes a name.
pub(crate) fn try_remove(place: &FilePlace) -> io::Result<()> {
    if fault::is_stopped() {
        return Ok(());
    }
    match sys::remove(&place.directory, &place.name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Exchanges a file and the new one beside it; returns false without a change if files cannot be exchanged.
pub(crate) fn exchange(place: &FilePlace, staged: &FilePlace) -> io::Result<bool> {
    fault::point()?;
    if fault::exchange_is_unsupported() {
        return Ok(false);
    }
    sys::exchange(at(staged), at(place))
}

/// Renames `from` to `to` and replaces any file there.
pub(crate) fn replace(from: &FilePlace, to: &FilePlace) -> io::Result<()> {
    fault::point()?;
    sys::replace(at(from), at(to))
}

/// Renames `from` to `to`, whose content was checked and which `alone` keeps locked.
pub(crate) fn replace_held(from: &FilePlace, to: &FilePlace, alone: OpenFile) -> io::Result<()> {
    fault::point()?;
    sys::replace_held(at(from), at(to), alone.file)
}

/// Gives the file at `from` the name `to`, if that name does not exist.
pub(crate) fn appear(from: &FilePlace, to: &FilePlace) -> io::Result<()> {
    fault::point()?;
    if !fault::exchange_is_unsupported() && sys::appear(at(from), at(to))? {
        return Ok(());
    }
    sys::link(at(from), at(to))?;
    // The file has its name, and a leftover name is no failure.
    let _ = fault::point();
    remove(from);
    Ok(())
}

/// Overwrites a file in place, which is not atomic, and makes it durable.
pub(crate) fn overwrite(place: &FilePlace, bytes: &[u8], mode: Mode) -> io::Result<()> {
    fault::point()?;
    let mut file = sys::open_to_overwrite(&place.directory, &place.name)?;
    file.write_all(bytes)?;
    fault::point()?;
    file.set_len(bytes.len() as u64)?;
    give_mode(&file, mode)?;
    file.sync_all()
}

/// Returns whether `place` has a regular file of exactly these bytes.
pub(crate) fn holds(path: &Path, place: &FilePlace, bytes: &[u8]) -> Result<bool, Error> {
    match OpenFile::open(path, place) {
        Ok(mut open) => open.holds(path, bytes),
        Err(Error::Missing { .. } | Error::NotAFile { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
