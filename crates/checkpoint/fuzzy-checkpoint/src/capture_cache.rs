//! Caches the last capture, so that the next one can reuse its results.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

use crate::files::{remove, write_if_new};
use crate::git::{NO_HEAD, unread};
use crate::git_process::{Session, Slot};
use crate::modes::Modes;
use crate::snapshot::Snapshot;
use crate::worktree::Worktree;
use crate::{Error, IndexLeft, Oid, RepoPath, Result, failpoint};

/// The facts about the user's index that the next capture reuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Users {
    /// The id of the index file's content.
    pub(crate) id: String,
    /// The index as a tree, if it can be restored.
    pub(crate) tree: Option<Oid>,
    /// The reason why it cannot, and the tree pinned instead. Old records have neither.
    pub(crate) left: Option<IndexLeft>,
    pub(crate) staged: Option<Oid>,
    pub(crate) submodules: Vec<RepoPath>,
    /// Outside the sparse checkout, sorted.
    pub(crate) skipped: Vec<RepoPath>,
    /// Files that the warm index lacks.
    pub(crate) missing: Vec<RepoPath>,
}

/// The facts about the last capture, whose index is the warm index. The record is written after the warm index and
/// removed before the next one is installed, so it never describes another index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Warm {
    /// The commit that holds all objects below while the warm index's ref is set to it.
    pub(crate) commit: Oid,
    /// The tree of the warm index.
    pub(crate) tree: Oid,
    pub(crate) index_tree: Option<Oid>,
    /// The staged blobs, if the index cannot be restored.
    #[serde(default)]
    pub(crate) staged: Option<Oid>,
    pub(crate) head: Option<Oid>,
    /// The hash of the commit's notes.
    pub(crate) notes: String,
    /// The facts about the user's index, if they are certain.
    pub(crate) users: Option<Users>,
    /// The permissions of its files, except for files that git has not checked since they were written.
    #[serde(default)]
    pub(crate) modes: Option<Modes>,
    /// Whether the store itself has all objects of both trees.
    #[serde(default)]
    pub(crate) whole: bool,
}

impl Warm {
    /// Returns the trees that cannot have been garbage-collected.
    pub(crate) fn held(&self) -> Vec<Oid> {
        [&self.tree].into_iter().chain(&self.index_tree).cloned().collect()
    }

    /// Returns whether both have the same commit content.
    pub(crate) fn same_content(&self, other: &Self) -> bool {
        (&self.tree, &self.index_tree, &self.staged, &self.head, &self.notes)
            == (&other.tree, &other.index_tree, &other.staged, &other.head, &other.notes)
    }
}

impl Worktree {
    /// Reads the record of the last capture.
    pub(crate) fn warm(&self) -> Option<Warm> {
        serde_json::from_slice(&fs::read(self.warm_record()).ok()?).ok()
    }

    fn warm_record(&self) -> PathBuf {
        self.private.join("warm.json")
    }
}

impl Worktree {
    /// Returns the commit or tree that the last capture holds in the store, and the time of that capture, in milliseconds
    /// since 1970; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn last_capture(&self) -> Result<Option<(Oid, i64)>> {
        let times = [self.warm_record(), self.warm_index()].into_iter().filter_map(|path| sys::modified_ms(&path));
        let taken = times.max().unwrap_or_default();
        Ok(self.pinned_by_git()?.map(|oid| (oid, taken)))
    }
}

/// The record of the last capture, its index, and the ref that holds its objects. Moves all our refs.
#[derive(Debug)]
pub(crate) struct Cache<'a> {
    worktree: &'a Worktree,
    refs: Slot,
}

impl<'a> Cache<'a> {
    pub(crate) fn of(worktree: &'a Worktree) -> Self {
        Self { worktree, refs: Slot::default() }
    }

