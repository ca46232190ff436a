//! Everything that differs between systems; the rest of this crate has no `cfg` and no call of its own.
//!
//! Each system offers the same functions. Those that take a directory and a name look the name up in that directory and
//! nowhere else, and follow no link.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(target_vendor = "apple")]
mod macos;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use linux::{make_all_durable, open_for_writing, spelling, spelling_of_file, state_base, sync_directory};
#[cfg(target_vendor = "apple")]
pub(crate) use macos::{make_all_durable, open_for_writing, spelling, spelling_of_file, state_base, sync_directory};
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(unix)]
pub use unix::{allow_many_files, open_to_append, open_to_read};
#[cfg(windows)]
pub(crate) use windows::*;
#[cfg(windows)]
pub use windows::{allow_many_files, open_to_append, open_to_read};

/// What is at a name, or in an open file.
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

/// What kind of thing has a name.
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
