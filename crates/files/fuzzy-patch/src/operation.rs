//! Operations on files: the edits of a caller, and those of a patch.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::{
    CellEdit, CellName, CellType, Change, Edit, FilePatch, Hint, LineQuote, LineTransfer, NewPlace, Patch, PlaceError,
    Side,
};

/// One edit of one file. Exactly one way says where: an old text, or the quote of the ends of some lines.
///
/// # Examples
///
/// ```
/// use std::path::Path;
///
/// use fuzzy_patch::FileEdit;
///
/// let edit = FileEdit { replace_all: true, ..FileEdit::new(Path::new("a.py"), "colour", "color") };
/// assert!(edit.count.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(try_from = "Fields")]
pub struct FileEdit {
    /// The file: a path relative to the root, or an absolute path below it.
    pub file_path: PathBuf,
    /// The text to replace, as it is in the file; empty if `quote` says where.
    pub old_string: String,
    /// The replacement, which is literal.
    pub new_string: String,
    /// Whether to replace every occurrence.
    pub replace_all: bool,
    /// The required number of places.
    pub count: Option<usize>,
    /// The line, counted from 1, where the old text probably begins; the nearest of several equal places is chosen.
    pub line: Option<usize>,
    /// SHA-256 of the file as the caller read it, in hexadecimal.
    pub expected_hash: Option<String>,
    /// The quote that names the lines, instead of the old text.
    pub quote: Option<Box<LineQuote>>,
    /// The new place of the lines, if they are moved or copied instead of replaced; the new text is then empty.
    pub transfer: Option<Box<LineTransfer>>,
    /// The cell, if the edit is about one of a notebook.
    pub cell: Option<Box<CellEdit>>,
}

/// The properties of an edit in JSON.
#[derive(serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Fields {
    /// The file: a path relative to the root, or an absolute path below it.
    file_path: PathBuf,
    /// The text to replace, as it is in the file. It must occur only once, unless `replace_all` is true.
    old_string: Option<String>,
    /// The replacement, which is literal; it must differ from `old_string`.
    new_string: Option<String>,
    /// Whether to replace every occurrence.
    #[serde(default)]
    replace_all: bool,
    /// The required number of places.
    count: Option<usize>,
    /// The line, counted from 1, where `old_string` probably begins; the nearest of several equal places is chosen.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal; the edit is refused if the file changed since.
    expected_hash: Option<String>,
    /// Instead of `old_string`: the first line of the lines to replace, or as many as make it unique.
    first: Option<String>,
    /// The last line of the lines to replace; more lines if it occurs before the end.
    last: Option<String>,
    /// The number of lines from `first` to `last`, if `last` occurs several times.
    expected_lines: Option<usize>,
    /// Instead of `old_string`: the line below which `new_string` is inserted as lines of its own.
    after: Option<String>,
    /// Instead of `old_string`: the line above which `new_string` is inserted as lines of its own.
    before: Option<String>,
    /// Numbers of the first and the last line to replace, with `first` as a guard, or `expected_hash`.
    #[cfg_attr(feature = "schemars", schemars(with = "Option<[usize; 2]>"))]
    lines: Option<(usize, usize)>,
    #[cfg_attr(feature = "schemars", schemars(skip))]
    insert_line: Option<usize>,
    /// Instead of `new_string`: the place that the lines are moved to.
    move_to: Option<NewPlace>,
    /// Instead of `new_string`: the place that the lines are copied to.
    copy_to: Option<NewPlace>,
    /// The cell of a notebook, by its id or its number from 1: the place is searched in it, or all of it is replaced.
    cell: Option<CellName>,
    /// Inserts a new cell with the source `new_string` on this side of `cell`, or at this end of the notebook.
    insert_cell: Option<Side>,
    /// The kind of the new cell; by default code.
    cell_type: Option<CellType>,
    /// Deletes `cell`.
    #[serde(default)]
    delete_cell: bool,
}

impl TryFrom<Fields> for FileEdit {
    type Error = PlaceError;

