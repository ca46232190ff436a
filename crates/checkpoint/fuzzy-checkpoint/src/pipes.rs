//! Finds a pipe among the files that git reads, because git would wait for its writer.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use fuzzy_system as sys;

use crate::files::regular;

/// The files that a git call reads and that others may have created.
#[derive(Debug)]
pub(crate) enum Reads {
    /// The ignore rules in every directory below this one.
    Rules(PathBuf),
    /// The files of the repository around this directory.
    Repository(PathBuf),
}

/// The file of ignore rules.
const RULES: &str = ".gitignore";
/// The files of a repository, except for refs, that git opens without checking their type.
const OF_REPOSITORY: [&str; 9] = [
    "HEAD",
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "packed-refs",
    "shallow",
    "info/exclude",
    "objects/info/alternates",
];
/// The time after which a git call is suspected to block. Most calls end earlier, so the search costs them nothing.
const SUSPICION: Duration = Duration::from_millis(200);

/// Searches for a pipe once git has taken long, and again after twice that time, because the pipe may appear later.
/// Returns `None` when the sender of `over` is dropped.
pub(crate) fn search(read: &Reads, over: &Receiver<()>) -> Option<PathBuf> {
    let mut pause = SUSPICION;
    while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let is_over = || over.recv_timeout(Duration::ZERO) != Err(RecvTimeoutError::Timeout);
        let found = match read {
            Reads::Rules(root) => among_rules(root, is_over),
            Reads::Repository(dir) => in_repository(dir),
        };
        if found.is_some() {
            return found;
        }
        pause *= 2;
    }
    None
}

fn among_rules(root: &Path, is_over: impl Fn() -> bool) -> Option<PathBuf> {
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop().filter(|_| !is_over()) {
        let rules = dir.join(RULES);
        if is_pipe(&rules) {
            return Some(rules);
        }
        dirs.extend(below(&dir).filter(|path| path.is_dir() && !path.is_symlink() && !path.ends_with(".git")));
    }
    None
}

fn in_repository(dir: &Path) -> Option<PathBuf> {
    let own = dir.ancestors().map(|dir| dir.join(".git")).find(|path| fs::symlink_metadata(path).is_ok())?;
    let mut git_dirs = vec![own.clone()];
    // A linked worktree has a file `.git`, and its repository is two directories above the path in that file.
    if let Some(text) = regular(&own, false)
        && let Some(named) = text.trim_ascii_end().strip_prefix(b"gitdir: ")
    {
        let named = sys::on_disk(own.parent()?, named);
        git_dirs.extend(named.ancestors().take(3).map(Path::to_owned));
    }
    let is_first_pipe = |path: &PathBuf| is_pipe(path);
    git_dirs.iter().find_map(|git_dir| {
        let named = OF_REPOSITORY.iter().map(|name| git_dir.join(name)).find(is_first_pipe);
        named.or_else(|| {
            let mut dirs = vec![git_dir.join("refs")];
            while let Some(dir) = dirs.pop() {
                for path in below(&dir) {
                    if is_pipe(&path) {
                        return Some(path);
                    }
                    if path.is_dir() && !path.is_symlink() {
                        dirs.push(path);
                    }
                }
            }
            None
        })
    })
}

fn below(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_pipe(path: &Path) -> bool {
    let kind = fs::symlink_metadata(path).map(|meta| meta.file_type());
    kind.is_ok_and(sys::may_wait)
}
