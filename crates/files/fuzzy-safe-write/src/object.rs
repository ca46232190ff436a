//! What is at a name: a regular file or a symbolic link, told from any other by its bytes and its mode.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, readlinkat, statat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::hash::Hasher;
use crate::record::Print;

/// How much of a file is hashed at once, in bytes.
const PIECE: usize = 1 << 16;

/// A regular file or a symbolic link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    /// What the bytes of the file, or the target of the link, are told by.
    pub(crate) print: Print,
    /// All mode bits of a file; none for a link.
    pub(crate) mode: Option<u32>,
}

/// What is at a name now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// Nothing.
    Absent,
    /// A file or a link that may be one of those asked about.
    Is(Object),
    /// A directory.
    Directory,
    /// Something else than was asked about.
    Other,
}

impl Now {
    pub(crate) fn is(&self, object: &Object) -> bool {
        matches!(self, Self::Is(it) if it == object)
    }
}

/// Looks at a name; what has none of the `lengths` is not read.
///
/// # Errors
///
/// What the system says, if it is not that nothing is there.
pub(crate) fn look(directory: &OwnedFd, name: &OsStr, lengths: &[u64]) -> io::Result<Now> {
    let stat = match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(Now::Absent),
        Err(error) => return Err(error.into()),
    };
    let length = u64::try_from(stat.st_size).unwrap_or(0);
    let read = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => return Ok(Now::Directory),
        FileType::RegularFile if lengths.contains(&length) => file_at(directory, name),
        FileType::Symlink if lengths.contains(&length) => link_at(directory, name),
        _ => return Ok(Now::Other),
    };
    match read {
        Ok(object) => Ok(object.map_or(Now::Other, Now::Is)),
        // It became something else meanwhile.
        Err(Errno::LOOP | Errno::INVAL | Errno::NXIO) => Ok(Now::Other),
        Err(Errno::NOENT) => Ok(Now::Absent),
        Err(error) => Err(error.into()),
    }
}

fn file_at(directory: &OwnedFd, name: &OsStr) -> Result<Option<Object>, Errno> {
    // Without NONBLOCK, opening a pipe waits for a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut file = File::from(openat(directory, name, flags, Mode::empty())?);
    Object::of_file(&mut file).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

fn link_at(directory: &OwnedFd, name: &OsStr) -> Result<Option<Object>, Errno> {
    let target = readlinkat(directory, name, Vec::new())?;
    Ok(Some(Object { print: Print::of_bytes(target.as_bytes()), mode: None }))
}

impl Object {
    /// Reads what an open file is told by, from where it was read to; none if it is no regular file.
    pub(crate) fn of_file(file: &mut File) -> io::Result<Option<Self>> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
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
        Ok(Some(Self { print: Print::new(length, hasher.finish()), mode: Some(metadata.mode() & 0o7777) }))
    }
}
