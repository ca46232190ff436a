//! The description of a file, the same on every system.

use std::fs::File;
use std::io;

/// The description of a name, or of an open file.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// Its kind.
    pub kind: Kind,
    /// How long it is, in bytes.
    pub length: u64,
    /// Its twelve mode bits. A system that has none gives those of any file, without the bits for writing where it is
    /// read-only.
    pub mode: u32,
    /// How many names it has.
    pub names: u64,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, or another thing of the system that leads to another name.
    Link,
    /// Something else, as people call it.
    Other(&'static str),
}

impl Kind {
    /// Says what it is, if that is not a regular file.
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
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}
