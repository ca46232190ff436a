//! The texts of settings before our changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fuzzy_safe_write::{State, open_to_append, open_to_read, sha256};
use serde::{Deserialize, Serialize};

use super::change::FileChange;

/// The text of a settings file before and after our change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    path: PathBuf,
    /// The text before; `None` if the file did not exist.
    pub(crate) before: Option<String>,
    after: Option<String>,
    /// The number of parent directories that were created for the file.
    #[serde(default)]
    pub(crate) directories: usize,
}

/// A directory with the text of each settings file before our change.
#[derive(Debug)]
pub struct Records {
    directory: PathBuf,
}

impl Records {
    /// Stores the texts in `directory`, which is created when it is needed.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Stores the texts in the user's state directory; returns `None` if that is unknown.
    #[must_use]
    pub fn from_environment() -> Option<Self> {
        State::lasting().map(|state| Self::at(state.join("init")))
    }

    /// Returns the record of our change of a file, if its text is still `now`.
    pub(crate) fn unchanged(&self, path: &Path, now: &str) -> Option<Record> {
        self.read(path).filter(|record| record.path == path && record.after.as_deref() == Some(now))
    }

    /// Stores the text of a file before a change. After an earlier change of ours, stores the text before that change.
    ///
    /// # Errors
    ///
    /// The file of the record cannot be written.
    pub fn keep(&self, change: &FileChange) -> io::Result<()> {
        let earlier = change.before.as_deref().and_then(|now| self.unchanged(&change.path, now));
        let before = earlier.map_or_else(|| change.before.clone(), |record| record.before);
        let record =
            Record { path: change.path.clone(), before, after: change.after.clone(), directories: change.directories };
        fs::create_dir_all(&self.directory)?;
        let (file, new) = (self.file(&change.path), self.file(&change.path).with_extension("new"));
        let _ = fs::remove_file(&new);
        serde_json::to_writer(open_to_append(&new)?, &record)?;
        fs::rename(new, file)
    }

    fn read(&self, path: &Path) -> Option<Record> {
        let text = io::read_to_string(open_to_read(&self.file(path)).ok()?).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn file(&self, path: &Path) -> PathBuf {
        self.directory.join(format!("{}.json", &sha256(path.as_os_str().as_encoded_bytes())[..16]))
    }
}
