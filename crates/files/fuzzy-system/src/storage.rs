//! The kind of storage behind a directory, as far as it decides how long files there last.

/// The kind of storage of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// A disk of this machine, or unknown.
    Disk,
    /// Memory: the files are gone after a restart.
    Memory,
    /// The layers of a container's image: the files are gone with the container.
    Container,
    /// Another machine, or the host of a virtual one: a synchronized file may not be on its disk yet.
    Remote,
}
