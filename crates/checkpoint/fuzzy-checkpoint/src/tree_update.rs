//! Updates a tree with a few changes, by rewriting only the directories that contain them.

use std::cmp::Ordering;
use std::path::Path;

use crate::index::{Index, Known};
use crate::objects::{Edit, Entry};
use crate::private::Locked;
use crate::{Error, Oid, Result, hash};

/// The largest number of changes. For more, git writes the tree and records in the index which directories it knows.
const FEW: usize = 100;

/// Returns the tree of an index that differs little from the warm index, whose tree is `warm`; `None` if git must
/// write it.
pub(crate) fn updated_tree(locked: &Locked<'_>, index: &Path, warm: &Oid) -> Result<Option<Oid>> {
    let format = &locked.worktree.found.format;
    let (old, new) = (Index::read(&locked.worktree.warm_index(), format)?, Index::read(index, format)?);
    let (Some(old), Some(new)) = (old.entries(), new.entries()) else { return Ok(None) };
    let Some(edits) = edits(&old, &new) else { return Ok(None) };
    match locked.objects.edited(Some(warm), &edits) {
        Ok(tree) => tree.map_or_else(|| locked.objects.store("tree", b""), Ok).map(Some),
        // Git may still be able to write the whole index.
        Err(Error::Lost { .. }) => Ok(None),
        Err(error) => Err(error),
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
