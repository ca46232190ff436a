//! Requests about the place of an edit.

use std::path::PathBuf;

use serde::Deserialize;

/// An edit to locate or explain, without one of its conditions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
    /// The file.
    pub file_path: PathBuf,
    /// The text to look for.
    pub old_string: String,
    /// The text to put there; without it only the place of the old text is searched.
    #[serde(default)]
    pub new_string: Option<String>,
    /// Whether to locate every place.
    #[serde(default)]
    pub replace_all: bool,
    /// The line hint, counted from 1.
    #[serde(default)]
    pub line: Option<usize>,
}
