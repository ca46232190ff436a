//! What a changeset is asked for: what its plan saw at a path, and what is to be there.

use std::path::PathBuf;

use crate::object::Object;
use crate::record::Print;

/// The change of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path below the root. No two changes of a changeset have the same.
    pub path: PathBuf,
    /// What the plan saw there; none if it saw that nothing is there, or a directory that the changeset empties.
    pub before: Option<Expected>,
    /// What is to be there; none if nothing is.
    pub after: Option<Wanted>,
    /// How many of the directories above a path that is deleted go with it once they are empty.
    pub prune: usize,
}

/// What a changeset survives.
///
/// To survive a loss of power, hundreds of small files take several times as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A process that is killed. After a loss of power, what was not written to its end is taken for someone else's
    /// text and stays.
    Kill,
    /// A loss of power, too.
    PowerLoss,
}

/// What a plan saw at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    print: Print,
    /// None for a symbolic link, which has no mode of its own.
    mode: Option<Mode>,
}

/// What is to be at a path; the bytes are asked for when they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A regular file.
    File(Mode),
    /// A symbolic link, whose target is the bytes.
    Link,
}

/// The permission bits of a file, as far as someone knows or cares about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Any bits were seen; a new file gets those of the file that it replaces, or of any new file.
    Any,
    /// The owner may execute the file, or may not; the other bits are as with [`Any`](Self::Any).
    Executable(bool),
    /// Exactly these nine bits; the bits that lend rights are never given.
    Exactly(u32),
}

impl Expected {
    /// A regular file of exactly these bytes.
    #[must_use]
    pub fn file(bytes: &[u8], mode: Mode) -> Self {
        Self { print: Print::of_bytes(bytes), mode: Some(mode) }
    }

    /// A symbolic link to exactly this target.
    #[must_use]
    pub fn link(target: &[u8]) -> Self {
        Self { print: Print::of_bytes(target), mode: None }
    }

    pub(crate) const fn print(&self) -> &Print {
        &self.print
    }

    /// Returns whether `object` is what was seen.
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
    /// Returns the bits of a new file which would have `bits` if no one cared.
    pub(crate) const fn applied_to(self, bits: u32) -> u32 {
        match self {
            Self::Any => bits,
            // Who may read it may execute it, as git has it.
            Self::Executable(true) => bits | (bits & 0o444) >> 2,
            Self::Executable(false) => bits & !0o111,
            Self::Exactly(bits) => bits & 0o777,
        }
    }
}
