//! The object at a name: a regular file or a symbolic link, identified by its bytes and mode.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};

use serde::{Deserialize, Serialize};

use crate::hash::Hasher;
use crate::record::Print;
use crate::sys::{self, Directory, Kind};

/// Size of the pieces in which a file is hashed, in bytes.
const PIECE: usize = 1 << 16;

/// A regular file or a symbolic link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    /// The fingerprint of the file's bytes or the link's target.
    pub(crate) print: Print,
    /// All mode bits of a file; `None` for a link.
    pub(crate) mode: Option<u32>,
}

/// The current object at a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// Nothing.
    Absent,
    /// A file or a link with one of the expected lengths.
    Is(Object),
    /// A directory.
    Directory,
    /// Anything else.
    Other,
}

impl Now {
    pub(crate) fn is(&self, object: &Object) -> bool {
        matches!(self, Self::Is(it) if it == object)
    }
}

/// Returns the object at a name; does not read a file with none of the `lengths`.
///
/// # Errors
///
/// Returns an error of the system, except that the name does not exist.
pub(crate) fn look(directory: &Directory, name: &OsStr, lengths: &[u64]) -> io::Result<Now> {
    let stat = match sys::look(directory, name) {
        Ok(stat) => stat,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Now::Absent),
        Err(error) => return Err(error),
    };
    let read = match stat.kind {
        Kind::Directory => return Ok(Now::Directory),
        Kind::File if lengths.contains(&stat.length) => {
            sys::open(directory, name).and_then(|mut file| Object::of_file(&mut file))
        }
        Kind::Link if lengths.contains(&stat.length) => {
            sys::read_link(directory, name).map(|target| target.as_deref().map(Object::of_link))
        }
        _ => return Ok(Now::Other),
    };
    if let Ok(Some(object)) = read {
        return Ok(Now::Is(object));
    }
    // The name changed its kind meanwhile, disappeared, or the system forbids reading it.
    match sys::look(directory, name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Now::Absent),
        Ok(now) if now.kind != stat.kind => Ok(Now::Other),
        _ => read.map(|_| Now::Other),
    }
}

impl Object {
    fn of_link(target: &[u8]) -> Self {
        Self { print: Print::of_bytes(target), mode: None }
    }

    /// Reads the object of an open file from its current read position; `None` if it is not a regular file.
    pub(crate) fn of_file(file: &mut File) -> io::Result<Option<Self>> {
        let stat = sys::stat(file)?;
        if stat.kind != Kind::File {
            return Ok(None);
        }
        let (mut hasher, mut piece) = (Hasher::default(), vec![0; PIECE]);
        let mut length = 0;
        loop {
            match file.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.add(&piece[..read]);
                    length += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(Self { print: Print::new(length, hasher.finish()), mode: Some(stat.mode) }))
    }
}
