//! Remembers the last capture, so that the next need not do again what would come out the same.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::{remove, write_if_new};
use crate::found::Found;
use crate::listing::{Entry, GITLINK, Sorted, UserIndex};
use crate::modes::Modes;
use crate::private::{Locked, Scratch};
use crate::snapshot::Snapshot;
use crate::staged::Index;
use crate::trees::DIRECTORY;
use crate::{Error, IndexLeft, Oid, RepoPath, Result, failpoint, hash};

/// What the warm index holds and what was captured with it. Written after the warm index and removed before the next
/// one is put in its place, so that it never speaks of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Warm {
    /// What keeps all below alive while the warm index's ref names it.
    pub(crate) commit: Oid,
    /// What the warm index is written as.
    pub(crate) tree: Oid,
    pub(crate) index_tree: Option<Oid>,
    /// What is staged beside the head, where the index cannot be given back.
    #[serde(default)]
    pub(crate) staged: Option<Oid>,
    pub(crate) head: Option<Oid>,
    /// The name of the notes of the commit.
    pub(crate) notes: String,
    /// What is known of the user's index, where that is certain.
    pub(crate) users: Option<Users>,
    /// The permissions of its files, but for those that git has not looked at since they were written.
    #[serde(default)]
    pub(crate) modes: Option<Modes>,
}

/// What a capture takes from the user's index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Users {
    /// The name of the content of the index file.
    id: String,
    /// The index as a tree, where it can be given back.
    pub(crate) tree: Option<Oid>,
    /// Why it cannot, and what is pinned instead. Of a record from before this was noted nothing is known.
    pub(crate) left: Option<IndexLeft>,
    pub(crate) staged: Option<Oid>,
    submodules: Vec<RepoPath>,
    /// Outside the sparse checkout, sorted.
    skipped: Vec<RepoPath>,
    /// Files that the warm index does not have.
    missing: Vec<RepoPath>,
}

/// The user's index: the one of the last capture, or one just listed, with the name of its content.
pub(crate) enum Staged {
    Same(Users),
    Listed(UserIndex, String),
}

/// Of how many paths it is looked up one by one whether the user's index has them.
const FEW: usize = 100;

/// The name of the copy of the user's index among the scratch files.
pub(crate) const USERS_INDEX: &str = "user.index";

impl Warm {
    /// Returns what cannot have been collected.
    pub(crate) fn held(&self) -> Vec<Oid> {
        [&self.tree].into_iter().chain(&self.index_tree).cloned().collect()
    }

    /// Returns whether the same commit would be made.
    pub(crate) fn same_content(&self, other: &Self) -> bool {
        (&self.tree, &self.index_tree, &self.staged, &self.head, &self.notes)
            == (&other.tree, &other.index_tree, &other.staged, &other.head, &other.notes)
    }
}

