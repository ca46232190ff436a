//! What is asked of files.

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
    /// The text to replace, as the caller believes it to be in the file.
    pub old_string: String,
    /// The text to put there; always literal.
    pub new_string: String,
    /// Whether every place is meant rather than the only one.
    #[serde(default)]
    pub replace_all: bool,
    /// How many places there must be, if the caller knows.
    #[serde(default)]
    pub count: Option<usize>,
    /// The line, counted from 1, where the caller believes the text to begin: of places that nothing else tells apart
    /// the nearest one is meant.
    #[serde(default)]
    pub line: Option<usize>,
    /// SHA-256 in hexadecimal of the file that the caller read, if another one is not to be edited.
    #[serde(default)]
    pub expected_hash: Option<String>,
}

impl FileEdit {
    /// Makes an edit of the one place that `old_string` means.
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

    /// Makes it an edit of every place, of which there must be `count` if that is given.
    #[must_use]
    pub fn everywhere(self, count: Option<usize>) -> Self {
        Self { replace_all: true, count, ..self }
    }

    /// Says on which line, counted from 1, the text is believed to begin.
    #[must_use]
    pub fn near(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    /// Makes it fail if the file is not as the caller read it.
    #[must_use]
    pub fn expecting(self, file_hash: impl Into<String>) -> Self {
        Self { expected_hash: Some(file_hash.into()), ..self }
    }
}

/// An edit whose texts are whole lines, and what else is said about its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The edit. Without an old text it adds lines to a file that exists.
    pub edit: FileEdit,
    /// What its lines are, in the order in which the patch shows them; a shortest diff says so where this is empty.
    pub marks: Vec<Mark>,
    /// What may choose between places that the ladder cannot tell apart. A line is one of the text as it is when it
    /// is the hunk's turn.
    pub hint: Hint,
    /// The first digits of the id that git gives to the file as it was before all edits.
    pub blob: Option<String>,
}

/// One thing to be done to a file. Several are done in order, and all of them or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Replaces a text in a file.
    Edit(FileEdit),
    /// Replaces whole lines in a file, as a patch says.
    Hunk(Hunk),
    /// Creates a file of UTF-8, and the directories above it; never overwrites one.
    Create {
        /// The new file.
        path: PathBuf,
        /// Its whole text.
        text: String,
        /// Whether it can be run; if nothing is said, it is like any new file, or like the one that it takes the place
        /// of.
        executable: Option<bool>,
    },
    /// Removes a file, of whatever bytes.
    Delete {
        /// The file.
        path: PathBuf,
        /// Everything that it has to hold, blanks aside; with anything else it is stale.
        text: Option<String>,
    },
    /// Moves a file, of whatever bytes, and creates the directories above its new place; never overwrites one. A file that
    /// a later operation moves away is not in the way, and is what its name means until then.
    Move {
        /// Where it is.
        from: PathBuf,
        /// Where it is to be.
        to: PathBuf,
    },
    /// Makes a file, of whatever bytes, one that can be run, or one that cannot.
    Mode {
        /// The file.
        path: PathBuf,
        /// Whether it can be run afterwards.
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

    /// Returns the edit that a text is looked for with, if it is one.
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

/// The texts of an edit that is asked about.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The text to look for.
    pub old_string: String,
    /// The text to put there; without it the question is only where the old one is.
    pub new_string: Option<String>,
    /// Whether every place is meant.
    pub replace_all: bool,
    /// The line near which the place is believed to be.
    pub line: Option<usize>,
}
