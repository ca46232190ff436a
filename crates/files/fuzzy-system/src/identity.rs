//! Identities of files, and fingerprints to detect changes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The identity of a file during its existence, independent of its names.
///
/// As text it is both numbers with a blank between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The number of the file system: a device number, or the serial number of a volume. It may change when the system
    /// restarts.
    pub device: u64,
    /// The number of the file in its file system.
    pub file: u64,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.device, self.file)
    }
}

/// A fingerprint that changes when another file takes the name, or when the file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    pub(crate) identity: Identity,
    /// In bytes.
    pub(crate) length: u64,
    /// The last change of the content, in seconds and nanoseconds or in ticks of the system.
    pub(crate) modified: (i64, i64),
    /// The last change of any kind.
    pub(crate) changed: (i64, i64),
}
