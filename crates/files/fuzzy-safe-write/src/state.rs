//! The directory of locks and journals.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::sys::{self, Directory};

/// The directory of locks and journals; only its owner has access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The directories to try, in order.
    candidates: Vec<PathBuf>,
}

impl State {
    /// Uses `directory`, which is created on demand.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { candidates: vec![directory.into()] }
    }

    /// Uses `$XDG_STATE_HOME/fuzzy-edit`, or without that variable the system's directory for state:
    /// `~/.local/state/fuzzy-edit`, `~/Library/Application Support/fuzzy-edit` or `%LOCALAPPDATA%\fuzzy-edit`. If that
    /// cannot be created, uses `fuzzy-edit-USER` in the directory for temporary files.
    #[must_use]
    pub fn from_environment() -> Self {
        let own = Self::lasting();
        let temporary = std::env::temp_dir().join(format!("fuzzy-edit-{}", sys::user()));
        Self { candidates: own.into_iter().chain([temporary]).collect() }
    }

    /// Returns the directory for persistent data; `None` if it is unknown.
    ///
    /// This is [`from_environment`](Self::from_environment) without the temporary files, which a system may delete.
    #[must_use]
    pub fn lasting() -> Option<PathBuf> {
        let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let state = named.or_else(sys::state_base).filter(|path| path.is_absolute());
        Some(state?.join("fuzzy-edit"))
    }

    /// Opens a folder of the state directory; creates it if it is missing.
    pub(crate) fn folder(&self, name: &str) -> Result<Directory, Error> {
        let mut failure = None;
        for candidate in &self.candidates {
            match usable(candidate).and_then(|directory| subfolder(&directory, name.as_ref())) {
                Ok(folder) => return Ok(folder),
                Err(source) => failure = failure.or(Some((candidate.clone(), source))),
            }
        }
        let (path, source) = failure.unwrap_or_else(|| (PathBuf::new(), ErrorKind::NotFound.into()));
        Err(Error::State { path, source })
    }

    /// Opens the folder in every state directory that has it.
    pub(crate) fn existing(&self, name: &str) -> Vec<Directory> {
        self.existing_at(name).into_iter().map(|(_, folder)| folder).collect()
    }

    /// Opens the folder in every state directory that has it; also returns its path.
    pub(crate) fn existing_at(&self, name: &str) -> Vec<(PathBuf, Directory)> {
        let paths = self.candidates.iter().map(|candidate| candidate.join(name));
        let opened = paths.filter_map(|path| sys::open_state(&path).ok().map(|folder| (path, folder)));
        opened.filter(|(_, folder)| sys::is_own(folder)).collect()
    }
}

/// Opens a directory that only this user can access; creates it and its parents if they are missing.
fn usable(path: &Path) -> io::Result<Directory> {
    let directory = match sys::open_state(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(above) = path.parent() {
                fs::create_dir_all(above)?;
            }
            match sys::make_state(path) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => sys::open_state(path)?,
            }
        }
        opened => opened?,
    };
    if !sys::is_own(&directory) {
        return Err(io::Error::other("it belongs to another user"));
    }
    Ok(directory)
}

fn subfolder(directory: &Directory, name: &OsStr) -> io::Result<Directory> {
    match sys::open_directory_to_read(directory, name) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        opened => return opened,
    }
    match sys::make_directory(directory, name, true) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => sys::open_directory_to_read(directory, name),
    }
}

/// Returns the names in a folder, sorted.
pub(crate) fn names(folder: &Directory) -> Vec<OsString> {
    let mut names = sys::names(folder).unwrap_or_default();
    names.sort();
    names
}
