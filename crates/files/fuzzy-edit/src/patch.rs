//! Turns a patch into operations on files.

use std::path::Path;

use fuzzy_patch::{Action, ParseError, Patch};

use crate::{Code, Failure, Operation, Workspace, operations_of};

/// How a patch is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatchOptions<'p> {
    /// The file of blocks and hunks that name none.
    pub target: Option<&'p str>,
    /// Whether what it does is to be taken back.
    pub reverse: bool,
    /// How many components are taken off the front of every name. The `a/` and `b/` of a diff are the first of them, and
    /// go where nothing is said; with 0 they are a part of the name, unless two names show that they are not.
    pub strip: Option<usize>,
}

impl Workspace {
    /// Reads a patch and returns the operations that it asks for. `target` is the file of blocks and hunks that name none;
    /// a line above a block is a name also if it does not look like one, and a file is called so.
    ///
    /// # Errors
    ///
    /// As [`read_patch_with`](Self::read_patch_with).
    pub fn read_patch(&self, text: &str, target: Option<&str>) -> Result<Vec<Operation>, Box<Failure>> {
        self.read_patch_with(text, &PatchOptions { target, ..PatchOptions::default() })
    }

    /// Reads a patch in the way that `options` say.
    ///
    /// Where a patch was made in a directory above the root, its names are found by their longest tails, if the same
    /// number of components is too many in every one.
    ///
    /// # Errors
    ///
    /// [`Code::Parse`] if the patch cannot be read, [`Code::BadInput`] if it cannot be turned round, and
    /// [`Code::OutsideRoot`] if its files are those of another root, which is named.
    pub fn read_patch_with(&self, text: &str, options: &PatchOptions<'_>) -> Result<Vec<Operation>, Box<Failure>> {
        let parse =
            if options.strip == Some(0) { fuzzy_patch::parse_without_prefixes } else { fuzzy_patch::parse_where };
        let parsed = parse(text, options.target, &|name| self.has_file(Path::new(name)));
        let mut patch = parsed.map_err(|error| failure(&error))?;
        if options.reverse {
            patch = patch.reversed().map_err(|error| {
                Failure::bad_input(error.to_string(), "Bring the file back from where it was kept.")
            })?;
        }
        let strip = options.strip.unwrap_or(1).saturating_sub(1);
        rename(&mut patch, |name| without(name, strip).to_owned());
        let strip = self.too_many(&patch);
        rename(&mut patch, |name| without(name, strip).to_owned());
        self.check_root(&patch)?;
        Ok(operations_of(&patch))
    }

    /// Returns how many components are too many in every name of a file that has to exist.
    fn too_many(&self, patch: &Patch) -> usize {
        // What leads elsewhere is refused, not bent.
        let mut components = patch.operations.iter().flat_map(|operation| operation.file.split('/'));
        if components.any(|part| matches!(part, "" | "." | "..")) {
            return 0;
        }
        let mut counts = needed(patch).map(|name| {
            let depth = name.split('/').count();
            (0..depth).find(|count| self.has_file(Path::new(without(name, *count))))
        });
        let Some(Some(first)) = counts.next() else { return 0 };
        if counts.all(|count| count == Some(first)) { first } else { 0 }
    }

    /// Says which root would do, where the files of a patch are not below this one but all below one above it.
    fn check_root(&self, patch: &Patch) -> Result<(), Box<Failure>> {
        let Some(root) = &self.root else { return Ok(()) };
        let mut names = needed(patch).peekable();
        if names.peek().is_none() || names.any(|name| self.place(Path::new(name)).is_ok_and(|place| place.is_file())) {
            return Ok(());
        }
        let mut above = root.path().ancestors().skip(1);
        let above =
            above.find(|above| needed(patch).all(|name| Path::new(name).is_relative() && above.join(name).is_file()));
        let Some(above) = above else { return Ok(()) };
        let (root, above) = (root.path().display(), above.display());
        let message = format!("the files of the patch are not below `{root}`, but below `{above}`");
        Err(Box::new(Failure::new(Code::OutsideRoot, message, format!("Use `--root {above}` if they are meant."))))
    }
}

/// Returns the names of the files that have to exist.
fn needed(patch: &Patch) -> impl Iterator<Item = &str> {
    let operations = patch.operations.iter().filter(|operation| !matches!(operation.action, Action::Create { .. }));
    operations.map(|operation| operation.file.as_str())
}

/// Gives every file another name.
fn rename(patch: &mut Patch, renamed: impl Fn(&str) -> String) {
    for operation in &mut patch.operations {
        operation.file = renamed(&operation.file);
        if let Action::Update { to: Some(to), .. } = &mut operation.action {
            *to = renamed(to);
        }
    }
}

/// Returns a name without so many components at its front, of which at least the last stays.
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