impl Staged {
    /// Yields the files that a fresh index begins with.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Entry> {
        let listed = match self {
            Self::Same(_) => None,
            Self::Listed(users, _) => Some(users),
        };
        listed.into_iter().flat_map(UserIndex::files)
    }

    /// Returns the files that `ours` does not have.
    pub(crate) fn missing(&self, ours: &Sorted) -> BTreeSet<RepoPath> {
        match self {
            Self::Same(users) => users.missing.iter().cloned().collect(),
            Self::Listed(users, _) => {
                users.files().map(|entry| &entry.path).filter(|path| !ours.contains(path)).cloned().collect()
            }
        }
    }

    pub(crate) fn submodules(&self) -> Vec<RepoPath> {
        match self {
            Self::Same(users) => users.submodules.clone(),
            Self::Listed(users, _) => users.submodules().cloned().collect(),
        }
    }

    pub(crate) fn skipped(&self) -> Vec<RepoPath> {
        match self {
            Self::Same(users) => users.skipped.clone(),
            Self::Listed(users, _) => {
                let skipped = users.entries.iter().filter(|entry| entry.skipped).map(|entry| entry.path.clone());
                skipped.collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }

    /// Returns what is known of the user's index after a capture; `None` where that would need another list.
    pub(crate) fn after(
        &self,
        locked: &Locked<'_>,
        ours: &Sorted,
        found: &Found,
        next: &Index,
    ) -> Result<Option<Users>> {
        let added: HashSet<&RepoPath> = found.added.iter().collect();
        match self {
            Self::Same(users) => {
                let mut users = users.clone();
                users.missing.retain(|path| !added.contains(path));
                locked.users_without(users, &found.removed)
            }
            Self::Listed(users, id) => {
                let removed: HashSet<&RepoPath> = found.removed.iter().collect();
                let missing = users
                    .files()
                    .map(|entry| &entry.path)
                    .filter(|path| !added.contains(path) && (removed.contains(path) || !ours.contains(path)));
                Ok(Some(Users {
                    id: id.clone(),
                    tree: next.tree.clone(),
                    left: next.left,
                    staged: next.staged.clone(),
                    submodules: self.submodules(),
                    skipped: self.skipped(),
                    missing: missing.cloned().collect(),
                }))
            }
        }
    }
}

impl Locked<'_> {
    /// Reads what is known of the warm index, if `pinned`, the commit its ref names, is still the one.
    pub(crate) fn known(&self, pinned: Option<&Oid>) -> Option<Warm> {
        let known: Warm = serde_json::from_slice(&fs::read(self.warm_record()).ok()?).ok()?;
        Some(known).filter(|known| pinned == Some(&known.commit))
    }

    /// Returns the user's index, unless its content is that of `known`: from a copy, so that all that is said of it is
    /// said of the same content.
    pub(crate) fn staged(&self, scratch: &Scratch, known: Option<&Users>) -> Result<Staged> {
        let path = &self.worktree.found.index;
        let content = match fs::read(path) {
            Ok(content) => content,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Error::io(path)(error)),
        };
        let id = self.index_id(&content);
        match known {
            // An older program kept nothing of an index that has no tree.
            Some(users) if users.id == id && (users.tree.is_some() || users.left.is_some()) => {
                Ok(Staged::Same(users.clone()))
            }
            _ if content.is_empty() => Ok(Staged::Listed(UserIndex::default(), id)),
            _ => {
                let copy = scratch.path(USERS_INDEX);
                fs::write(&copy, &content).map_err(Error::io(&copy))?;
                Ok(Staged::Listed(self.worktree.user_index(&copy, &content)?, id))
            }
        }
    }

    /// Returns what is known of the user's index after the warm one has lost `paths`: those that the user's has are
    /// missing there then. `None` where that would need another list.
    pub(crate) fn users_without(&self, mut users: Users, paths: &[RepoPath]) -> Result<Option<Users>> {
        let Some(tree) = users.tree.clone().filter(|_| paths.len() <= FEW) else {
            return Ok(Some(users).filter(|_| paths.is_empty()));
        };
        let mut known = HashMap::new();
        for path in paths {
            let entries = match self.directory(&tree, path.ancestors().last().as_ref(), &mut known) {
                Err(Error::Lost { .. }) => return Ok(None),
                entries => entries?,
            };
            let entry = entries.and_then(|mut entries| entries.remove(path.file_name()));
            let is_file = entry.is_some_and(|(mode, _)| mode != DIRECTORY && mode != GITLINK);
            if is_file && !users.missing.contains(path) {
                users.missing.push(path.clone());
            }
        }
        Ok(Some(users))
    }

    /// Names the content of an index: by the checksum at its end, or by one of ours where git was told to leave it out.
    fn index_id(&self, content: &[u8]) -> String {
        let length = if self.worktree.found.format == "sha256" { 32 } else { 20 };
        match content.split_last_chunk::<8>() {
            Some((_, [0, 0, 0, 0, 0, 0, 0, 0])) | None => hash::sha256(content),
            Some(_) => format!("{} {}", content.len(), hash::hex(&content[content.len().saturating_sub(length)..])),
        }
    }

    /// Makes `index` the warm index. The ref comes first: it keeps what the index names.
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

    /// Makes `index`, which holds the files of `to`, the warm index after a restore.
    pub(crate) fn publish_restored(
        &self,
        index: &Path,
        to: &Snapshot,
        users: Option<Users>,
        modes: Option<Modes>,
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
            // The notes are of another moment, so the next capture makes a commit of its own.
            notes: String::new(),
            users,
            modes,
        })
    }

    /// Makes `index` the warm index after a restore to a mixture of two states: `tree`, of which there is no commit.
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

    fn warm_record(&self) -> std::path::PathBuf {
        self.worktree.private.join("warm.json")
    }

    fn forget_warm(&self) -> Result<()> {
        remove(&self.warm_record())
    }

    fn remember(&self, warm: &Warm) -> Result<()> {
        let text = serde_json::to_vec(warm).map_err(|_| crate::git::unread("meta"))?;
        write_if_new(&self.warm_record(), &text)
    }
}
