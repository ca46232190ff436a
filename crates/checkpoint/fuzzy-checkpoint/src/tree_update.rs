//! Updates a tree with a few changes, by rewriting only the directories that contain them.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

use crate::index::{Index, Known};
use crate::private::Locked;
use crate::trees::{DIRECTORY, Entry};
use crate::{Error, Oid, Result, hash};

/// The largest number of changes. For more, git writes the tree and records in the index which directories it knows.
const FEW: usize = 100;

/// A path below some directory, and its new entry.
type Edit<'e> = (&'e [u8], Option<Entry>);

impl Locked<'_> {
    /// Returns the tree of an index that differs little from the warm index, whose tree is `warm`; `None` if git must
    /// write it.
    pub(crate) fn updated_tree(&self, index: &Path, warm: &Oid) -> Result<Option<Oid>> {
        let format = &self.worktree.found.format;
        let (old, new) = (Index::read(&self.worktree.warm_index(), format)?, Index::read(index, format)?);
        let (Some(old), Some(new)) = (old.entries(), new.entries()) else { return Ok(None) };
        let Some(edits) = edits(&old, &new) else { return Ok(None) };
        match self.edited(Some(warm), &edits) {
            Ok(tree) => tree.map_or_else(|| self.store("tree", b""), Ok).map(Some),
            // Git may still be able to write the whole index.
            Err(Error::Lost { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a directory with the edits below it; `None` if it becomes empty.
    pub(crate) fn edited(&self, base: Option<&Oid>, edits: &[Edit<'_>]) -> Result<Option<Oid>> {
        let mut entries = self.entries_of(base)?;
        let mut below: BTreeMap<&[u8], Vec<Edit<'_>>> = BTreeMap::new();
        let mut here = Vec::new();
        for (path, new) in edits {
            match memchr::memchr(b'/', path) {
                Some(slash) => below.entry(&path[..slash]).or_default().push((&path[slash + 1..], new.clone())),
                None => here.push((*path, new)),
            }
        }
        // Deletions first, because a directory may replace a file, and a file a directory.
        for (name, _) in here.iter().filter(|(_, new)| new.is_none()) {
            if entries.get(*name).is_some_and(|(mode, _)| mode != DIRECTORY) {
                entries.remove(*name);
            }
        }
        for (name, edits) in below {
            let base = entries.get(name).filter(|(mode, _)| mode == DIRECTORY).map(|(_, oid)| oid.clone());
            match self.edited(base.as_ref(), &edits)? {
                Some(tree) => drop(entries.insert(name.to_vec(), (DIRECTORY.to_owned(), tree))),
                None if base.is_some() => drop(entries.remove(name)),
                None => {}
            }
        }
        entries.extend(here.into_iter().filter_map(|(name, new)| Some((name.to_vec(), new.clone()?))));
        if entries.is_empty() {
            return Ok(None);
        }
        // Git sorts directories as if their names ended with a slash.
        let mut rows: Vec<(Vec<u8>, Vec<u8>)> = Vec::with_capacity(entries.len());
        for (name, entry) in entries {
            let row = [entry.0.as_bytes(), b" ", &name, b"\0", &hash::bytes(&entry.1)].concat();
            rows.push(([&name[..], if entry.0 == DIRECTORY { b"/" } else { b"" }].concat(), row));
        }
        rows.sort();
        let content: Vec<u8> = rows.into_iter().flat_map(|(_, row)| row).collect();
        self.store("tree", &content).map(Some)
    }
}

/// Compares two indexes; `None` if they differ in many entries, or in entries other than files and links.
fn edits<'e>(old: &[Known<'e>], new: &[Known<'e>]) -> Option<Vec<Edit<'e>>> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut edits = Vec::new();
    while edits.len() <= FEW {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return Some(edits),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(before), Some(after)) => before.path.cmp(after.path),
        };
        let before = if order == Ordering::Greater { None } else { old.next() };
        let after = if order == Ordering::Less { None } else { new.next() };
        match (before, after) {
            (Some(before), Some(after)) if (before.mode, before.oid) == (after.mode, after.oid) => {}
            (_, Some(after)) => edits.push((after.path, Some(entry(after)?))),
            (Some(before), None) => edits.push((before.path, None)),
            (None, None) => {}
        }
    }
    None
}

fn entry(known: &Known<'_>) -> Option<Entry> {
    let oid = Oid::new(hash::hex(known.oid)).ok()?;
    matches!(known.mode, 0o100_644 | 0o100_755 | 0o120_000).then(|| (format!("{:o}", known.mode), oid))
}