    /// Gives up the last capture.
    pub(crate) fn give_up(&self) -> Result<()> {
        remove(&self.worktree.warm_record())?;
        remove(&self.worktree.warm_index())?;
        write_if_new(&self.worktree.private.join("git/HEAD"), NO_HEAD)?;
        self.worktree.kept("update-ref").args(["-d", &self.worktree.warm_ref()]).ok().map(drop)
    }

    /// Records that the store has all objects of the last capture.
    pub(crate) fn remember_whole(&self, warm: Warm) -> Result<()> {
        self.remember(&Warm { whole: true, ..warm })
    }

    /// Reads the record of the warm index, if its commit equals `pinned`, the value of the ref.
    pub(crate) fn known(&self, pinned: Option<&Oid>) -> Option<Warm> {
        let known = self.worktree.warm()?;
        Some(known).filter(|known| pinned == Some(&known.commit))
    }

    /// Makes `index` the warm index. The ref is set first, because it holds the index's objects.
    pub(crate) fn publish(&self, index: &Path, next: &Warm, known: Option<&Warm>) -> Result<()> {
        if known == Some(next) {
            return self.install(index);
        }
        self.forget_warm()?;
        if known.is_none_or(|known| known.commit != next.commit) {
            self.pin_warm(&next.commit)?;
        }
        self.install(index)?;
        self.note_head(&next.commit)?;
        self.remember(next)
    }

    /// Makes `index`, which contains the files of `to`, the warm index after a restore.
    pub(crate) fn publish_restored(
        &self,
        index: &Path,
        to: &Snapshot,
        users: Option<Users>,
        modes: Option<Modes>,
        whole: bool,
    ) -> Result<()> {
        self.forget_warm()?;
        self.pin_warm(&to.commit)?;
        self.install(index)?;
        self.note_head(&to.commit)?;
        self.remember(&Warm {
            commit: to.commit.clone(),
            tree: to.tree.clone(),
            index_tree: to.index_tree.clone(),
            staged: None,
            head: to.head.clone(),
            // The notes belong to another capture, so the next capture creates its own commit.
            notes: String::new(),
            users,
            modes,
            whole,
        })
    }

    /// Makes `index` the warm index after a partial restore, with the tree `tree`, for which there is no commit.
    pub(crate) fn publish_mixed(&self, index: &Path, tree: &Oid) -> Result<()> {
        self.forget_warm()?;
        self.pin_warm(tree)?;
        self.install(index)
    }

    fn pin_warm(&self, oid: &Oid) -> Result<()> {
        self.move_ref(&self.worktree.warm_ref(), oid, None)
    }

    fn install(&self, index: &Path) -> Result<()> {
        let warm = self.worktree.warm_index();
        fs::rename(index, &warm).map_err(Error::io(&warm))?;
        failpoint::hit("published");
        Ok(())
    }

    fn note_head(&self, commit: &Oid) -> Result<()> {
        write_if_new(&self.worktree.private.join("git/HEAD"), format!("{commit}\n").as_bytes())
    }

    fn forget_warm(&self) -> Result<()> {
        remove(&self.worktree.warm_record())
    }

    fn remember(&self, warm: &Warm) -> Result<()> {
        let text = serde_json::to_vec(warm).map_err(|_| unread("meta"))?;
        write_if_new(&self.worktree.warm_record(), &text)
    }

    /// Sets one of our refs to `oid`; with `old`, only if the ref is `old` now.
    pub(crate) fn move_ref(&self, name: &str, oid: &Oid, old: Option<&str>) -> Result<()> {
        let start = || {
            let call = self.worktree.kept("update-ref").args(["-z", "--stdin"]);
            Session::start("update-ref", call, self.worktree.limits.timeout)
        };
        Session::with(&self.refs, start, |session| {
            let old = old.unwrap_or_default();
            session.send(format!("start\0update {name}\0{oid}\0{old}\0commit\0").as_bytes())?;
            for answer in ["start: ok", "commit: ok"] {
                if session.line()? != answer {
                    return Err(unread("update-ref"));
                }
            }
            Ok(())
        })
    }
}
