//! What can be done to files besides editing their text.

use std::path::{Path, PathBuf};

use crate::draft::Drafts;
use crate::editor::FileEdit;
use crate::hunk::Hunk;
use crate::{Code, Failure, FileError, Lines, Status, Success, unified_diff};

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
    },
    /// Removes a file, of whatever bytes.
    Delete {
        /// The file.
        path: PathBuf,
        /// Everything that it has to hold, blanks aside; with anything else it is stale.
        text: Option<String>,
    },
    /// Moves a file, of whatever bytes, and creates the directories above its new place; never overwrites one.
    Move {
        /// Where it stands.
        from: PathBuf,
        /// Where it is to stand.
        to: PathBuf,
    },
}

impl Operation {
    /// Returns the path that reports of the operation name.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Edit(edit) | Self::Hunk(Hunk { edit, .. }) => &edit.file_path,
            Self::Create { path, .. } | Self::Delete { path, .. } => path,
            Self::Move { from, .. } => from,
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

/// Plans the creation of a file; returns its draft and what is to be reported.
pub(crate) fn create(
    drafts: &mut Drafts,
    path: &Path,
    text: &str,
    limit: u64,
) -> Result<(usize, Success), Box<Failure>> {
    if text.len() as u64 > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit }.into());
    }
    let index = drafts.open(path)?;
    if !drafts.is_absent(index) {
        return Err(FileError::Exists { path: path.to_owned() }.into());
    }
    drafts.create(index, text.to_owned());
    let lines = lines_of(text);
    Ok((index, done(path, lines_of(""), lines, unified_diff(&path.to_string_lossy(), "", text), "the file is new")))
}

/// Plans the removal of a file, which has to hold `expected` if that is given.
pub(crate) fn delete(
    drafts: &mut Drafts,
    path: &Path,
    expected: Option<&str>,
) -> Result<(usize, Success), Box<Failure>> {
    let index = drafts.open(path)?;
    if drafts.is_absent(index) {
        return Err(FileError::Missing { path: path.to_owned() }.into());
    }
    // What is no text has no diff.
    let text = drafts.text(index, path).map(|(_, text)| text.to_owned()).unwrap_or_default();
    // Who shows every word of a file means it, whatever became of the blanks on the way.
    if expected.is_some_and(|expected| !expected.split_whitespace().eq(text.split_whitespace())) {
        return Err(FileError::Stale { path: path.to_owned() }.into());
    }
    drafts.remove(index);
    let diff = unified_diff(&path.to_string_lossy(), &text, "");
    Ok((index, done(path, lines_of(&text), lines_of(""), diff, "the file is removed")))
}

/// Plans the move of a file; returns the draft of its new place.
pub(crate) fn rename(drafts: &mut Drafts, from: &Path, to: &Path) -> Result<(usize, Success), Box<Failure>> {
    let (source, target) = (drafts.open(from)?, drafts.open(to)?);
    if drafts.is_absent(source) {
        return Err(FileError::Missing { path: from.to_owned() }.into());
    }
    if !drafts.is_absent(target) {
        return Err(FileError::Exists { path: to.to_owned() }.into());
    }
    drafts.rename(source, target)?;
    let lines = drafts.text(target, to).map_or(lines_of(""), |(_, text)| lines_of(text));
    Ok((target, done(from, lines, lines, String::new(), &format!("the file is moved to `{}`", to.display()))))
}

/// Says that an empty text cannot be replaced in a file that exists.
pub(crate) fn empty_needle(path: &Path) -> Failure {
    Failure::new(
        Code::EmptyNeedle,
        format!("the old text is empty, and `{}` exists", path.display()),
        "Give the text that is to be replaced; an empty one only creates a file that does not exist.",
    )
}

fn done(path: &Path, lines_before: Lines, lines_after: Lines, diff: String, note: &str) -> Success {
    Success {
        // Known when the plan ends, as is the hash.
        status: Status::NotWritten,
        file_path: path.to_string_lossy().into_owned(),
        strategy: None,
        similarity: 1.0,
        confidence: 1.0,
        occurrences: 0,
        changed: true,
        lines_before,
        lines_after,
        diff,
        note: Some(note.to_owned()),
        file_hash: None,
    }
}

/// Returns the lines of a whole text, of which an empty one has a first one too.
fn lines_of(text: &str) -> Lines {
    Lines(1, text.lines().count().max(1))
}
