//! Classifies the candidates of a capture by their state on disk: captured, absent, or skipped.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;

use fuzzy_system as sys;

use crate::listing::{self, Sorted};
use crate::private::Locked;
use crate::snapshot::CaptureOptions;
use crate::unreadable;
use crate::{Reason, RepoPath, Result, Uncovered};

/// The classified candidates.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) added: Vec<RepoPath>,
    /// Those of `added` that were in neither our index nor the user's.
    pub(crate) fresh: Vec<RepoPath>,
    pub(crate) removed: Vec<RepoPath>,
    pub(crate) ignored: Vec<RepoPath>,
    pub(crate) uncovered: BTreeSet<Uncovered>,
    pub(crate) absent: Vec<RepoPath>,
}

impl Found {
    pub(crate) fn leave(&mut self, path: RepoPath, reason: Reason) {
        self.uncovered.insert(Uncovered::new(path, reason));
    }
}

/// Classifies candidates one by one.
pub(crate) struct Sorter<'a> {
    pub(crate) locked: &'a Locked<'a>,
    pub(crate) ours: &'a Sorted,
    /// The paths in the user's index that ours lacks.
    pub(crate) missing: &'a BTreeSet<RepoPath>,
    pub(crate) options: &'a CaptureOptions,
    pub(crate) dirs: HashMap<RepoPath, Dir>,
    /// The paths of the exempt tree, listed when the first large file is found.
    pub(crate) exempt: Option<BTreeSet<RepoPath>>,
    pub(crate) found: Found,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Dir {
    Plain,
    Nested,
    /// Not a directory: a symlink, a file, or nothing.
    Absent,
    /// Cannot be read.
    Closed,
}

