//! The kinds of settings files.

use std::path::{Path, PathBuf};

use fuzzy_edit::{Encoding, TextFile};

use super::change::SettingsError;
use crate::item::Item;

/// The largest settings file to read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The kind of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A JSON file with entries of ours.
    Json,
    /// A TOML file with entries of ours.
    Toml,
    /// A file that we write as a whole.
    Own,
}

/// Returns the file of an item, and its kind.
pub(crate) fn place(item: &Item) -> (PathBuf, Kind) {
    match item {
        Item::Entry(path, _) if path.extension().is_some_and(|extension| extension == "toml") => {
            (path.clone(), Kind::Toml)
        }
        Item::Entry(path, _) => (path.clone(), Kind::Json),
        Item::File { path, .. } => (path.clone(), Kind::Own),
    }
}

/// Splits a text into its byte order mark and the rest.
pub(crate) fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

/// Reads a settings file, with its byte order mark; returns `None` if it does not exist.
pub(crate) fn read(path: &Path) -> Result<Option<String>, SettingsError> {
    if !path.exists() && !path.is_symlink() {
        return Ok(None);
    }
    let unreadable = |why: String| SettingsError::Unreadable { path: path.to_owned(), why };
    let file = TextFile::read(path, MAX_BYTES).map_err(|error| unreadable(error.to_string()))?;
    if file.encoding() != Encoding::UTF_8 {
        return Err(unreadable("the file is not UTF-8".to_owned()));
    }
    Ok(Some(format!("{}{}", file.mark(), file.text())))
}
