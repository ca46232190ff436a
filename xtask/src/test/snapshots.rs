//! Finds snapshots that no test reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fuzzy_tools::run::{git, read, root};

/// Fails if a tracked snapshot is not among those that the tests referenced.
///
/// `references` is the file that insta wrote during all tests: one path per line.
pub(super) fn all_referenced(references: &Path) -> Result<()> {
    let root = root();
    let read_by_tests: BTreeSet<PathBuf> = match fs::read_to_string(references) {
        Ok(text) => text.lines().map(|line| root.join(line)).filter_map(|path| path.canonicalize().ok()).collect(),
        Err(_) => BTreeSet::new(),
    };
    let snapshots = read(git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.snap"]))?;
    let mut left_over = Vec::new();
    for name in snapshots.split_terminator('\0') {
        let path = root.join(name);
        // The file is deleted in the work tree but still in the index.
        if !path.exists() {
            continue;
        }
        let path = path.canonicalize().with_context(|| format!("cannot find {name}"))?;
        if !read_by_tests.contains(&path) {
            left_over.push(name);
        }
    }
    if !left_over.is_empty() {
        bail!("no test reads these snapshots: {}", left_over.join(", "));
    }
    println!("{} snapshots, each read by a test", read_by_tests.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::all_referenced;

    #[test]
    fn a_snapshot_that_nothing_read_is_left_over() {
        let error = all_referenced(Path::new("no test wrote this")).unwrap_err().to_string();
        assert!(error.starts_with("no test reads these snapshots: "), "{error}");
        assert!(error.contains(".snap"), "{error}");
    }
}