    fn try_from(fields: Fields) -> Result<Self, PlaceError> {
        let Fields { file_path, old_string, new_string, replace_all, count, line, expected_hash, .. } = fields;
        let Fields { first, last, expected_lines, after, before, lines, insert_line, move_to, copy_to, .. } = fields;
        let Fields { cell, insert_cell, cell_type, delete_cell, .. } = fields;
        let quote = LineQuote { first, last, expected_lines, after, before, lines, insert_line };
        let cell = CellEdit { cell: cell.map(String::from), insert: insert_cell, cell_type, delete: delete_cell };
        let cell = (cell != CellEdit::default()).then(|| Box::new(cell));
        if new_string.is_none() && cell.is_none() && move_to.is_none() && copy_to.is_none() {
            return Err(PlaceError::NoNew);
        }
        // An empty old text beside a cell is none.
        let old_string = old_string.filter(|old| cell.is_none() || !old.is_empty());
        let has_place = old_string.is_some() || !quote.is_empty();
        if cell.is_none() || has_place {
            quote.check(old_string.is_some(), replace_all)?;
        }
        let quote = (!quote.is_empty()).then(|| Box::new(quote));
        let transfer = match (move_to, copy_to) {
            (Some(_), Some(_)) => return Err(PlaceError::Both("move_to", "copy_to")),
            (Some(to), None) => Some(Box::new(LineTransfer::new(to, false))),
            (None, to) => to.map(|to| Box::new(LineTransfer::new(to, true))),
        };
        let has_new = new_string.as_ref().is_some_and(|new| !new.is_empty());
        if let Some(cell) = &cell {
            cell.check(has_place, new_string.is_some(), transfer.as_deref())?;
        }
        if let Some(transfer) = &transfer {
            transfer.check(quote.as_deref(), replace_all, has_new)?;
        }
        let (old_string, new_string) = (old_string.unwrap_or_default(), new_string.unwrap_or_default());
        Ok(Self { file_path, old_string, new_string, replace_all, count, line, expected_hash, quote, transfer, cell })
    }
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
            quote: None,
            transfer: None,
            cell: None,
        }
    }

    /// Makes an edit of the lines that `quote` names.
    #[must_use]
    pub fn of_lines(file_path: &Path, quote: LineQuote, new_string: impl Into<String>) -> Self {
        Self { quote: Some(Box::new(quote)), ..Self::new(file_path, "", new_string) }
    }

    /// Makes the edit move its lines, or copy them, instead of replacing them.
    #[must_use]
    pub fn with_transfer(self, transfer: LineTransfer) -> Self {
        Self { transfer: Some(Box::new(transfer)), ..self }
    }

    /// Makes the edit one of a cell of a notebook.
    #[must_use]
    pub fn of_cell(self, cell: CellEdit) -> Self {
        Self { cell: Some(Box::new(cell)), ..self }
    }

    /// Returns every file that the edit changes.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let other = self.transfer.as_ref().and_then(|transfer| transfer.to.file_path.as_deref());
        [self.file_path.as_path()].into_iter().chain(other)
    }

    /// Returns the text that is searched in the file: the old text, or the quote of the first lines.
    #[must_use]
    pub fn searched(&self) -> &str {
        self.quote.as_ref().map_or(&self.old_string, |quote| quote.quoted())
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

/// A hunk of a patch: an edit of whole lines, with hints about its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The file.
    pub path: PathBuf,
    /// The edit. Without an old text it adds lines to an existing file. The line of its hint is that of the text after all
    /// earlier hunks.
    pub edit: Edit,
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
            Self::Edit(edit) => &edit.file_path,
            Self::Hunk(Hunk { path, .. })
            | Self::Create { path, .. }
            | Self::Delete { path, .. }
            | Self::Mode { path, .. } => path,
            Self::Move { from, .. } => from,
        }
    }

    /// Returns the edit whose text must be found, if the operation has one.
    #[must_use]
    pub fn edit(&self) -> Option<Cow<'_, FileEdit>> {
        match self {
            Self::Edit(edit) => Some(Cow::Borrowed(edit)),
            Self::Hunk(Hunk { path, edit, .. }) => Some(Cow::Owned(FileEdit::new(path, &*edit.old, &*edit.new))),
            _ => None,
        }
    }

    /// Returns every path that the operation may change.
    #[must_use]
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Move { from, to } => vec![from, to],
            Self::Edit(edit) => edit.paths().collect(),
            _ => vec![self.path()],
        }
    }
}

impl From<FileEdit> for Operation {
    fn from(edit: FileEdit) -> Self {
        Self::Edit(edit)
    }
}

impl Patch {
    /// Returns the operations, in order: one for each edit, and one for each file that is created, deleted or moved or
    /// whose mode changes. They are one batch.
    ///
    /// A diff's line numbers refer to the file before all hunks; those of the result include the lines that earlier
    /// hunks add and remove.
    #[must_use]
    pub fn operations(&self) -> Vec<Operation> {
        let mut operations = Vec::new();
        for FilePatch { file, change, executable, .. } in &self.files {
            let path = PathBuf::from(file);
            match change {
                Change::Create { text } => {
                    operations.push(Operation::Create { path, text: text.clone(), executable: *executable });
                }
                Change::Delete { text } => operations.push(Operation::Delete { path, text: text.clone() }),
                Change::Update { edits, to, blob } => {
                    let mut lines = Lines::default();
                    operations.extend(edits.iter().map(|edit| {
                        let hint = Hint { line: lines.pass(edit), ..edit.hint.clone() };
                        let edit = Edit { hint, ..edit.clone() };
                        Operation::Hunk(Hunk { path: path.clone(), edit, blob: blob.clone() })
                    }));
                    let last = to.as_ref().map_or_else(|| path.clone(), PathBuf::from);
                    operations.extend(to.as_ref().map(|to| Operation::Move { from: path, to: PathBuf::from(to) }));
                    operations.extend(executable.map(|executable| Operation::Mode { path: last, executable }));
                }
            }
        }
        operations
    }
}

/// Converts line numbers of the unchanged file to line numbers after the edits so far, from top to bottom.
#[derive(Default)]
struct Lines {
    /// The first line of the last edit.
    last: usize,
    /// Lines added and removed so far.
    added: usize,
    removed: usize,
    /// Whether an edit had no line number or was out of order.
    is_lost: bool,
}

impl Lines {
    /// Returns the line of the next edit, if it and all edits before it have line numbers.
    fn pass(&mut self, edit: &Edit) -> Option<usize> {
        let line = edit.hint.line.filter(|line| *line >= self.last);
        self.is_lost |= line.is_none();
        let now = line.filter(|_| !self.is_lost)?.checked_add(self.added)?.checked_sub(self.removed);
        self.last = line?;
        self.added += edit.new.split_inclusive('\n').count();
        self.removed += edit.old.split_inclusive('\n').count();
        now
    }
}
