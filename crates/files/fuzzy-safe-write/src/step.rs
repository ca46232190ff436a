//! The step of a batch for one file.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::attributes::Attributes;
use crate::change::Mode;
use crate::place::FilePlace;

/// The change of one file.
#[derive(Debug)]
pub struct Step<'a> {
    /// The path as the caller gave it.
    pub path: PathBuf,
    /// The place of the file.
    pub place: FilePlace,
    /// The current content, which the file must have until it is replaced; `None` for a new file.
    pub before: Option<Cow<'a, [u8]>>,
    /// The new content; `None` to remove the file.
    pub after: Option<Cow<'a, [u8]>>,
    /// The attributes of the new file, if they should differ from those of the file that it replaces.
    pub attributes: Option<Attributes>,
    /// The mode of the new file. A file system without modes ignores it, which is no failure: the caller checks the
    /// result.
    pub mode: Mode,
    /// The number of parent directories of a removed file to remove as well, because they were created for it.
    pub directories: usize,
}

impl Step<'_> {
    /// Returns whether the step changes more than the bytes of a file.
    pub(crate) fn changes_attributes(&self) -> bool {
        self.attributes.is_some() || self.mode != Mode::Any
    }

    /// Returns whether the new file is executable, if that is known.
    pub(crate) fn executable(&self) -> Option<bool> {
        match self.mode {
            Mode::Executable(executable) => Some(executable),
            Mode::Exactly(bits) => Some(bits & 0o100 != 0),
            Mode::Any => self.attributes.as_ref().map(Attributes::is_executable),
        }
    }

    /// Returns the mode of a file that is written in place.
    pub(crate) fn mode_in_place(&self) -> Mode {
        match (self.mode, &self.attributes) {
            (Mode::Any, Some(attributes)) => Mode::Exactly(attributes.mode()),
            (mode, _) => mode,
        }
    }
}
