//! What a batch does to one file.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::attributes::Attributes;
use crate::change::Mode;
use crate::place::FilePlace;

/// What becomes of one file.
#[derive(Debug)]
pub struct Step<'a> {
    /// The path as the caller gave it.
    pub path: PathBuf,
    /// Where the file is, or is to be.
    pub place: FilePlace,
    /// What is there, and must be until it is replaced; nothing for a new file.
    pub before: Option<Cow<'a, [u8]>>,
    /// What is to be there; nothing for a file that is removed.
    pub after: Option<Cow<'a, [u8]>>,
    /// What the new file has besides its bytes, if it is to be like another one than that which it replaces.
    pub attributes: Option<Attributes>,
    /// What is to become of its mode then. Where the file system keeps no such bits the file stays as it is, which is no
    /// failure: who asked looks at it.
    pub mode: Mode,
    /// How many of the directories above a file that is removed were made for it, and go with it.
    pub directories: usize,
}

impl Step<'_> {
    /// Returns whether more than the bytes of a file changes.
    pub(crate) fn changes_attributes(&self) -> bool {
        self.attributes.is_some() || self.mode != Mode::Any
    }

    /// Returns whether the new file can be run, if that is known.
    pub(crate) fn executable(&self) -> Option<bool> {
        match self.mode {
            Mode::Executable(executable) => Some(executable),
            Mode::Exactly(bits) => Some(bits & 0o100 != 0),
            Mode::Any => self.attributes.as_ref().map(Attributes::is_executable),
        }
    }

    /// Returns what becomes of the mode of a file that is written in place.
    pub(crate) fn mode_in_place(&self) -> Mode {
        match (self.mode, &self.attributes) {
            (Mode::Any, Some(attributes)) => Mode::Exactly(attributes.mode()),
            (mode, _) => mode,
        }
    }
}
