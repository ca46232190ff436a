//! Opens files of others: without waiting for the other end of a pipe, and beneath a directory without following links.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, openat, readlinkat};

use crate::RepoPath;

/// Opens a regular file to read, at the end of a link if `follow` is set.
///
/// # Errors
///
/// Fails at once where anything else has the name.
pub(crate) fn regular(path: &Path, follow: bool) -> io::Result<File> {
    let flags = if follow { OFlags::NONBLOCK } else { OFlags::NONBLOCK | OFlags::NOFOLLOW };
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    checked(OpenOptions::new().read(true).custom_flags(flags).open(path)?)
}

/// Opens a regular file to set its times: for writing, if it may be written.
///
/// # Errors
///
/// As [`regular`].
pub(crate) fn to_touch(path: &Path) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits()).unwrap_or_default();
    match OpenOptions::new().append(true).custom_flags(flags).open(path) {
        Ok(file) => checked(file),
        Err(_) => regular(path, false),
    }
}

fn checked(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// Opens what lies beneath a directory by descriptors, one directory after the other: what a name means meanwhile leads
/// nowhere else. Keeps the last directories open, since paths come in order.
pub(crate) struct Beneath<'a> {
    root: &'a File,
    open: Vec<(OsString, File)>,
}

impl<'a> Beneath<'a> {
    pub(crate) fn new(root: &'a File) -> Self {
        Self { root, open: Vec::new() }
    }

    /// Opens a regular file.
    pub(crate) fn file(&mut self, path: &RepoPath) -> io::Result<File> {
        let (dir, name) = self.parent(path)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        checked(openat(dir, name, flags, Mode::empty())?.into())
    }

    /// Reads the target of a symbolic link.
    pub(crate) fn link(&mut self, path: &RepoPath) -> io::Result<Vec<u8>> {
        let (dir, name) = self.parent(path)?;
        Ok(readlinkat(dir, name, Vec::new())?.into_bytes())
    }

    fn parent<'p>(&mut self, path: &'p RepoPath) -> io::Result<(&File, &'p OsStr)> {
        let mut names: Vec<&OsStr> = path.as_bytes().split(|byte| *byte == b'/').map(OsStr::from_bytes).collect();
        let name = names.pop().unwrap_or_default();
        let same = self.open.iter().zip(&names).take_while(|((open, _), name)| open == *name).count();
        self.open.truncate(same);
        for name in &names[same..] {
            let dir = self.open.last().map_or(self.root, |(_, dir)| dir);
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let dir = openat(dir, *name, flags, Mode::empty())?.into();
            self.open.push(((*name).to_owned(), dir));
        }
        Ok((self.open.last().map_or(self.root, |(_, dir)| dir), name))
    }
}
