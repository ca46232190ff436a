//! What a patch asks for.

/// What a patch asks for, in the order in which it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The operations; neighbours that update the same file are one.
    pub operations: Vec<Operation>,
}

impl Patch {
    /// Returns the names of the files that have to exist before it.
    pub fn needed(&self) -> impl Iterator<Item = &str> {
        let operations = self.operations.iter().filter(|operation| !matches!(operation.action, Action::Create { .. }));
        operations.map(|operation| operation.file.as_str())
    }
}

/// What is to become of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The file, as the patch names it, without the `a/` and `b/` of a diff. Nothing says that it is a safe path.
    pub file: String,
    /// The line of the patch where this begins, counted from 1; 0 for an operation that no patch was read for.
    pub line: usize,
    /// What is to be done.
    pub action: Action,
    /// Whether the file is one that can be run when that is done, or was one before it is removed; none if the patch
    /// does not say so, or says nothing else than before.
    pub executable: Option<bool>,
}

/// What is to be done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Make the file; it must not exist.
    Create {
        /// Everything that it will hold.
        text: String,
    },
    /// Remove the file.
    Delete {
        /// Everything that it holds as the patch has it, if the patch says so.
        text: Option<String>,
    },
    /// Edit the file, give it another name, or both.
    Update {
        /// The edits, in order; none only if the file gets another name or another mode.
        edits: Vec<Edit>,
        /// The new name, which must be free.
        to: Option<String>,
        /// The first digits of the id that git gives to the file as it was, from the patch's `index` line.
        blob: Option<String>,
    },
}

/// One text to replace by another. Both are whole lines; only the last line may lack its line break, in a diff that
/// says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The text to replace. Empty where the patch inserts lines and does not show what is around them.
    pub old: String,
    /// The text to put there.
    pub new: String,
    /// What each line is, in the order in which a hunk shows them; empty where the patch does not say, as in a block.
    pub marks: Vec<Mark>,
    /// What else the patch says about the place.
    pub hint: Hint,
    /// The line of the patch where the edit begins, counted from 1; 0 for an edit that no patch was read for.
    pub line: usize,
}

/// What a hunk says of one of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The line stays: it belongs to the old text and to the new one.
    Keep,
    /// The line goes: it belongs to the old text.
    Remove,
    /// The line comes: it belongs to the new text.
    Add,
}

/// What a patch says about a place beside the text that is there. Often wrong, so it may choose between places
/// that are otherwise equal, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// The line of the file where the old text begins or where new text goes, counted from 1, before all edits.
    pub line: Option<usize>,
    /// Lines above the place, from the outermost to the innermost: a class, a function in it.
    pub anchors: Vec<String>,
    /// Whether the place is at the end of the file.
    pub at_end: bool,
    /// How many lines the old text has according to the patch, where that is more than it shows, and every line that
    /// goes or comes is accounted for: so many lines that stay were left out.
    pub old_lines: Option<usize>,
}

impl Hint {
    /// Returns whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.line.is_none() && self.anchors.is_empty() && !self.at_end && self.old_lines.is_none()
    }
}

impl Patch {
    /// Adds an operation; an update of the file that the last operation updates joins it.
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

    /// Returns the patch as it would be read from another text: neighbours joined, without line numbers of the patch
    /// and without what only some formats say of single lines.
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
