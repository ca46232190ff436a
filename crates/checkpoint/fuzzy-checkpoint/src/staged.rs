//! Reads the user's index and keeps what is staged: as a tree that can be given back, else as the blobs that it names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::git::{split_z, unread};
use crate::listing::{Entry, GITLINK, Sorted, UserIndex, oid_of};
use crate::private::{Locked, Scratch};
use crate::sort::Found;
use crate::trees::DIRECTORY;
use crate::{Error, IndexLeft, Oid, RepoPath, Result, files, hash};

/// Of how many paths it is looked up one by one whether the user's index has them.
const FEW: usize = 100;

/// The name of the copy of the user's index among the scratch files.
pub(crate) const USERS_INDEX: &str = "user.index";

/// What a capture keeps of the user's index.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// The index itself.
    pub(crate) tree: Option<Oid>,
    /// Why there is none.
    pub(crate) left: Option<IndexLeft>,
    /// What is pinned instead: the blobs that the head does not hold, each by its own name, and `index-info`, lines that
    /// `git update-index -z --index-info` reads.
    pub(crate) staged: Option<Oid>,
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
    /// Returns the user's index, unless its content is that of `known`: from a copy, so that all that is said of it is
    /// said of the same content.
    pub(crate) fn staged(&self, scratch: &Scratch, known: Option<&Users>) -> Result<Staged> {
        let path = &self.worktree.found.index;
        let content = match files::read(path) {
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

    /// Writes what can be kept of the user's index. Whether all that a tree names exists is yet to be seen.
    pub(crate) fn index(&self, scratch: &Scratch, staged: &Staged) -> Result<Index> {
        match staged {
            Staged::Same(users) => {
                Ok(Index { tree: users.tree.clone(), left: users.left, staged: users.staged.clone() })
            }
            Staged::Listed(users, _) => match users.left {
                None => Ok(Index { tree: self.index_tree(scratch)?, ..Index::default() }),
                left => Ok(Index { left, ..Index::default() }),
            },
        }
    }

    /// Pins the blobs of an index of which there is no tree.
    pub(crate) fn pin_staged(&self, index: &Path, staged: &Staged, head: Option<&Oid>) -> Result<Option<Oid>> {
        let Staged::Listed(users, _) = staged else { return Ok(None) };
        let known = self.held_by_head(index, head)?;
        let fresh: Vec<&Entry> = fresh(users, &known).collect();
        let named: BTreeMap<&str, &Entry> = fresh.iter().map(|entry| (entry.oid.as_str(), *entry)).collect();
        let asked: Vec<u8> = named.keys().flat_map(|oid| [oid.as_bytes(), b"\n"].concat()).collect();
        if asked.is_empty() {
            return Ok(None);
        }
        let call = self.worktree.own("cat-file", index).arg("--batch-check=%(objectname)").input(asked).ok()?;
        // What is missing is not ours to keep.
        let there = call.split(|byte| *byte == b'\n').filter_map(Oid::from_line);
        let mut rows: Vec<u8> = there.flat_map(|oid| format!("100644 blob {oid}\t{oid}\0").into_bytes()).collect();
        let mut info = Vec::new();
        for entry in fresh {
            info.extend_from_slice(format!("{} {} {}\t", entry.mode, entry.oid, entry.stage).as_bytes());
            info.extend_from_slice(entry.path.as_bytes());
            info.push(0);
        }
        let call = self.worktree.own("hash-object", index).args(["-w", "--no-filters", "--stdin"]);
        let info = Oid::from_line(&call.input(info).ok()?).ok_or_else(|| unread("hash-object"))?;
        rows.extend(format!("100644 blob {info}\tindex-info\0").into_bytes());
        let tree = Oid::from_line(&self.worktree.own("mktree", index).arg("-z").input(rows).ok()?);
        tree.map(Some).ok_or_else(|| unread("mktree"))
    }

    /// Lists the blobs of the user's head, which the checkpoint holds anyway.
    fn held_by_head(&self, index: &Path, head: Option<&Oid>) -> Result<HashSet<Oid>> {
        let Some(head) = head else { return Ok(HashSet::new()) };
        let listed = self.worktree.own("ls-tree", index).args(["-r", "-z", head.as_str()]).hold(&self.lock)?.ok()?;
        split_z(&listed).map(oid_of).collect::<Option<_>>().ok_or_else(|| unread("ls-tree"))
    }
}

fn fresh<'a>(users: &'a UserIndex, known: &'a HashSet<Oid>) -> impl Iterator<Item = &'a Entry> {
    users.entries.iter().filter(|entry| entry.mode != GITLINK && !known.contains(&entry.oid))
}
