//! Reads the user's index and stores its staged changes: as a tree that can be restored, or as its blobs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use crate::capture_cache::Users;
use crate::classify::Found;
use crate::git::{split_z, unread};
use crate::listing::{Entry, GITLINK, Sorted, UserIndex, oid_of};
use crate::objects::DIRECTORY;
use crate::private::{Locked, Scratch};
use crate::store::found;
use crate::{Error, IndexLeft, Oid, RepoPath, Result, files, hash};

/// The number of paths up to which each is looked up in the user's index.
const FEW: usize = 100;

/// The name of the copy of the user's index in the scratch directory.
pub(crate) const USERS_INDEX: &str = "user.index";

/// The stored form of the user's index.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// The index as a tree.
    pub(crate) tree: Option<Oid>,
    /// The reason why there is none.
    pub(crate) left: Option<IndexLeft>,
    /// The tree that is pinned instead: the blobs that the head does not contain, each named by its id, and
    /// `index-info`, with lines for `git update-index -z --index-info`.
    pub(crate) staged: Option<Oid>,
}

/// The user's index: unchanged since the last capture, or newly listed, with the id of its content.
pub(crate) enum Staged {
    Same(Users),
    Listed(UserIndex, String),
}

impl Staged {
    /// Returns the files with which a fresh index begins.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Entry> {
        let listed = match self {
            Self::Same(_) => None,
            Self::Listed(users, _) => Some(users),
        };
        listed.into_iter().flat_map(UserIndex::files)
    }

    /// Returns the files that `ours` lacks.
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

    /// Returns the facts about the user's index after a capture; `None` if they would need another listing.
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
                users_without(locked, users, &found.removed)
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

/// Returns the user's index, or the known facts if its content is unchanged. It is listed from a copy, so that all
/// facts are about the same content.
pub(crate) fn read(locked: &Locked<'_>, scratch: &Scratch, known: Option<&Users>) -> Result<Staged> {
    let path = &locked.worktree.found.index;
    let content = match files::read(path) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Error::io(path)(error)),
    };
    let id = index_id(locked, &content);
    match known {
        // Older programs stored nothing for an index without a tree.
        Some(users) if users.id == id && (users.tree.is_some() || users.left.is_some()) => {
            Ok(Staged::Same(users.clone()))
        }
        _ if content.is_empty() => Ok(Staged::Listed(UserIndex::default(), id)),
        _ => {
            let copy = scratch.path(USERS_INDEX);
            fs::write(&copy, &content).map_err(Error::io(&copy))?;
            Ok(Staged::Listed(locked.worktree.user_index(&copy, &content)?, id))
        }
    }
}

/// Returns the facts about the user's index after the warm index has lost `paths`: those in the user's index become
/// missing. `None` if that would need another listing.
pub(crate) fn users_without(locked: &Locked<'_>, mut users: Users, paths: &[RepoPath]) -> Result<Option<Users>> {
    let Some(tree) = users.tree.clone().filter(|_| paths.len() <= FEW) else {
        return Ok(Some(users).filter(|_| paths.is_empty()));
    };
    let mut known = HashMap::new();
    for path in paths {
        let entries = match locked.objects.directory(&tree, path.ancestors().last().as_ref(), &mut known) {
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

/// Returns an id of an index's content: its checksum, or our own hash if git was configured to omit the checksum.
fn index_id(locked: &Locked<'_>, content: &[u8]) -> String {
    let length = if locked.worktree.found.format == "sha256" { 32 } else { 20 };
    match content.split_last_chunk::<8>() {
        Some((_, [0, 0, 0, 0, 0, 0, 0, 0])) | None => hash::sha256(content),
        Some(_) => format!("{} {}", content.len(), hash::hex(&content[content.len().saturating_sub(length)..])),
    }
}

/// Stores the user's index as far as possible. It is not yet checked whether all objects of the tree exist.
pub(crate) fn index(locked: &Locked<'_>, scratch: &Scratch, staged: &Staged) -> Result<Index> {
    match staged {
        Staged::Same(users) => Ok(Index { tree: users.tree.clone(), left: users.left, staged: users.staged.clone() }),
        Staged::Listed(users, _) => match users.left {
            None => Ok(Index { tree: locked.index_tree(scratch)?, ..Index::default() }),
            left => Ok(Index { left, ..Index::default() }),
        },
    }
}

/// Stores the blobs of an index that has no tree.
pub(crate) fn pin_staged(
    locked: &Locked<'_>,
    index: &Path,
    staged: &Staged,
    head: Option<&Oid>,
) -> Result<Option<Oid>> {
    let Staged::Listed(users, _) = staged else { return Ok(None) };
    let known = held_by_head(locked, index, head)?;
    let fresh: Vec<&Entry> = fresh(users, &known).collect();
    let named: BTreeMap<&str, &Entry> = fresh.iter().map(|entry| (entry.oid.as_str(), *entry)).collect();
    let oids: Vec<u8> = named.keys().flat_map(|oid| [oid.as_bytes(), b"\n"].concat()).collect();
    if oids.is_empty() {
        return Ok(None);
    }
    let call = locked.worktree.own("cat-file", index).arg("--batch-check=%(objectname)").input(oids).ok()?;
    // Missing blobs cannot be stored.
    let there: Vec<Oid> = found(&call);
    locked.objects.copy(&there)?;
    let mut rows = Vec::new();
    for oid in &there {
        rows.extend([format!("100644 {oid}\0").as_bytes(), &hash::bytes(oid)].concat());
    }
    let mut info = Vec::new();
    for entry in fresh {
        info.extend_from_slice(format!("{} {} {}\t", entry.mode, entry.oid, entry.stage).as_bytes());
        info.extend_from_slice(entry.path.as_bytes());
        info.push(0);
    }
    // The names are sorted: no object id begins with an "i".
    let info = locked.objects.store("blob", &info)?;
    rows.extend([&b"100644 index-info\0"[..], &hash::bytes(&info)].concat());
    locked.objects.store("tree", &rows).map(Some)
}

/// Returns the blobs of the user's head, which the checkpoint holds anyway.
fn held_by_head(locked: &Locked<'_>, index: &Path, head: Option<&Oid>) -> Result<HashSet<Oid>> {
    let Some(head) = head else { return Ok(HashSet::new()) };
    let listed = locked.worktree.own("ls-tree", index).args(["-r", "-z", head.as_str()]).hold(&locked.lock)?.ok()?;
    split_z(&listed).map(oid_of).collect::<Option<_>>().ok_or_else(|| unread("ls-tree"))
}
fn fresh<'a>(users: &'a UserIndex, known: &'a HashSet<Oid>) -> impl Iterator<Item = &'a Entry> {
    users.entries.iter().filter(|entry| entry.mode != GITLINK && !known.contains(&entry.oid))
}
