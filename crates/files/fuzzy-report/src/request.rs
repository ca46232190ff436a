//! Requests to change files.

use std::path::{Path, PathBuf};

use fuzzy_patch::{Hint, Mark};
use serde::Deserialize;

/// One edit of one file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FileEdit {
    /// The file.
    pub file_path: PathBuf,
    /// The text to replace, as the caller believes the file has it.
    pub old_string: String,
    /// The text to put there; always literal.
    pub new_string: String,
    /// Whether to replace every place instead of the only one.
    #[serde(default)]
    pub replace_all: bool,
    /// The required number of places.
    #[serde(default)]
    pub count: Option<usize>,
    /// The line, counted from 1, where the caller believes the text begins: if several places match equally, the
    /// nearest one is taken.
    #[serde(default)]
    pub line: Option<usize>,
    /// SHA-256 of the file that the caller read, in hexadecimal: the edit fails if the file is a different one.
    #[serde(default)]
    pub expected_hash: Option<String>,
}

impl FileEdit {
    /// Makes an edit of the one place that `old_string` matches.
    #[must_use]
    pub fn new(file_path: &Path, old_string: impl Into<String>, new_string: impl Into<String>) -> Self {
        Self {
            file_path: file_path.to_owned(),
            old_string: old_string.into(),
            new_string: new_string.into(),
            replace_all: false,
            count: None,
            line: None,
            expected_hash: None,
        }
    }

    /// Makes the edit replace every place, and require exactly `count` places if given.
    #[must_use]
    pub fn everywhere(self, count: Option<usize>) -> Self {
        Self { replace_all: true, count, ..self }
    }

    /// Sets the line hint, counted from 1.
    #[must_use]
    pub fn near(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    /// Makes the edit fail if the file has another hash.
    #[must_use]
    pub fn expecting(self, file_hash: impl Into<String>) -> Self {
        Self { expected_hash: Some(file_hash.into()), ..self }
    }
}

/// An edit of whole lines, with hints about its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The edit. Without an old text it adds lines to an existing file.
    pub edit: FileEdit,
    /// The kind of each line, in the order of the patch; if empty, a shortest diff of the texts determines them.
    pub marks: Vec<Mark>,
    /// Hints that choose between places that the ladder rates equal. Its line number refers to the text after all
    /// earlier hunks.
    pub hint: Hint,
    /// The first digits of git's id of the file before all edits.
    pub blob: Option<String>,
}

/// One change of a file. A list of operations runs in order, and all of them succeed or none is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Replaces a text in a file.
    Edit(FileEdit),
    /// Replaces whole lines in a file, as a hunk of a patch.
    Hunk(Hunk),
    /// Creates a file in UTF-8 and its parent directories; never overwrites a file.
    Create {
        /// The new file.
        path: PathBuf,
        /// Its whole text.
        text: String,
        /// Whether it is executable; by default it gets the permissions of any new file, or of the file that it
        /// replaces.
        executable: Option<bool>,
    },
    /// Removes a file of any content.
    Delete {
        /// The file.
        path: PathBuf,
        /// The required content, compared without blanks; the operation fails as stale if the file has other content.
        text: Option<String>,
    },
    /// Moves a file of any content and creates the parent directories of its new path; never overwrites a file. A file
    /// at the new path that a later operation moves away is no obstacle, and keeps its name until then.
    Move {
        /// The current path.
        from: PathBuf,
        /// The new path.
        to: PathBuf,
    },
    /// Makes a file of any content executable or not executable.
    Mode {
        /// The file.
        path: PathBuf,
        /// Whether it is executable afterwards.
        executable: bool,
    },
}

impl Operation {
    /// Returns the path that reports of the operation name.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Edit(edit) | Self::Hunk(Hunk { edit, .. }) => &edit.file_path,
            Self::Create { path, .. } | Self::Delete { path, .. } | Self::Mode { path, .. } => path,
            Self::Move { from, .. } => from,
        }
    }

    /// Returns the edit whose text must be found, if the operation has one.
    #[must_use]
    pub const fn edit(&self) -> Option<&FileEdit> {
        match self {
            Self::Edit(edit) | Self::Hunk(Hunk { edit, .. }) => Some(edit),
            _ => None,
        }
    }

    /// Returns every path that the operation may change.
    #[must_use]
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Move { from, to } => vec![from, to],
            _ => vec![self.path()],
        }
    }
}

impl From<FileEdit> for Operation {
    fn from(edit: FileEdit) -> Self {
        Self::Edit(edit)
    }
}

/// The texts of an edit to locate or explain.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The text to look for.
    pub old_string: String,
    /// The text to put there; without it only the place of the old text is searched.
    pub new_string: Option<String>,
    /// Whether to locate every place.
    pub replace_all: bool,
    /// The line hint, counted from 1.
    pub line: Option<usize>,
}
