//! What a file has besides its bytes: mode, owner and extended attributes.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use std::path::Path;

use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fsetxattr};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::file::OpenFile;
use crate::place::FilePlace;

/// What a file has besides its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes {
    mode: u32,
    owner: u32,
    group: u32,
    extended: Vec<Extended>,
}

/// Name and value of an extended attribute.
type Extended = (Vec<u8>, Vec<u8>);

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
        let metadata = file.metadata()?;
        let extended = extended(file).or_else(|error| match error {
            Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NOSYS => Ok(Vec::new()),
            error => Err(error),
        })?;
        let mode = metadata.permissions().mode() & 0o7777;
        Ok(Self { mode, owner: metadata.uid(), group: metadata.gid(), extended })
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
        let mut mode = self.mode;
        let fresh = file.metadata()?;
        if (fresh.uid(), fresh.gid()) != (self.owner, self.group)
            && fchown(file, Some(self.owner), Some(self.group)).is_err()
        {
            mode &= 0o777;
            // Only the superuser gives files away, but anyone may choose among their own groups.
            let _ = fchown(file, None, Some(self.group));
        }
        // After the owner: changing that clears the bits that lend rights.
        file.set_permissions(Permissions::from_mode(mode))?;
        for (name, value) in &self.extended {
            match fsetxattr(file, name.as_slice(), value, XattrFlags::empty()) {
                Ok(()) | Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NOSYS) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

fn extended(file: &File) -> Result<Vec<Extended>, Errno> {
    let mut names = vec![0; flistxattr_query(file)?];
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let length = flistxattr(file, &mut names[..])?;
    let mut extended = Vec::new();
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; fgetxattr_query(file, name)?];
        let length = fgetxattr(file, name, &mut value[..])?;
        value.truncate(length);
        extended.push((name.to_owned(), value));
    }
    Ok(extended)
}
