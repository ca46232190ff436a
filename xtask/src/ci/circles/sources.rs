//! Reads source files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use fuzzy_tools::run::{git, read as output, root};

/// The text of each file by its path.
pub(super) type Sources = BTreeMap<String, String>;

/// Reads the files below a folder whose names match a pattern, except those that git ignores.
pub(super) fn read(folder: &Path, pattern: &str) -> Result<Sources> {
    let files = folder.join("**").join(pattern);
    let pathspec = format!(":(glob){}", files.display());
    let names = output(git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", &pathspec]))?;
    // The list has deleted files, too.
    let texts = names.split_terminator('\0').map(|name| (name.to_owned(), fs::read_to_string(root().join(name))));
    Ok(texts.filter_map(|(name, text)| Some((name, text.ok()?))).collect())
}
