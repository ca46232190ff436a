//! Reading one file.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::place::FilePlace;
use crate::sys::{self, Stat};

/// How much of a file is compared at once, in bytes: enough that the calls do not count, and no new memory.
const PIECE: usize = 1 << 16;

/// A regular file that was opened for reading, and what the system says of it.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) file: File,
    pub(crate) stat: Stat,
}

/// A regular file, as it was when it was read.
#[derive(Debug)]
pub struct Snapshot {
    /// The path as the caller gave it.
    pub path: PathBuf,
    /// Where it is.
    pub place: FilePlace,
    /// All that is in it.
    pub bytes: Vec<u8>,
    stat: Stat,
}

impl Snapshot {
    /// Reads the file at `place`, which the caller calls `path`.
    ///
    /// Never waits for what is not a regular file: a pipe without a writer is refused at once.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], [`Error::NotAFile`], [`Error::Permission`], [`Error::TooLarge`] with more than `limit`
    /// bytes, or what the system says.
    pub fn read(path: &Path, place: FilePlace, limit: u64) -> Result<Self, Error> {
        let OpenFile { mut file, stat } = OpenFile::open(path, &place)?;
        let bytes = read_within(path, &mut file, stat.length, limit)?;
        Ok(Self { path: path.to_owned(), place, bytes, stat })
    }

    /// Returns whether its owner may execute the file.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.stat.mode & 0o100 != 0
    }

    /// Checks that the file may be replaced, or written in place if it has several names.
    ///
    /// # Errors
    ///
    /// [`Error::Permission`], or [`Error::HardLinks`] if `in_place` does not allow that.
    pub fn check_writable(&self, in_place: bool) -> Result<(), Error> {
        check_writable(&self.path, &self.place, &self.stat, in_place)
    }
}

impl OpenFile {
    /// Opens the regular file at `place`; a symbolic link is none.
    pub(crate) fn open(path: &Path, place: &FilePlace) -> Result<Self, Error> {
        Self::open_by(path, place, sys::open)
    }

    /// Opens it as [`open`](Self::open) does, as long as it is about to be replaced: where the system can, nobody writes
    /// to it meanwhile.
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

    /// Says whether the file at `place` may be replaced, or written in place if it has several names.
    pub(crate) fn check_writable(&self, path: &Path, place: &FilePlace, in_place: bool) -> Result<(), Error> {
        check_writable(path, place, &self.stat, in_place)
    }

    /// Returns how many names the file has.
    pub(crate) fn names(&self) -> u64 {
        self.stat.names
    }

    /// Returns whether exactly `bytes` are in the file, from where it was read to.
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

/// Says whether a file with this stat may be replaced, or written in place if it has several names.
fn check_writable(path: &Path, place: &FilePlace, stat: &Stat, in_place: bool) -> Result<(), Error> {
    let path = path.to_owned();
    if stat.mode & 0o222 == 0 {
        return Err(Error::Permission { path, problem: "is read-only" });
    }
    // A rename asks for no permission on the file itself, so it is asked for here.
    if !sys::may_write(&place.directory, &place.name) {
        return Err(Error::Permission { path, problem: "must not be written" });
    }
    match stat.names {
        names if names > 1 && !in_place => Err(Error::HardLinks { path, names }),
        _ => Ok(()),
    }
}

/// Reads to the end, of a file that may grow meanwhile or does not know its length.
fn read_within(path: &Path, file: &mut File, expected: u64, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    if expected <= limit {
        bytes.reserve(usize::try_from(expected).unwrap_or(0) + 1);
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::reading(path))?;
    }
    let is_within = expected.max(bytes.len() as u64) <= limit;
    if is_within { Ok(bytes) } else { Err(Error::TooLarge { path: path.to_owned(), limit }) }
}

/// Names what is at a place, if that is there and no regular file.
fn kind_at(place: &FilePlace) -> Option<&'static str> {
    sys::look(&place.directory, &place.name).ok()?.kind.other_than_file()
}
