//! The parts of a patch, one for each file.

/// A patch, as its format has it: file by file. [`Patch::operations`] returns what to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The parts, in order; neighbouring updates of one file are joined.
    pub files: Vec<FilePatch>,
}

impl Patch {
    /// Returns the names of the files that must exist.
    pub fn needed(&self) -> impl Iterator<Item = &str> {
        let parts = self.files.iter().filter(|part| !matches!(part.change, Change::Create { .. }));
        parts.map(|part| part.file.as_str())
    }
}

/// The part of a patch about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePatch {
    /// The file, as the patch names it, without the `a/` and `b/` of a diff. The path is not checked.
    pub file: String,
    /// The line of the patch where the part begins, counted from 1; 0 for a part that was not read from a
    /// patch.
    pub line: usize,
    /// The change.
    pub change: Change,
    /// Whether the file is executable afterwards, or before its removal; `None` if the patch does not set or
    /// change that.
    pub executable: Option<bool>,
}

/// The change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Creates the file, which must not exist.
    Create {
        /// Its whole text.
        text: String,
    },
    /// Removes the file.
    Delete {
        /// Its whole text, if the patch has it.
        text: Option<String>,
    },
    /// Edits the file, renames it, or both.
    Update {
        /// The edits, in order; empty only for a new name or mode.
        edits: Vec<Edit>,
        /// The new name, which must not exist.
        to: Option<String>,
        /// The first digits of git's id of the old file, from the patch's `index` line.
        blob: Option<String>,
    },
}

/// One text to replace by another. Both consist of whole lines; only in a diff that marks it so, the last line may lack
/// its line break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The text to replace. Empty if the patch inserts lines without context.
    pub old: String,
    /// The text to put there.
    pub new: String,
    /// The kind of each line, in the order of the hunk; empty if the patch does not mark lines, as in a block.
    pub marks: Vec<Mark>,
    /// Everything else that the patch says about the place.
    pub hint: Hint,
    /// The line of the patch where the edit begins, counted from 1; 0 for an edit that was not read from a patch.
    pub line: usize,
}

/// The kind of a line in a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A context line: it belongs to the old and the new text.
    Keep,
    /// A removed line: it belongs to the old text.
    Remove,
    /// An added line: it belongs to the new text.
    Add,
}

/// Hints of a patch about the place of an edit. They are often wrong, so they only choose between equal places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// The line of the file before all edits where the old text begins or new text is inserted, counted from 1.
    pub line: Option<usize>,
    /// Lines above the place, from the outermost to the innermost: a class, then a function in it.
    pub anchors: Vec<String>,
    /// Whether the place is at the end of the file.
    pub at_end: bool,
    /// The number of old lines according to the patch, if it is larger than in the hunk and every changed line is
    /// accounted for: the hunk omits that many context lines.
    pub old_lines: Option<usize>,
}

impl Hint {
    /// Returns whether there is no hint.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.line.is_none() && self.anchors.is_empty() && !self.at_end && self.old_lines.is_none()
    }
}

impl Patch {
    /// Adds a part; joins it with the last one if both update the same file.
    pub(crate) fn push(&mut self, part: FilePatch) {
        if let Change::Update { edits: more, to: None, blob: None } = &part.change
            && let Some(last) = self.files.last_mut()
            && last.file == part.file
            && last.executable.or(part.executable).is_none()
            && let Change::Update { edits, to: None, blob: None } = &mut last.change
        {
            edits.extend_from_slice(more);
            return;
        }
        self.files.push(part);
    }

    /// Returns the patch in a normal form: neighbours joined, without line numbers of the patch and without line
    /// details that only some formats have.
    pub(crate) fn normal(&self) -> Self {
        let mut normal = Self::default();
        for part in &self.files {
            let mut part = FilePatch { line: 0, ..part.clone() };
            if let Change::Update { edits, .. } = &mut part.change {
                for edit in edits {
                    edit.line = 0;
                    edit.marks.clear();
                    edit.hint.old_lines = None;
                }
            } else {
                part.executable = part.executable.filter(|executable| *executable);
            }
            normal.push(part);
        }
        normal
    }
}
