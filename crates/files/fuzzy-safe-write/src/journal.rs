//! Files that say what is about to be done, so that another process can finish it or take it back.
//!
//! A journal is written before the first file changes, in a folder of the state. The process holds a lock on it, which
//! ends with the process: a journal that can be locked is that of a process that is gone.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::hash::sha256;
use crate::state::names;
use crate::sys::{self, Directory};
use crate::{Error, State, fault};

/// A journal that this process holds the lock of.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: Directory,
    name: OsString,
    file: File,
    /// How much of the file is whole, in bytes.
    length: u64,
}

/// The reason why a journal cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It ends before it should.
    Torn,
    /// It is from another version of this program, something else wrote into it, or the system does not let us.
    Unknown,
}

impl Journal {
    /// Writes the first section of journal `id`; if it is to be `durable`, it survives a loss of power from here on.
    pub(crate) fn create(
        state: &State,
        folder: &str,
        id: &str,
        section: &impl Serialize,
        durable: bool,
    ) -> Result<Self, Error> {
        let folder = state.folder(folder)?;
        let name = OsString::from(id);
        let text = text_of(section).map_err(Error::state(id.as_ref()))?;
        match create_file(&folder, &name, &text, durable) {
            Ok(file) => Ok(Self { folder, name, file, length: text.len() as u64 }),
            Err(source) => {
                if !fault::is_stopped() {
                    let _ = sys::remove(&folder, &name);
                }
                Err(Error::State { path: id.into(), source })
            }
        }
    }

    /// Adds a section; if it is to be `durable`, it survives a loss of power from here on.
    pub(crate) fn append(&mut self, section: &impl Serialize, durable: bool) -> Result<(), Error> {
        self.write(section, durable).map_err(|source| Error::State { path: self.name.clone().into(), source })
    }

    fn write(&mut self, section: &impl Serialize, durable: bool) -> io::Result<()> {
        fault::point()?;
        let text = text_of(section)?;
        // Something may have been cut short there.
        self.file.set_len(self.length)?;
        sys::write_at(&self.file, &text, self.length)?;
        self.length += text.len() as u64;
        if durable { self.file.sync_all() } else { Ok(()) }
    }

    /// Returns the journals in a folder whose processes are gone.
    pub(crate) fn orphans(state: &State, folder: &str) -> Vec<Self> {
        let mut orphans = Vec::new();
        for folder in state.existing(folder) {
            for name in names(&folder) {
                let Ok(own) = folder.try_clone() else { continue };
                orphans.extend(Self::open(own, name, sys::try_lock));
            }
        }
        orphans
    }

    /// Opens a journal and takes its lock, if it is still there then.
    fn open(folder: Directory, name: OsString, lock: impl FnOnce(&File) -> io::Result<bool>) -> Option<Self> {
        let file = sys::open_journal(&folder, &name).ok()?;
        let is_ours = lock(&file).ok()? && sys::is_linked(&folder, &name, &file);
        is_ours.then_some(Self { folder, name, file, length: 0 })
    }

    /// Opens the newest journal in a folder whose one section `is_meant`, waiting for its lock.
    pub(crate) fn newest<S: DeserializeOwned>(
        state: &State,
        folder: &str,
        is_meant: impl Fn(&OsStr, &S) -> bool,
    ) -> Option<(Self, S)> {
        for folder in state.existing(folder) {
            for name in names(&folder).into_iter().rev() {
                let Ok(mut opened) = sys::open_journal(&folder, &name) else { continue };
                let Some(section) = read_one(&mut opened).ok().filter(|it| is_meant(&name, it)) else {
                    continue;
                };
                let Ok(own) = folder.try_clone() else { continue };
                if let Some(journal) = Self::open(own, name, |file| sys::lock(file).map(|()| true)) {
                    return Some((journal, section));
                }
            }
        }
        None
    }

