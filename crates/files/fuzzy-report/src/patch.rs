//! Turns a patch into operations on files.

use std::path::PathBuf;

use fuzzy_patch::{Action, Edit, Hint, Patch};

use crate::{FileEdit, Hunk, Operation};

/// Returns the operations that `patch` asks for, in order: one for each edit, and for each file that is created,
/// deleted or moved, or gets another mode. They are one batch.
///
/// Line numbers count what the hunks before add and remove, as those of a diff are of the file before all of them.
#[must_use]
pub fn operations_of(patch: &Patch) -> Vec<Operation> {
    let mut operations = Vec::new();
    for operation in &patch.operations {
        let file = PathBuf::from(&operation.file);
        match &operation.action {
            Action::Create { text } => {
                let executable = operation.executable;
                operations.push(Operation::Create { path: file, text: text.clone(), executable });
            }
            Action::Delete { text } => operations.push(Operation::Delete { path: file, text: text.clone() }),
            Action::Update { edits, to, blob } => {
                let mut lines = Lines::default();
                for edit in edits {
                    operations.push(Operation::Hunk(Hunk {
                        edit: FileEdit::new(&file, edit.old.as_str(), edit.new.as_str()),
                        marks: edit.marks.clone(),
                        hint: Hint { line: lines.pass(edit), ..edit.hint.clone() },
                        blob: blob.clone(),
                    }));
                }
                let last = to.as_ref().map_or_else(|| file.clone(), PathBuf::from);
                operations.extend(to.as_ref().map(|to| Operation::Move { from: file, to: PathBuf::from(to) }));
                operations.extend(operation.executable.map(|executable| Operation::Mode { path: last, executable }));
            }
        }
    }
    operations
}

/// Where lines of the file before all edits are once some were carried out, from top to bottom.
#[derive(Default)]
struct Lines {
    /// The first line of the last edit.
    last: usize,
    /// Lines added and removed so far.
    added: usize,
    removed: usize,
    /// Whether an edit did not say where it is, or was out of order.
    is_lost: bool,
}

impl Lines {
    /// Returns the line of the next edit, if it says one and all before it did.
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
