//! Reads one file.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::place::FilePlace;
use crate::sys::{self, Stat};

/// Size of the pieces in which a file is compared, in bytes: large enough that the calls cost nothing, small enough for
/// one buffer.
const PIECE: usize = 1 << 16;

/// A regular file that is open for reading, and its metadata.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) file: File,
    pub(crate) stat: Stat,
}

/// The content of a regular file at the time of reading.
#[derive(Debug)]
pub struct Snapshot {
    /// The path as the caller gave it.
    pub path: PathBuf,
    /// The place of the file.
    pub place: FilePlace,
    /// The content of the file.
    pub bytes: Vec<u8>,
    stat: Stat,
}

impl Snapshot {
    /// Reads the file at `place`; errors name it `path`.
    ///
    /// Never blocks: a pipe without a writer is rejected at once.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Missing`], [`Error::NotAFile`], [`Error::Permission`], [`Error::TooLarge`] for more than
    /// `limit` bytes, or an error of the system.
    pub fn read(path: &Path, place: FilePlace, limit: u64) -> Result<Self, Error> {
        let OpenFile { mut file, stat } = OpenFile::open(path, &place)?;
        let bytes = read_within(path, &mut file, stat.length, limit)?;
        Ok(Self { path: path.to_owned(), place, bytes, stat })
    }

    /// Returns whether the owner may execute the file.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.stat.mode & 0o100 != 0
    }

    /// Checks that the file may be replaced, or written in place if it has several hard links.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Permission`], or [`Error::HardLinks`] without `in_place`.
    pub fn check_writable(&self, in_place: bool) -> Result<(), Error> {
        check_writable(&self.path, &self.place, &self.stat, in_place)
    }
}

impl OpenFile {
    /// Opens the regular file at `place`; rejects a symbolic link.
    pub(crate) fn open(path: &Path, place: &FilePlace) -> Result<Self, Error> {
        Self::open_by(path, place, sys::open)
    }

    /// Opens the file like [`open`](Self::open) just before it is replaced; if the system can, it locks out writers.
    pub(crate) fn open_alone(path: &Path, place: &FilePlace) -> Result<Self, Error> {
        Self::open_by(path, place, sys::open_alone)
    }

    fn open_by(
        path: &Path,
        place: &FilePlace,
        open: impl FnOnce(&sys::Directory, &std::ffi::OsStr) -> io::Result<File>,
    ) -> Result<Self, Error> {
        if !place.missing.is_empty() {
            return Err(Error::Missing { path: path.to_owned() });
        }
        let file = open(&place.directory, &place.name).map_err(|error| match kind_at(place) {
            Some(kind) => Error::NotAFile { path: path.to_owned(), kind },
            None => Error::reading(path)(error),
        })?;
        let stat = sys::stat(&file).map_err(Error::reading(path))?;
        if let Some(kind) = stat.kind.other_than_file() {
            return Err(Error::NotAFile { path: path.to_owned(), kind });
        }
        Ok(Self { file, stat })
    }

    /// Checks that the file at `place` may be replaced, or written in place if it has several hard links.
    pub(crate) fn check_writable(&self, path: &Path, place: &FilePlace, in_place: bool) -> Result<(), Error> {
        check_writable(path, place, &self.stat, in_place)
    }

    /// Returns the number of hard links.
    pub(crate) fn names(&self) -> u64 {
        self.stat.names
    }

    /// Returns whether the file has exactly `bytes` from the current read position to its end.
    pub(crate) fn holds(&mut self, path: &Path, mut bytes: &[u8]) -> Result<bool, Error> {
        let mut piece = vec![0; PIECE];
        loop {
            match self.file.read(&mut piece) {
                Ok(0) => return Ok(bytes.is_empty()),
                Ok(read) => match bytes.strip_prefix(&piece[..read]) {
                    Some(rest) => bytes = rest,
                    None => return Ok(false),
                },
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::reading(path)(error)),
            }
        }
    }
}

/// Checks that a file with this metadata may be replaced, or written in place if it has several hard links.
fn check_writable(path: &Path, place: &FilePlace, stat: &Stat, in_place: bool) -> Result<(), Error> {
    let path = path.to_owned();
    if stat.mode & 0o222 == 0 {
        return Err(Error::Permission { path, problem: "is read-only" });
    }
    // A rename needs no permission on the file itself, so this checks for it.
    if !sys::may_write(&place.directory, &place.name) {
        return Err(Error::Permission { path, problem: "must not be written" });
    }
    match stat.names {
        names if names > 1 && !in_place => Err(Error::HardLinks { path, names }),
        _ => Ok(()),
    }
}

/// Reads to the end, because the file may grow meanwhile or not know its length.
fn read_within(path: &Path, file: &mut File, expected: u64, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    if expected <= limit {
        bytes.reserve(usize::try_from(expected).unwrap_or(0) + 1);
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::reading(path))?;
    }
    let is_within = expected.max(bytes.len() as u64) <= limit;
    if is_within { Ok(bytes) } else { Err(Error::TooLarge { path: path.to_owned(), limit }) }
}

/// Returns the kind of object at a place, unless it is a regular file or missing.
fn kind_at(place: &FilePlace) -> Option<&'static str> {
    sys::look(&place.directory, &place.name).ok()?.kind.other_than_file()
}
