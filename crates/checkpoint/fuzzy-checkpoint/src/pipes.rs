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
    /// The files of the repository around this directory, and the user's configuration.
    Repository(PathBuf),
    /// The user's configuration.
    Configuration,
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
/// The names of configurations, which may include other files.
const CONFIGURATIONS: [&str; 2] = ["config", "config.worktree"];
/// The largest number of configuration files that are searched.
const MOST_INCLUDED: usize = 1000;
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
            Reads::Repository(dir) => in_repository(dir).or_else(|| in_configuration(users_configuration())),
            Reads::Configuration => in_configuration(users_configuration()),
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
        let included = || in_configuration(CONFIGURATIONS.map(|name| git_dir.join(name)).into());
        named.or_else(included).or_else(|| {
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

/// Returns the paths of the user's and the system's configuration.
fn users_configuration() -> Vec<PathBuf> {
    let home = sys::home();
    let own = std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let own = own.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let all = [home.map(|home| home.join(".gitconfig")), own.map(|dir| dir.join("git/config"))];
    all.into_iter().flatten().chain([PathBuf::from("/etc/gitconfig")]).collect()
}

/// Searches configuration files and those that they include, whatever the conditions. A line that only looks like an
/// include does no harm: the call ends only if it names a pipe.
fn in_configuration(mut files: Vec<PathBuf>) -> Option<PathBuf> {
    let mut seen = 0;
    while let Some(file) = files.pop().filter(|_| seen < MOST_INCLUDED) {
        seen += 1;
        if fs::metadata(&file).is_ok_and(|meta| sys::may_wait(meta.file_type())) {
            return Some(file);
        }
        let text = regular(&file, true).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let values = text.lines().filter_map(|line| line.split_once('=').filter(|(key, _)| is_path(key)));
        files.extend(values.filter_map(|(_, value)| included(&file, value.trim().trim_matches('"'))));
    }
    None
}

/// Returns whether a key of a configuration, perhaps after its section on the same line, is `path`.
fn is_path(key: &str) -> bool {
    let key = key.rsplit(']').next().unwrap_or(key);
    key.trim().eq_ignore_ascii_case("path")
}

/// Returns the file that an include in `file` names.
fn included(file: &Path, value: &str) -> Option<PathBuf> {
    match value.strip_prefix("~/") {
        Some(below) => Some(sys::home()?.join(below)),
        None => Some(file.parent()?.join(value)),
    }
}

fn below(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_pipe(path: &Path) -> bool {
    let kind = fs::symlink_metadata(path).map(|meta| meta.file_type());
    kind.is_ok_and(sys::may_wait)
}
