//! Keeps what is staged: as a tree that can be given back, else as the blobs that it names.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::git::{split_z, unread};
use crate::listing::{Entry, GITLINK, UserIndex, oid_of};
use crate::private::{Locked, Scratch};
use crate::warm::Staged;
use crate::{IndexLeft, Oid, Result};

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

impl Locked<'_> {
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
