//! Reads, writes and removes the engine's own files.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use fuzzy_system as sys;
use tempfile::Builder;

use crate::unreadable::means_absent;
use crate::{Error, Result};

/// The largest file that [`regular`] reads, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Creates a directory that only its owner can access, and its missing parents.
pub(crate) fn private_dir(dir: &Path) -> Result<()> {
    sys::make_private(dir).map_err(Error::io(dir))
}

/// Writes a whole file, unless it already has this content. Anything else at its path is replaced.
pub(crate) fn write_if_new(path: &Path, content: &[u8]) -> Result<()> {
    write(path, content, false)
}

/// Does the same, so that a power failure leaves either the old content or the new one.
pub(crate) fn write_durably(path: &Path, content: &[u8]) -> Result<()> {
    write(path, content, true)
}

/// The beginning of the names of files that are about to replace others.
pub(crate) const NEXT: &str = ".next-";

/// Removes the files in `dir` whose names begin with `prefix`: those of killed processes, if no other process writes
/// there.
pub(crate) fn sweep(dir: &Path, prefix: &str) -> Result<()> {
    let left = below(dir)?.into_iter().filter(|(name, _)| name.starts_with(prefix));
    left.into_iter().try_for_each(|(_, path)| remove(&path))
}

fn write(path: &Path, content: &[u8], durably: bool) -> Result<()> {
    if read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    // Only a new file is safe to write: an existing one may be a pipe without a reader, or the file of another process.
    let written = Builder::new().prefix(NEXT).tempfile_in(path.parent().unwrap_or(path)).and_then(|mut file| {
        file.write_all(content)?;
        if durably {
            file.as_file().sync_all()?;
        }
        file.persist(path).map_err(|error| error.error)
    });
    written.map(drop).map_err(Error::io(path))
}

/// Removes a file; a missing file is not an error.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}

/// Reads a regular file; does not follow links.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    sys::open_regular(path, false)?.read_to_end(&mut content)?;
    Ok(content)
}

/// Reads a regular file of ours of at most [`MAX_BYTES`] bytes; returns `None` only if it does not exist.
pub(crate) fn own(path: &Path) -> Result<Option<Vec<u8>>> {
    match sys::open_regular(path, false) {
        Err(error) if means_absent(&error) => return Ok(None),
        file => file.and_then(small),
    }
    .map(Some)
    .map_err(Error::unreadable(path))
}

/// Returns whether something has this path; does not follow a link.
pub(crate) fn exists(path: &Path) -> Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if means_absent(&error) => Ok(false),
        found => found.map(|_| true).map_err(Error::unreadable(path)),
    }
}

/// Returns the names in the directory `dir` with their paths, sorted; names that are not UTF-8 are not ours. A missing
/// directory has none.
pub(crate) fn below(dir: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(dir).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Err(error) if means_absent(&error) => return Ok(Vec::new()),
        entries => entries.map_err(Error::unreadable(dir))?,
    };
    let named = |entry: fs::DirEntry| Some((entry.file_name().into_string().ok()?, entry.path()));
    let mut found: Vec<(String, PathBuf)> = entries.into_iter().filter_map(named).collect();
    found.sort();
    Ok(found)
}

/// Reads a file of at most [`MAX_BYTES`] bytes, and follows a link if `follow` is set. Returns `None` for anything but
/// a regular file.
pub(crate) fn regular(path: &Path, follow: bool) -> Option<Vec<u8>> {
    sys::open_regular(path, follow).and_then(small).ok()
}

/// Reads an open file of at most [`MAX_BYTES`] bytes.
pub(crate) fn small(file: File) -> io::Result<Vec<u8>> {
    if file.metadata()?.len() > MAX_BYTES {
        return Err(io::Error::other("it is too large"));
    }
    let mut content = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut content)?;
    Ok(content)
}
