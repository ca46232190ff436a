//! The metadata of a file, the same on every system.

use std::fs::File;
use std::io;

/// The metadata of a name, or of an open file.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// Its kind.
    pub kind: Kind,
    /// Its length, in bytes.
    pub length: u64,
    /// Its twelve mode bits. Systems without modes return the usual bits, without the write bits for a read-only file.
    pub mode: u32,
    /// Its number of hard links.
    pub names: u64,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, or another object of the system that leads to another name.
    Link,
    /// Anything else, with a name for people.
    Other(&'static str),
}

impl Kind {
    /// Returns the name of its kind, unless it is a regular file.
    pub const fn other_than_file(self) -> Option<&'static str> {
        match self {
            Self::File => None,
            Self::Directory => Some("a directory"),
            Self::Link => Some("a symbolic link"),
            Self::Other(kind) => Some(kind),
        }
    }
}

/// Returns the same file if it is a regular one.
pub(crate) fn checked(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}