    /// Returns the names of the journals in a folder whose one section `is_meant`, with that, the newest first. They are
    /// read and not held.
    pub(crate) fn all<S: DeserializeOwned>(
        state: &State,
        folder: &str,
        is_meant: impl Fn(&OsStr, &S) -> bool,
    ) -> Vec<(String, S)> {
        let mut all = Vec::new();
        for folder in state.existing(folder) {
            for name in names(&folder).into_iter().rev() {
                let Ok(mut opened) = sys::open_journal(&folder, &name) else { continue };
                if let Some(section) = read_one(&mut opened).ok().filter(|it| is_meant(&name, it)) {
                    all.push((name.to_string_lossy().into_owned(), section));
                }
            }
        }
        all
    }

    /// Returns the name of the journal.
    pub(crate) fn id(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Reads a journal that has one section.
    pub(crate) fn read<S: DeserializeOwned>(&mut self) -> Result<S, Unreadable> {
        read_one(&mut self.file)
    }

    /// Reads the sections of a journal that were written to their ends.
    pub(crate) fn sections<S: DeserializeOwned>(&mut self) -> Result<Vec<S>, Unreadable> {
        let text = text_in(&mut self.file)?;
        let (mut sections, mut rest) = (Vec::new(), &text[..]);
        while !rest.is_empty() {
            match section(rest) {
                Ok((read, after)) => {
                    sections.push(read);
                    rest = after;
                }
                Err(Unreadable::Torn) => break,
                Err(Unreadable::Unknown) => return Err(Unreadable::Unknown),
            }
        }
        self.length = (text.len() - rest.len()) as u64;
        Ok(sections)
    }

    /// Moves the journal to another folder, its name with a suffix.
    pub(crate) fn move_to(&self, folder: &Directory, suffix: &OsStr) -> io::Result<()> {
        let mut name = self.name.clone();
        name.push(suffix);
        sys::replace((&self.folder, &self.name), (folder, &name))
    }

    /// Removes the journal.
    pub(crate) fn discard(self) {
        if fault::is_stopped() {
            return;
        }
        let _ = sys::remove(&self.folder, &self.name);
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // A process that another thread starts has all open files until its program begins, and the lock with them.
        sys::unlock(&self.file);
    }
}

/// Creates the file of a journal and takes its lock.
fn create_file(folder: &Directory, name: &OsStr, text: &[u8], durable: bool) -> io::Result<File> {
    let mut file = loop {
        fault::point()?;
        let file = sys::create_journal(folder, name)?;
        fault::point()?;
        sys::lock(&file)?;
        // Between these two, someone may have taken it for one that nobody finishes, and removed it.
        if sys::is_linked(folder, name, &file) {
            break file;
        }
    };
    file.write_all(text)?;
    fault::point()?;
    if durable {
        file.sync_all()?;
        sys::sync_directory(folder)?;
    }
    Ok(file)
}

/// Returns a section as it is written: a line of JSON and a line of its sum.
///
/// What the sum does not fit might remove a file that no one made.
fn text_of(section: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(section)?;
    let sum = sha256(&text);
    text.extend([b"\n", sum.as_bytes(), b"\n"].concat());
    Ok(text)
}

fn text_in(file: &mut File) -> Result<Vec<u8>, Unreadable> {
    let mut text = Vec::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text));
    read.map_err(|_| Unreadable::Unknown)?;
    Ok(text)
}

fn read_one<S: DeserializeOwned>(file: &mut File) -> Result<S, Unreadable> {
    match section(&text_in(file)?)? {
        (section, []) => Ok(section),
        _ => Err(Unreadable::Unknown),
    }
}

/// Reads the section that a text begins with; returns what follows, too.
fn section<S: DeserializeOwned>(text: &[u8]) -> Result<(S, &[u8]), Unreadable> {
    let (json, rest) = line(text).ok_or(Unreadable::Torn)?;
    let (sum, rest) = line(rest).ok_or(Unreadable::Torn)?;
    let json = Some(json).filter(|json| sum == sha256(json).as_bytes()).ok_or(Unreadable::Unknown)?;
    Ok((serde_json::from_slice(json).map_err(|_| Unreadable::Unknown)?, rest))
}

fn line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|byte| *byte == b'\n')?;
    Some((&text[..end], &text[end + 1..]))
}
