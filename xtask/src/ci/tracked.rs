//! Lists the tracked files.

use anyhow::Result;
use fuzzy_tools::run::{git, read};

/// Returns the paths of the tracked files from the root, those of deleted files included.
pub(super) fn names() -> Result<Vec<String>> {
    let names = read(git(&["ls-files", "-z"]))?;
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}
