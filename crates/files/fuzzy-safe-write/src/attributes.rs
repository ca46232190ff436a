//! The metadata of a file: mode, owner and extended attributes.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::file::OpenFile;
use crate::place::FilePlace;
use crate::sys::Owner;
use crate::{Error, sys};

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes {
    mode: u32,
    #[serde(flatten)]
    owner: Owner,
    /// Names and values of the extended attributes.
    extended: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Attributes {
    /// Returns the mode bits.
    pub(crate) const fn mode(&self) -> u32 {
        self.mode
    }

    /// Returns whether the owner may execute the file.
    #[must_use]
    pub const fn is_executable(&self) -> bool {
        self.mode & 0o100 != 0
    }

    /// Returns a copy with other mode bits.
    pub(crate) fn with_mode(self, mode: u32) -> Self {
        Self { mode, ..self }
    }

    /// Reads the attributes of the regular file at `place`; errors name it `path`.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::read`](crate::Snapshot::read).
    pub fn at(path: &Path, place: &FilePlace) -> Result<Self, Error> {
        Self::of(&OpenFile::open(path, place)?.file).map_err(Error::reading(path))
    }

    /// Reads the attributes of an open file.
    ///
    /// # Errors
    ///
    /// Returns an error of the system, except that it does not support extended attributes or hides them.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        let (owner, mode) = Owner::and_mode(file)?;
        Ok(Self { mode, owner, extended: sys::extended(file)? })
    }

    /// Gives the attributes to a new file.
    ///
    /// Owner and extended attributes are set as far as the system permits. If the owner cannot be set, the file gets no
    /// set-id bits: they would give the new owner's rights to everyone who runs the file.
    ///
    /// # Errors
    ///
    /// Returns an error of the system, except a missing permission or a missing feature of the file system.
    pub(crate) fn give(&self, file: &File) -> io::Result<()> {
        let mode = if self.owner.give(file)? { self.mode } else { self.mode & 0o777 };
        // After the owner, because a change of the owner clears the set-id bits.
        sys::set_mode(file, mode)?;
        for (name, value) in &self.extended {
            sys::set_extended(file, name, value)?;
        }
        Ok(())
    }
}
