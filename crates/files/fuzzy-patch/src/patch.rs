//! The operations of a patch.

/// A patch, as operations in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The operations; neighbouring updates of one file are joined.
    pub operations: Vec<Operation>,
}

impl Patch {
    /// Returns the names of the files that must exist.
    pub fn needed(&self) -> impl Iterator<Item = &str> {
        let operations = self.operations.iter().filter(|operation| !matches!(operation.action, Action::Create { .. }));
        operations.map(|operation| operation.file.as_str())
    }
}

/// The operation on one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The file, as the patch names it, without the `a/` and `b/` of a diff. The path is not checked.
    pub file: String,
    /// The line of the patch where the operation begins, counted from 1; 0 for an operation that was not read from a
    /// patch.
    pub line: usize,
    /// The change.
    pub action: Action,
    /// Whether the file is executable after the operation, or before its removal; `None` if the patch does not set or
    /// change that.
    pub executable: Option<bool>,
}

/// The change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
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
    /// Adds an operation; joins it with the last one if both update the same file.
    pub(crate) fn push(&mut self, operation: Operation) {
        if let Action::Update { edits: more, to: None, blob: None } = &operation.action
            && let Some(last) = self.operations.last_mut()
            && last.file == operation.file
            && last.executable.or(operation.executable).is_none()
            && let Action::Update { edits, to: None, blob: None } = &mut last.action
        {
            edits.extend_from_slice(more);
            return;
        }
        self.operations.push(operation);
    }

    /// Returns the patch in a normal form: neighbours joined, without line numbers of the patch and without line
    /// details that only some formats have.
    pub(crate) fn normal(&self) -> Self {
        let mut normal = Self::default();
        for operation in &self.operations {
            let mut operation = Operation { line: 0, ..operation.clone() };
            if let Action::Update { edits, .. } = &mut operation.action {
                for edit in edits {
                    edit.line = 0;
                    edit.marks.clear();
                    edit.hint.old_lines = None;
                }
            } else {
                operation.executable = operation.executable.filter(|executable| *executable);
            }
            normal.push(operation);
        }
        normal
    }
}
