//! The input of a changeset: the state of each path when the plan was made, and the wanted state.

use std::path::PathBuf;

use crate::object::Object;
use crate::record::Print;

/// A change of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path below the root, unique in its changeset.
    pub path: PathBuf,
    /// The state when the plan was made; `None` if nothing was there, or a directory that the changeset empties.
    pub before: Option<Expected>,
    /// The wanted state; `None` to delete the path.
    pub after: Option<Wanted>,
    /// The number of parent directories of a deleted path to delete once they are empty.
    pub prune: usize,
}

/// The kinds of interruption that a changeset survives.
///
/// Surviving a loss of power takes several times as long for hundreds of small files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A killed process. After a loss of power, an incomplete file counts as another program's text and remains.
    Kill,
    /// A killed process and a loss of power.
    PowerLoss,
}

/// The state of a path when the plan was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    print: Print,
    /// `None` for a symbolic link, which has no mode.
    mode: Option<Mode>,
}

/// The wanted state of a path; the bytes are loaded when they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A regular file with this mode.
    File(Mode),
    /// A symbolic link; the bytes are its target.
    Link,
}

/// The permission bits of a file, as far as they are known or wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Any bits. A new file gets the bits of the file that it replaces, or those of any new file.
    Any,
    /// Whether the owner may execute the file; the other bits are as with [`Any`](Self::Any).
    Executable(bool),
    /// Exactly these nine bits; set-id bits are never set.
    Exactly(u32),
}

impl Expected {
    /// Returns the state of a regular file with exactly these bytes.
    #[must_use]
    pub fn file(bytes: &[u8], mode: Mode) -> Self {
        Self { print: Print::of_bytes(bytes), mode: Some(mode) }
    }

    /// Returns the state of a symbolic link with exactly this target.
    #[must_use]
    pub fn link(target: &[u8]) -> Self {
        Self { print: Print::of_bytes(target), mode: None }
    }

    pub(crate) const fn print(&self) -> &Print {
        &self.print
    }

    /// Returns whether `object` has this state.
    pub(crate) fn is(&self, object: &Object) -> bool {
        let has_mode = match (self.mode, object.mode) {
            (None, None) | (Some(Mode::Any), Some(_)) => true,
            (Some(Mode::Executable(executable)), Some(mode)) => executable == (mode & 0o100 != 0),
            (Some(Mode::Exactly(bits)), Some(mode)) => bits & 0o777 == mode & 0o777,
            (None, Some(_)) | (Some(_), None) => false,
        };
        has_mode && self.print == object.print
    }
}

impl Mode {
    /// Returns the bits of a new file whose default bits are `bits`.
    pub(crate) const fn applied_to(self, bits: u32) -> u32 {
        match self {
            Self::Any => bits,
            // As git does it: every reader may also execute.
            Self::Executable(true) => bits | (bits & 0o444) >> 2,
            Self::Executable(false) => bits & !0o111,
            Self::Exactly(bits) => bits & 0o777,
        }
    }
}
