//! The texts of settings before our changes, and our entries in them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fuzzy_safe_write::{State, open_to_append, open_to_read, sha256};
use serde::{Deserialize, Serialize};

use super::change::FileChange;
use crate::item::Entry;

/// The text of a settings file before and after our change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    path: PathBuf,
    /// The text before; `None` if the file did not exist.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// The number of parent directories that were created for the file.
    #[serde(default)]
    pub(crate) directories: usize,
    /// The entries of ours in the text after.
    #[serde(default)]
    pub(crate) entries: Vec<Entry>,
    /// The paths of the objects and lists that exist for them.
    #[serde(default)]
    pub(crate) made: Vec<Vec<String>>,
}

/// A directory with a record of each settings file that we changed, and with copies of the files before.
#[derive(Debug)]
pub struct Records {
    pub(super) directory: PathBuf,
}

impl Records {
    /// Stores them in `directory`, which is created when it is needed.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Stores them in the user's state directory; returns `None` if that is unknown.
    #[must_use]
    pub fn from_environment() -> Option<Self> {
        State::lasting().map(|state| Self::at(state.join("init")))
    }

    /// Waits until no other process changes settings, and keeps others waiting while the returned file is open: a plan
    /// reads settings and records, which must belong together. Calls `wait` before it waits.
    ///
    /// # Errors
    ///
    /// The directory of records cannot be written.
    pub fn lock(&self, wait: impl FnOnce()) -> io::Result<fs::File> {
        fs::create_dir_all(&self.directory)?;
        let lock = open_to_append(&self.directory.join("lock"))?;
        if lock.try_lock().is_err() {
            wait();
            lock.lock()?;
        }
        Ok(lock)
    }

    /// Returns the record of our change of a file, if its text is still `now`.
    pub(crate) fn unchanged(&self, path: &Path, now: &str) -> Option<Record> {
        self.read(path).filter(|record| record.after.as_deref() == Some(now))
    }

    /// Returns the record of our last change of a file.
    pub(crate) fn read(&self, path: &Path) -> Option<Record> {
        let text = io::read_to_string(open_to_read(&self.file(path)).ok()?).ok()?;
        serde_json::from_str(&text).ok().filter(|record: &Record| record.path == path)
    }

    /// Returns the file for a copy of a settings file with this text. Another text has another copy, so no copy is
    /// overwritten. Returns `None` if the text is from our last change.
    pub(crate) fn copy(&self, path: &Path, now: &str) -> Option<PathBuf> {
        if self.unchanged(path, now).is_some() {
            return None;
        }
        let [file, text] = [path.as_os_str().as_encoded_bytes(), now.as_bytes()].map(sha256);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Some(self.directory.join("copies").join(format!("{}-{}-{name}", &file[..8], &text[..8])))
    }

    /// Stores a copy of a file before a change, and a record of the change. After an earlier change of ours, the record
    /// has the text before that change. Both are durable when this returns. Returns the former record.
    ///
    /// # Errors
    ///
    /// The copy or the record cannot be written.
    pub(crate) fn keep(&self, change: &FileChange) -> io::Result<Option<Vec<u8>>> {
        if let (Some(copy), Some(text)) = (&change.copy, &change.before) {
            write(copy, text.as_bytes())?;
        }
        let earlier = change.before.as_deref().and_then(|now| self.unchanged(&change.path, now));
        let before = earlier.map_or_else(|| change.before.clone(), |record| record.before);
        let record = Record {
            path: change.path.clone(),
            before,
            after: change.after.clone(),
            directories: change.directories,
            entries: change.entries.clone(),
            made: change.made.clone(),
        };
        let file = self.file(&change.path);
        let former = fs::read(&file).ok();
        write(&file, &serde_json::to_vec(&record)?)?;
        Ok(former)
    }

    /// Puts a former record of a file back, because the change failed.
    pub(crate) fn put_back(&self, path: &Path, former: Option<&[u8]>) {
        // A record of a change that was not made only names entries that do not exist.
        let _ = match former {
            Some(record) => write(&self.file(path), record),
            None => fs::remove_file(self.file(path)),
        };
    }

    fn file(&self, path: &Path) -> PathBuf {
        self.directory.join(format!("{}.json", &sha256(path.as_os_str().as_encoded_bytes())[..16]))
    }
}

/// Writes a file that only the user can read, all of it or nothing.
fn write(file: &Path, text: &[u8]) -> io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = file.with_file_name(name);
    let _ = fs::remove_file(&new);
    let mut opened = open_to_append(&new)?;
    opened.write_all(text)?;
    opened.sync_all()?;
    fs::rename(new, file)
}
