//! Reads a patch, and corrects the names of its files.

use fuzzy_patch::{Change, ParseError, Patch};

use crate::{Code, Failure};

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
    let mut components = patch.files.iter().flat_map(|part| part.file.split('/'));
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
    for part in &mut patch.files {
        part.file = renamed(&part.file);
        if let Change::Update { to: Some(to), .. } = &mut part.change {
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
