//! Reads a patch and converts it to operations on files.

use std::path::PathBuf;

use fuzzy_patch::{Action, Edit, Hint, ParseError, Patch};

use crate::{Code, Failure, FileEdit, Hunk, Operation};

/// Options for reading a patch.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatchOptions<'p> {
    /// The file of blocks and hunks that name none.
    pub target: Option<&'p str>,
    /// Whether to reverse the patch.
    pub reverse: bool,
    /// The number of leading components to remove from every name, including the `a/` and `b/` of a diff. By default
    /// only these are removed; with 0 they belong to the name, unless the two names of a file show that they do not.
    pub strip: Option<usize>,
}

impl PatchOptions<'_> {
    /// Reads a patch. `exists` returns whether there is a file with a name.
    ///
    /// If a patch was made in a directory above the files, the surplus leading components are removed, provided that
    /// their number is the same for every name.
    ///
    /// # Errors
    ///
    /// Returns [`Code::Parse`] if the patch cannot be read, and [`Code::BadInput`] if it cannot be reversed.
    pub fn read(&self, text: &str, exists: &dyn Fn(&str) -> bool) -> Result<Patch, Box<Failure>> {
        let parse = if self.strip == Some(0) { fuzzy_patch::parse_without_prefixes } else { fuzzy_patch::parse_where };
        let mut patch = parse(text, self.target, exists).map_err(|error| failure(&error))?;
        if self.reverse {
            patch = patch.reversed().map_err(|error| {
                Failure::bad_input(error.to_string(), "Restore the file from its backup or from version control.")
            })?;
        }
        let strip = self.strip.unwrap_or(1).saturating_sub(1);
        rename(&mut patch, |name| without(name, strip).to_owned());
        let strip = too_many(&patch, exists);
        rename(&mut patch, |name| without(name, strip).to_owned());
        Ok(patch)
    }
}

/// Returns the number of surplus components, if it is the same for every file that must exist.
fn too_many(patch: &Patch, exists: &dyn Fn(&str) -> bool) -> usize {
    // A path with `..` is rejected later, not repaired.
    let mut components = patch.operations.iter().flat_map(|operation| operation.file.split('/'));
    if components.any(|part| matches!(part, "" | "." | "..")) {
        return 0;
    }
    let mut counts = patch.needed().map(|name| {
        let depth = name.split('/').count();
        (0..depth).find(|count| exists(without(name, *count)))
    });
    let Some(Some(first)) = counts.next() else { return 0 };
    if counts.all(|count| count == Some(first)) { first } else { 0 }
}

/// Renames every file.
fn rename(patch: &mut Patch, renamed: impl Fn(&str) -> String) {
    for operation in &mut patch.operations {
        operation.file = renamed(&operation.file);
        if let Action::Update { to: Some(to), .. } = &mut operation.action {
            *to = renamed(to);
        }
    }
}

/// Removes `count` leading components from a name, but never the last one.
fn without(name: &str, count: usize) -> &str {
    let mut rest = name;
    for _ in 0..count {
        rest = rest.split_once('/').map_or(rest, |(_, rest)| rest);
    }
    rest
}

fn failure(error: &ParseError) -> Box<Failure> {
    Box::new(Failure::new(Code::Parse, error.to_string(), error.next_step()))
}

/// Returns the operations of `patch`, in order: one for each edit, and one for each file that is created, deleted or
/// moved or whose mode changes. They are one batch.
///
/// A diff's line numbers refer to the file before all hunks; the result's line numbers include the lines that earlier
/// hunks add and remove.
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
