//! What a file has besides its bytes: mode, owner and extended attributes.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::file::OpenFile;
use crate::place::FilePlace;
use crate::sys::Owner;
use crate::{Error, sys};

/// What a file has besides its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes {
    mode: u32,
    #[serde(flatten)]
    owner: Owner,
    /// Names and values of extended attributes.
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

    /// Returns the same with other mode bits.
    pub(crate) fn with_mode(self, mode: u32) -> Self {
        Self { mode, ..self }
    }

    /// Reads them from the regular file at `place`, which the caller calls `path`.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::read`](crate::Snapshot::read).
    pub fn at(path: &Path, place: &FilePlace) -> Result<Self, Error> {
        Self::of(&OpenFile::open(path, place)?.file).map_err(Error::reading(path))
    }

    /// Reads them from an open file.
    ///
    /// # Errors
    ///
    /// What the system says, if it is not that it has no extended attributes or does not show them.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        let (owner, mode) = Owner::and_mode(file)?;
        Ok(Self { mode, owner, extended: sys::extended(file)? })
    }

    /// Gives them to a new file.
    ///
    /// Owner and attributes are kept where the system lets us; a mode that would lend the new owner's rights to all who
    /// run the file is not.
    ///
    /// # Errors
    ///
    /// What the system says, if it is not that something is not permitted or not known to the file system.
    pub(crate) fn give(&self, file: &File) -> io::Result<()> {
        let mode = if self.owner.give(file)? { self.mode } else { self.mode & 0o777 };
        // After the owner: changing that clears the bits that lend rights.
        sys::set_mode(file, mode)?;
        for (name, value) in &self.extended {
            sys::set_extended(file, name, value)?;
        }
        Ok(())
    }
}
