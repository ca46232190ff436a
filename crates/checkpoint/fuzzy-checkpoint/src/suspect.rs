//! Files that a capture may not have as they were at an earlier moment, because they changed after it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use fuzzy_system as sys;

use crate::git::unread;
use crate::index::{Index, Known};
use crate::private::Locked;
use crate::{RepoPath, Result};

/// The largest difference between the time of a file and the clock of programs.
const TICK: Duration = Duration::from_millis(10);

/// Returns the files in an index whose time, when they were captured or now, is after `since`, and the directories, with
/// `/` at the end, in which a file was created, removed or renamed after it. The root is `./`. `bare` has the directories
/// without captured files. Without `since`, nothing is suspect. Time: a look at each
/// directory and file.
pub(crate) fn find(
    locked: &Locked<'_>,
    index: &Path,
    bare: &[RepoPath],
    since: Option<SystemTime>,
) -> Result<Vec<RepoPath>> {
    let Some(since) = since else { return Ok(Vec::new()) };
    let content = Index::read(index, &locked.worktree.found.format)?;
    let entries = content.entries().ok_or_else(|| unread("index"))?;
    let root = &locked.worktree.found.root;
    // A time in the future was set by a program, or before the clock was set back.
    let last = SystemTime::now() + TICK;
    let is_late = |time: SystemTime| since < time && time <= last;
    let late_at = |path: &[u8]| -> Option<bool> {
        let meta = fs::symlink_metadata(sys::on_disk(root, path)).ok()?;
        Some(sys::change_time(&meta).into_iter().chain(meta.modified()).any(is_late))
    };
    let mut found = BTreeSet::new();
    let mut directories: BTreeSet<RepoPath> = bare.iter().cloned().collect();
    for entry in &entries {
        // Git may look at the time of a file before another program writes it, and read it afterwards.
        if entry.times().into_iter().flatten().any(is_late) || late_at(entry.path).unwrap_or(true) {
            found.insert(entry.path());
        }
        if let Some(parent) = parent(entry) {
            directories.insert(parent);
        }
    }
    directories.insert(RepoPath::new(&b"."[..]));
    for directory in directories {
        let directory = directory.as_bytes().strip_suffix(b"/").unwrap_or(directory.as_bytes());
        let modified = fs::symlink_metadata(sys::on_disk(root, directory)).and_then(|meta| meta.modified());
        if modified.is_ok_and(is_late) {
            found.insert(RepoPath::new([directory, b"/"].concat()));
        }
    }
    Ok(found.into_iter().collect())
}

/// Returns the directory of a file below the root.
fn parent(entry: &Known<'_>) -> Option<RepoPath> {
    memchr::memrchr(b'/', entry.path).map(|at| RepoPath::new(&entry.path[..at]))
}
