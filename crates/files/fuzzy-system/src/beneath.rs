//! Opens files beneath a directory.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;

use crate::stat::checked;
use crate::{Directory, check_name, open, open_directory, path_of, read_link};

/// Opens files beneath a directory by descriptors, one directory at a time, so that a name that changes meanwhile
/// cannot redirect it. Keeps the last directories open, because paths usually arrive in order.
#[derive(Debug)]
pub struct Beneath<'a> {
    root: &'a Directory,
    open: Vec<(OsString, Directory)>,
}

impl<'a> Beneath<'a> {
    /// Starts at a directory.
    pub const fn new(root: &'a Directory) -> Self {
        Self { root, open: Vec::new() }
    }

    /// Opens the regular file with this path, whose parts are separated by `/`.
    ///
    /// # Errors
    ///
    /// Fails at once if anything else has the name.
    pub fn file(&mut self, path: &[u8]) -> io::Result<File> {
        let (directory, name) = self.parent(path)?;
        checked(open(directory, &name)?)
    }

    /// Reads the target of the symbolic link with this path.
    ///
    /// # Errors
    ///
    /// Fails if there is no link.
    pub fn link(&mut self, path: &[u8]) -> io::Result<Vec<u8>> {
        let (directory, name) = self.parent(path)?;
        read_link(directory, &name)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn parent(&mut self, path: &[u8]) -> io::Result<(&Directory, OsString)> {
        let mut names: Vec<OsString> = path.split(|byte| *byte == b'/').map(|name| path_of(name.to_vec())).collect();
        for name in &names {
            check_name(name).map_err(|problem| io::Error::new(io::ErrorKind::InvalidFilename, problem))?;
        }
        let name = names.pop().unwrap_or_default();
        let same = self.open.iter().zip(&names).take_while(|((open, _), name)| open == *name).count();
        self.open.truncate(same);
        for name in names.drain(same..) {
            let opened = open_directory(self.above(), OsStr::new(&name))?;
            self.open.push((name, opened));
        }
        Ok((self.above(), name))
    }

    fn above(&self) -> &Directory {
        self.open.last().map_or(self.root, |(_, directory)| directory)
    }
}
