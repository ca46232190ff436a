//! The description of a file, the same on every system.

/// The description of a name, or of an open file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    pub(crate) kind: Kind,
    /// How long it is, in bytes.
    pub(crate) length: u64,
    /// Its twelve mode bits. A system that has none gives those of any file, without the bits for writing where it is
    /// read-only.
    pub(crate) mode: u32,
    /// How many names it has.
    pub(crate) names: u64,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    /// Something else, as people call it.
    Other(&'static str),
}

impl Kind {
    /// Says what it is, if that is not a regular file.
    pub(crate) const fn other_than_file(self) -> Option<&'static str> {
        match self {
            Self::File => None,
            Self::Directory => Some("a directory"),
            Self::Link => Some("a symbolic link"),
            Self::Other(kind) => Some(kind),
        }
    }
}
