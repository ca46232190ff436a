//! Lists the files of the worktree and their state in the index.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fuzzy_system as sys;

use crate::both::both;
use crate::files::{remove, write_if_new};
use crate::git::{Answer, split_z, unread};
use crate::index::Index;
use crate::listing::{self, Sorted};
use crate::pipes::Reads;
use crate::private::Locked;
use crate::{RepoPath, Result};

/// The list of paths that were captured, are ignored now, and were missing: if they reappear, they are captured again.
pub(crate) const GONE: &str = "warm.gone";
/// The list of paths that were captured only in passing.
pub(crate) const PASSING: &str = "warm.passing";
/// The list of those in [`PASSING`] that are ignored now.
pub(crate) const SPARED: &str = "warm.spared";

/// Git's listing of the index and the worktree.
#[derive(Default)]
pub(crate) struct Listed {
    /// Entries that differ from the disk.
    pub(crate) changed: BTreeSet<RepoPath>,
    /// Paths on disk that are neither in the index nor ignored; a repository ends with `/`.
    pub(crate) others: BTreeSet<RepoPath>,
    /// Ignored paths on disk; a directory ends with `/`.
    pub(crate) ignored: BTreeSet<RepoPath>,
    /// Whether git printed warnings, because it could not read everything.
    pub(crate) warned: bool,
}

/// Runs a git command that lists paths.
fn list(locked: &Locked<'_>, index: &Path, verb: &str, args: &[&str]) -> Result<Answer> {
    let call =
        locked.worktree.own(verb, index).args(args).beware_of_pipes(Reads::Rules(locked.worktree.found.root.clone()));
    let answer = call.hold(&locked.lock)?.run()?;
    if answer.code == 0 { Ok(answer) } else { Err(answer.failed(verb)) }
}

/// Returns all paths of an index.
pub(crate) fn entries(locked: &Locked<'_>, index: &Path) -> Result<Sorted> {
    let paths = Index::read(index, &locked.worktree.found.format)?.paths();
    paths.map_or_else(|| Ok(list(locked, index, "ls-files", &["-z"])?.stdout), Ok).map(Sorted::new)
}

/// Returns the listing for a fresh index, of which every entry has to be read.
pub(crate) fn list_cold(locked: &Locked<'_>, index: &Path, ours: &Sorted) -> Result<Listed> {
    let (ignored, others) = both(
        || {
            list(
                locked,
                index,
                "ls-files",
                &["-o", "-i", "-z", "--exclude-standard", "--directory", "--no-empty-directory"],
            )
        },
        || list(locked, index, "ls-files", &["-o", "-z", "--exclude-standard"]),
    );
    let (others, ignored) = (others?, ignored.unwrap_or_else(|_| Err(unread("ls-files")))?);
    Ok(Listed {
        changed: ours.iter().map(RepoPath::new).collect(),
        others: listing::paths(&others.stdout),
        ignored: listing::paths(&ignored.stdout),
        warned: !others.stderr.is_empty() || !ignored.stderr.is_empty(),
    })
}

/// Returns the listing for the warm index in one walk. Comparing contents is safe here, because the private git
/// directory configures no filters. Its head is the last capture, so unchanged files are not listed.
pub(crate) fn list_warm(locked: &Locked<'_>, index: &Path) -> Result<Listed> {
    // Git writes this index.
    let set_back = Index::read(index, &locked.worktree.found.format)?.set_back();
    let args = ["--porcelain=v2", "-z", "-uall", "--ignored=matching", "--no-renames", "--ignore-submodules=all"];
    // The refreshed index is our scratch copy.
    let call = locked.worktree.own("status", index).args(args).env("GIT_OPTIONAL_LOCKS", "1");
    let status = call.beware_of_pipes(Reads::Rules(locked.worktree.found.root.clone())).hold(&locked.lock)?.run()?;
    if status.code != 0 {
        return Err(status.failed("status"));
    }
    let changed = set_back.into_iter().collect();
    let mut listed = Listed { warned: !status.stderr.is_empty(), changed, ..Listed::default() };
    for line in split_z(&status.stdout) {
        match line {
            [b'?', b' ', path @ ..] => drop(listed.others.insert(RepoPath::new(path))),
            [b'!', b' ', path @ ..] => drop(listed.ignored.insert(RepoPath::new(path))),
            [b'1', b' ', _, b'.', ..] => {}
            [b'1', b' ', ..] => {
                let path = line.splitn(9, |byte| *byte == b' ').nth(8).ok_or_else(|| unread("status"))?;
                listed.changed.insert(RepoPath::new(path));
            }
            _ => return Err(unread("status")),
        }
    }
    Ok(listed)
}

/// Reads a list of paths from the last capture. An outdated list does no harm, because every path in it is checked
/// on disk.
pub(crate) fn read_list(locked: &Locked<'_>, name: &str) -> BTreeSet<RepoPath> {
    fs::read(locked.worktree.private.join(name)).map(|list| listing::paths(&list)).unwrap_or_default()
}

pub(crate) fn write_list(locked: &Locked<'_>, name: &str, paths: &BTreeSet<RepoPath>) -> Result<()> {
    let (path, paths) = (locked.worktree.private.join(name), paths.iter().cloned().collect::<Vec<_>>());
    // Most lists are empty.
    if paths.is_empty() { remove(&path) } else { write_if_new(&path, &listing::lines(&paths)) }
}

/// Returns those of `paths` that the current rules ignore. Git refuses paths beyond a symlink; these are included,
/// because their absence is equally certain.
pub(crate) fn ignored_now(locked: &Locked<'_>, index: &Path, paths: &[RepoPath]) -> Result<Vec<RepoPath>> {
    let root = &locked.worktree.found.root;
    let sound = paths.iter().filter(|path| !path.is_reserved()).cloned();
    let (mut beyond, reachable): (Vec<RepoPath>, Vec<RepoPath>) =
        sound.partition(|path| path.ancestors().any(|dir| sys::on_disk(root, dir.as_bytes()).is_symlink()));
    if reachable.is_empty() {
        return Ok(beyond);
    }
    let call = locked.worktree.own("check-ignore", index).args(["--no-index", "-z", "--stdin"]);
    // This command refuses literal paths; the prefix "./" prevents pathspec magic.
    let call = call.env("GIT_LITERAL_PATHSPECS", "0").beware_of_pipes(Reads::Rules(root.clone()));
    let answer = call.input(listing::dotted(&reachable)).run()?;
    // Status 1 means that none is ignored.
    if !matches!(answer.code, 0 | 1) {
        return Err(answer.failed("check-ignore"));
    }
    beyond.extend(listing::undotted(&answer.stdout));
    Ok(beyond)
}
