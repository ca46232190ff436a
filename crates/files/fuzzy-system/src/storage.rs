//! The kind of storage behind a directory, as far as it decides how long files there last.

use std::io;
use std::path::Path;

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

/// Returns the kind of storage of a directory, or of its nearest parent that exists.
pub fn storage(directory: &Path) -> io::Result<Storage> {
    let found = directory.ancestors().find(|above| above.is_dir()).unwrap_or(directory);
    super::storage_of(found)
}
