//! Finds directories that cannot be read. Their files are not captured, and a missing file in them is not known to be
//! deleted.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use fuzzy_system as sys;

use crate::RepoPath;

/// Returns whether a directory can be both listed and entered.
pub(crate) fn is_open(dir: &Path) -> bool {
    sys::may_enter(dir)
}

/// Returns whether an error means that the path is missing, rather than inaccessible.
pub(crate) fn means_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Finds every directory below `root` that cannot be read, except in nested repositories, which are not captured
/// anyway.
pub(crate) fn find(root: &Path) -> Vec<RepoPath> {
    let mut closed = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(name) = open.pop() {
        let dir = sys::on_disk(root, &name);
        let entries = match fs::read_dir(&dir).map(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(Ok(entries)) if is_open(&dir) => entries,
            Err(error) if means_absent(&error) => continue,
            // The root has an empty name; if it cannot be read, git finds no worktree.
            _ if name.is_empty() => continue,
            _ => {
                closed.push(RepoPath::new(name));
                continue;
            }
        };
        if !name.is_empty() && entries.iter().any(|entry| entry.file_name() == ".git") {
            continue;
        }
        for entry in entries {
            let is_dir = entry.file_type().map_or_else(|error| !means_absent(&error), |kind| kind.is_dir());
            if is_dir && entry.file_name() != ".git" {
                let above = if name.is_empty() { &b""[..] } else { b"/" };
                open.push([&name, above, sys::bytes_of(&entry.file_name())].concat());
            }
        }
    }
    closed
}
