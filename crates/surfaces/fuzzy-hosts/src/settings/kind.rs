//! The kinds of settings files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fuzzy_edit::{Encoding, TextFile};

use super::change::SettingsError;
use super::{json, toml};
use crate::host::Host;
use crate::item::{Item, NAME, Parts, Site};

/// The largest settings file to read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The kind of a settings file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Json,
    Toml(&'static str),
    Own,
}

impl Kind {
    /// Returns whether a text contains anything of ours for a host.
    pub(crate) fn has(self, text: &str, host: &Host) -> Result<bool, String> {
        match self {
            Self::Json => json::count(text, host.name).map(|count| count > 0),
            Self::Toml(table) => toml::has(text, table),
            Self::Own => Ok(is_own(text)),
        }
    }

    /// Returns a text without our entries for a host; `None` if no file is left.
    pub(crate) fn without(self, text: &str, host: &Host) -> Result<Option<String>, String> {
        match self {
            Self::Json => json::without(text, host.name).map(Some),
            Self::Toml(table) => toml::without(text, table).map(Some),
            Self::Own => Ok(None),
        }
    }
}

/// Returns the files that may contain the settings of a host.
pub(crate) fn places(host: &Host, site: &Site) -> BTreeMap<PathBuf, Kind> {
    let all = Parts { repair: true, turns: true, mcp: true };
    let items = (host.settings)(site, all).into_iter();
    items
        .map(|item| match item {
            Item::Entry(path, _) => (path, Kind::Json),
            Item::Table(path, table, _) => (path, Kind::Toml(table)),
            Item::File { path, .. } => (path, Kind::Own),
        })
        .collect()
}

/// Returns whether a file with the name of one of ours is ours.
pub(crate) fn is_own(text: &str) -> bool {
    text.contains(NAME)
}

/// Reads a settings file; returns `None` if it does not exist.
pub(crate) fn read(path: &Path) -> Result<Option<String>, SettingsError> {
    if !path.exists() && !path.is_symlink() {
        return Ok(None);
    }
    let unreadable = |why: String| SettingsError::Unreadable { path: path.to_owned(), why };
    let file = TextFile::read(path, MAX_BYTES).map_err(|error| unreadable(error.to_string()))?;
    if file.encoding() != Encoding::UTF_8 || !file.mark().is_empty() {
        return Err(unreadable("the file is not UTF-8 without a byte order mark".to_owned()));
    }
    Ok(Some(file.text().to_owned()))
}