impl Sorter<'_> {
    pub(crate) fn sort(&mut self, path: RepoPath) -> Result<()> {
        if let Some(dir) = path.as_bytes().strip_suffix(b"/") {
            self.found.leave(RepoPath::new(dir), Reason::NestedRepo);
            return Ok(());
        }
        let indexed = self.ours.contains(&path);
        for above in path.ancestors().collect::<Vec<_>>() {
            match self.dir(&above) {
                Dir::Nested if !indexed => {
                    self.found.leave(above, Reason::NestedRepo);
                    return Ok(());
                }
                Dir::Plain | Dir::Nested => {}
                Dir::Closed => {
                    self.found.leave(above, Reason::Unreadable);
                    return Ok(());
                }
                Dir::Absent => {
                    self.gone(path, indexed);
                    return Ok(());
                }
            }
        }
        match self.look(&path) {
            Look::Gone => self.gone(path, indexed),
            Look::Leave(Reason::TooLarge) if self.is_exempt(&path)? => self.found.added.push(path),
            Look::Leave(reason) => self.drop(path, indexed, Some(reason)),
            Look::Cover => {
                if !indexed && !self.missing.contains(&path) {
                    self.found.fresh.push(path.clone());
                }
                self.found.added.push(path);
            }
        }
        Ok(())
    }

    /// Records nested repositories that were created in directories with captured files: these files remain captured,
    /// the rest of the directory does not.
    pub(crate) fn note_mixed(&mut self) {
        let mut last: &[u8] = b"";
        for path in self.ours.iter() {
            let Some(dir) = memchr::memrchr(b'/', path).map(|end| &path[..end]).filter(|dir| *dir != last) else {
                continue;
            };
            last = dir;
            let dir = RepoPath::new(dir);
            for above in dir.ancestors().chain([dir.clone()]) {
                match self.dir(&above) {
                    Dir::Nested => self.found.leave(above, Reason::NestedRepo),
                    Dir::Closed => self.found.leave(above, Reason::Unreadable),
                    Dir::Plain | Dir::Absent => {}
                }
            }
        }
    }

    /// Records unreadable directories and drops the captured files in them, because their current content is unknown.
    pub(crate) fn drop_unreadable(&mut self, closed: Vec<RepoPath>) {
        for dir in closed {
            self.found.leave(dir, Reason::Unreadable);
        }
        let unreadable = self.found.uncovered.iter().filter(|left| left.reason == Reason::Unreadable);
        let unreadable: HashSet<RepoPath> = unreadable.map(|left| left.path.clone()).collect();
        if unreadable.is_empty() {
            return;
        }
        // Only the outermost directory is recorded.
        self.found.uncovered.retain(|left| !is_below(&left.path, &unreadable));
        for paths in [&mut self.found.added, &mut self.found.fresh, &mut self.found.absent] {
            paths.retain(|path| !is_below(path, &unreadable));
        }
        let known: HashSet<RepoPath> = self.found.removed.iter().cloned().collect();
        let lost =
            self.ours.iter().map(RepoPath::new).filter(|path| is_below(path, &unreadable) && !known.contains(path));
        self.found.removed.extend(lost);
    }

    fn is_exempt(&mut self, path: &RepoPath) -> Result<bool> {
        let Some(tree) = &self.options.exempt else { return Ok(false) };
        if self.exempt.is_none() {
            let call = self.locked.worktree.own("ls-tree", &self.locked.worktree.no_index());
            let listed = call.args(["-r", "-z", "--name-only", tree.as_str()]).hold(&self.locked.lock)?.ok()?;
            self.exempt = Some(listing::paths(&listed));
        }
        Ok(self.exempt.as_ref().is_some_and(|paths| paths.contains(path)))
    }

    fn gone(&mut self, path: RepoPath, indexed: bool) {
        self.found.absent.push(path.clone());
        self.drop(path, indexed, None);
    }

    fn drop(&mut self, path: RepoPath, indexed: bool, reason: Option<Reason>) {
        if indexed {
            self.found.removed.push(path.clone());
        }
        if let Some(reason) = reason {
            self.found.leave(path, reason);
        }
    }

    fn look(&self, path: &RepoPath) -> Look {
        let disk = sys::on_disk(&self.locked.worktree.found.root, path.as_bytes());
        let meta = match fs::symlink_metadata(&disk) {
            Ok(meta) => meta,
            Err(error) if unreadable::means_absent(&error) => return Look::Gone,
            Err(_) => return Look::Leave(Reason::Unreadable),
        };
        let kind = meta.file_type();
        let limit = self.locked.worktree.limits.max_file_bytes;
        if path.is_reserved() || kind.is_symlink() && path.names_gitmodules() {
            Look::Leave(Reason::ReservedName)
        } else if kind.is_symlink() {
            Look::Cover
        } else if kind.is_dir() {
            // The files below it are separate candidates.
            Look::Gone
        } else if !kind.is_file() {
            Look::Leave(Reason::Special)
        } else if !sys::may_read(&disk) {
            Look::Leave(Reason::Unreadable)
        } else if meta.len() > limit {
            Look::Leave(Reason::TooLarge)
        } else {
            Look::Cover
        }
    }

    /// Returns the kind of a directory: git lists the files of some nested repositories one by one.
    fn dir(&mut self, path: &RepoPath) -> Dir {
        if let Some(known) = self.dirs.get(path) {
            return *known;
        }
        let disk = sys::on_disk(&self.locked.worktree.found.root, path.as_bytes());
        let dir = match fs::symlink_metadata(&disk) {
            Ok(meta) if meta.is_dir() && unreadable::is_open(&disk) => Dir::Plain,
            Ok(meta) if meta.is_dir() => Dir::Closed,
            Err(error) if !unreadable::means_absent(&error) => Dir::Closed,
            _ => Dir::Absent,
        };
        let dir = if dir != Dir::Plain {
            dir
        } else if fs::symlink_metadata(disk.join(".git")).is_ok() {
            Dir::Nested
        } else {
            Dir::Plain
        };
        self.dirs.insert(path.clone(), dir);
        dir
    }
}

/// Returns whether a path lies in one of the directories.
fn is_below(path: &RepoPath, dirs: &HashSet<RepoPath>) -> bool {
    path.ancestors().any(|above| dirs.contains(&above))
}

enum Look {
    Cover,
    Gone,
    Leave(Reason),
}
