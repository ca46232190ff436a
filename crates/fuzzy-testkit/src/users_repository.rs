//! The repository of a user, which no test of checkpoints may leave damaged.

use std::fs;
use std::path::Path;

use crate::programs;

/// A part of the names of all refs and files of ours.
const OURS: &str = "fuzzy-edit";

/// Asserts that git finds nothing wrong with a repository, and that it contains neither a lock nor anything of ours. Does
/// nothing for a directory without a repository of its own.
///
/// A missing or damaged object, index, head or ref stops a fetch, a gc or a clone of the user; `fsck` finds all of them.
///
/// # Panics
///
/// Panics if the repository is damaged, or if it has locks, or refs or files of ours.
pub fn assert_whole(root: &Path) {
    let git_dir = root.join(".git");
    if !git_dir.is_dir() {
        return;
    }
    let git = |args: &[&str]| programs::read(programs::git(root).args(["-c", "protocol.file.allow=always"]).args(args));
    let report = git(&["fsck", "--full", "--no-dangling"]);
    let wrong = report.lines().filter(|line| !line.starts_with("notice"));
    assert_eq!(wrong.count(), 0, "{report}");
    let read = |name| fs::read_to_string(git_dir.join(name)).unwrap_or_default();
    // The clone of a test may be shallow or partial: `fsck` cannot tell what it lacks from what it lost.
    if read("config").contains("[remote ") {
        git(&["fetch", "-q", "--no-recurse-submodules"]);
        git(&["gc", "-q", "--prune=now"]);
    }
    assert!(!read("packed-refs").contains(OURS), "refs of ours in {}", git_dir.display());
    assert_nothing_left(&git_dir);
}

fn assert_nothing_left(dir: &Path) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let is_ours = entry.file_name().to_string_lossy().contains(OURS);
        let is_lock = entry.path().extension().is_some_and(|end| end == "lock");
        assert!(!is_ours && !is_lock, "{} is left", entry.path().display());
        if entry.file_type().expect("a type").is_dir() {
            assert_nothing_left(&entry.path());
        }
    }
}
