//! The identity of a file, and the signs of a change.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The identity of a file, as long as it exists: names do not matter.
///
/// In text it is both numbers, with a blank between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The number of the file system: of a device, or the serial number of a volume. It may be another one after the
    /// system has started anew.
    pub device: u64,
    /// The number of the file in its file system.
    pub file: u64,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.device, self.file)
    }
}

/// The signs that a file is the one that was seen, and was not changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    pub(crate) identity: Identity,
    /// In bytes.
    pub(crate) length: u64,
    /// When its content was last changed, in seconds and nanoseconds or in ticks of the system.
    pub(crate) modified: (i64, i64),
    /// When anything of it was.
    pub(crate) changed: (i64, i64),
}
