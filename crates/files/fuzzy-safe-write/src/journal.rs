//! Journals: files that record planned changes, so that another process can finish them or roll them back.
//!
//! A process writes its journal into a folder of the state directory before it changes the first file, and holds a lock
//! on it. The lock ends with the process: if a journal can be locked, its process is gone.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::hash::sha256;
use crate::state::names;
use crate::sys::{self, Directory};
use crate::{Error, State, fault};

/// A journal that this process has locked.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: Directory,
    name: OsString,
    file: File,
    /// Length of the complete sections, in bytes.
    length: u64,
}

/// The reason why a journal cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It ends in the middle of a section.
    Torn,
    /// Another version of this program wrote it, another program changed it, or the system forbids reading it.
    Unknown,
}

impl Journal {
    /// Writes the first section of journal `id`; if `durable`, it survives a loss of power from here on.
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

    /// Appends a section; if `durable`, it survives a loss of power from here on.
    pub(crate) fn append(&mut self, section: &impl Serialize, durable: bool) -> Result<(), Error> {
        self.write(section, durable).map_err(|source| Error::State { path: self.name.clone().into(), source })
    }

    fn write(&mut self, section: &impl Serialize, durable: bool) -> io::Result<()> {
        fault::point()?;
        let text = text_of(section)?;
        // Removes a section that was not written completely.
        self.file.set_len(self.length)?;
        sys::write_at(&self.file, &text, self.length)?;
        self.length += text.len() as u64;
        if durable { self.file.sync_all() } else { Ok(()) }
    }

    /// Returns the journals in a folder whose processes are gone, with their paths.
    pub(crate) fn orphans(state: &State, folder: &str) -> Vec<(PathBuf, Self)> {
        let mut orphans = Vec::new();
        for (path, folder) in state.existing_at(folder) {
            for name in names(&folder) {
                let Ok(own) = folder.try_clone() else { continue };
                let path = path.join(&name);
                orphans.extend(Self::open(own, name, sys::try_lock).map(|journal| (path, journal)));
            }
        }
        orphans
    }

    /// Opens a journal and locks it; returns `None` if it was removed meanwhile.
    fn open(folder: Directory, name: OsString, lock: impl FnOnce(&File) -> io::Result<bool>) -> Option<Self> {
        let file = sys::open_journal(&folder, &name).ok()?;
        let is_ours = lock(&file).ok()? && sys::is_linked(&folder, &name, &file);
        is_ours.then_some(Self { folder, name, file, length: 0 })
    }

    /// Opens the newest journal in a folder with a wanted name whose only section `matches`; waits for its lock.
    /// `matches` returns `None` for a section that it does not understand.
    ///
    /// # Errors
    ///
    /// Returns the path of a journal that cannot be read or understood, if no newer one matches.
    pub(crate) fn newest<S: DeserializeOwned>(
        state: &State,
        folder: &str,
        is_wanted: impl Fn(&OsStr) -> bool,
        matches: impl Fn(&OsStr, &S) -> Option<bool>,
    ) -> Result<Option<(Self, S)>, PathBuf> {
        for (path, folder, name) in files(state, folder).into_iter().filter(|(_, _, name)| is_wanted(name)) {
            let mut opened = match sys::open_journal(&folder, &name) {
                // Another process has undone the batch.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened.map_err(|_| path.clone())?,
            };
            let section: S = read_one(&mut opened).map_err(|_| path.clone())?;
            if !matches(&name, &section).ok_or(path)? {
                continue;
            }
            if let Some(journal) = Self::open(folder, name, |file| sys::lock(file).map(|()| true)) {
                return Ok(Some((journal, section)));
            }
        }
        Ok(None)
    }

    /// Returns the path and the name of each journal in a folder, the newest first, with its only section; `None` if that
    /// cannot be read. No journal is locked.
    pub(crate) fn all<S: DeserializeOwned>(state: &State, folder: &str) -> Vec<(PathBuf, OsString, Option<S>)> {
        let read = |(path, folder, name): (PathBuf, Directory, OsString)| {
            let opened = sys::open_journal(&folder, &name);
            let section = opened.ok().and_then(|mut opened| read_one(&mut opened).ok());
            (path, name, section)
        };
        files(state, folder).into_iter().map(read).collect()
    }

    /// Returns the name of the journal.
    pub(crate) fn id(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Reads a journal of one section.
    pub(crate) fn read<S: DeserializeOwned>(&mut self) -> Result<S, Unreadable> {
        read_one(&mut self.file)
    }

    /// Reads the complete sections of a journal.
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

    /// Moves the journal to another folder and appends a suffix to its name.
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
        // A process that another thread starts inherits all open files until it runs its program, and the lock with
        // them.
        sys::unlock(&self.file);
    }
}

/// Returns the files in a folder of all state directories, those with the last names first.
fn files(state: &State, folder: &str) -> Vec<(PathBuf, Directory, OsString)> {
    let mut files = Vec::new();
    for (path, folder) in state.existing_at(folder) {
        for name in names(&folder) {
            files.extend(folder.try_clone().map(|folder| (path.join(&name), folder, name)));
        }
    }
    files.sort_by(|(_, _, a), (_, _, b)| b.cmp(a));
    files
}

/// Creates the file of a journal and locks it.
fn create_file(folder: &Directory, name: &OsStr, text: &[u8], durable: bool) -> io::Result<File> {
    let mut file = loop {
        fault::point()?;
        let file = sys::create_journal(folder, name)?;
        fault::point()?;
        sys::lock(&file)?;
        // Before the lock, another process may have mistaken it for an orphan and removed it.
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

/// Returns the text of a section: a line of JSON and a line with its checksum.
///
/// Without the checksum, a damaged journal might remove a file that this program did not create.
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

/// Reads the first section of a text; also returns the rest.
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
