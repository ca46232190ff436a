//! The repository of a user, which no test of checkpoints may leave damaged.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::programs;

/// Asserts that git finds nothing wrong with a repository and nothing of ours in it, by the calls that stop at a damaged
/// one. Does nothing for a directory without a repository of its own.
///
/// # Panics
///
/// Panics if the repository is damaged, or if it has refs or files of ours.
pub fn assert_whole(root: &Path) {
    let git_dir = root.join(".git");
    if !git_dir.is_dir() {
        return;
    }
    let git = |args: &[&str]| programs::read(programs::git(root).args(["-c", "protocol.file.allow=always"]).args(args));
    let report = git(&["fsck", "--full", "--no-dangling"]);
    let wrong = report.lines().filter(|line| !line.starts_with("notice"));
    assert_eq!(wrong.count(), 0, "{report}");
    if !git(&["remote"]).is_empty() {
        git(&["fetch", "-q", "--no-recurse-submodules"]);
    }
    // Without a remote, a fetch from itself checks the same refs.
    git(&["fetch", "-q", "--no-recurse-submodules", "--dry-run", ".", "refs/heads/*:refs/fetched/*"]);
    git(&["gc", "-q", "--prune=now"]);
    git(&["log", "--all", "-1", "--format=%H"]);
    // A clone of a shallow or partial repository needs objects that were never fetched.
    let is_partial = !git(&["config", "--name-only", "--get-regexp", "^(remote\\..*\\.promisor|core\\.bare)$"])
        .lines()
        .eq(["core.bare"]);
    if !is_partial {
        let mirror = tempfile::tempdir().expect("a directory");
        git(&["clone", "-q", "--mirror", ".", mirror.path().to_str().expect("UTF-8")]);
        assert_eq!(programs::read(programs::git(mirror.path()).args(["for-each-ref", "refs/fuzzy-edit"])), "");
    }
    assert_eq!(git(&["for-each-ref", "refs/fuzzy-edit"]), "");
    assert_nothing_of_ours(&git_dir);
}

fn assert_nothing_of_ours(dir: &Path) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let is_ours = |name: &OsStr| name.to_string_lossy().contains("fuzzy-edit");
        assert!(!is_ours(&entry.file_name()), "{} is ours", entry.path().display());
        if entry.file_type().expect("a type").is_dir() {
            assert_nothing_of_ours(&entry.path());
        }
    }
}
