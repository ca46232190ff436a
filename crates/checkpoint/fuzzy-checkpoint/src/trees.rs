//! Compares trees, object by object; reads only differing subtrees.

use std::collections::{BTreeMap, HashMap};

use crate::listing::Change;
use crate::private::Locked;
use crate::{Error, Oid, RepoPath, Result};

pub(crate) const DIRECTORY: &str = "40000";

/// Mode and object of an entry.
pub(crate) type Entry = (String, Oid);

/// The entries of one tree by their names.
pub(crate) type Entries = BTreeMap<Vec<u8>, Entry>;

impl Locked<'_> {
    /// Compares two trees.
    ///
    /// # Errors
    ///
    /// Returns `lost` if one of them, or a subtree, is gone.
    pub(crate) fn differences(&self, from: &Oid, to: &Oid) -> Result<Vec<Change>> {
        let mut found = Vec::new();
        self.compare(&[], Some(from), Some(to), &mut found)?;
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    fn compare(&self, above: &[u8], from: Option<&Oid>, to: Option<&Oid>, found: &mut Vec<Change>) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let (mut old, new) = (self.entries_of(from)?, self.entries_of(to)?);
        for (name, new) in new {
            let old = old.remove(&name);
            self.compare_entry(&[above, &name].concat(), old, Some(new), found)?;
        }
        for (name, old) in old {
            self.compare_entry(&[above, &name].concat(), Some(old), None, found)?;
        }
        Ok(())
    }

    fn compare_entry(
        &self,
        path: &[u8],
        old: Option<Entry>,
        new: Option<Entry>,
        found: &mut Vec<Change>,
    ) -> Result<()> {
        if old == new {
            return Ok(());
        }
        let ((old_dir, old), (new_dir, new)) = (split(old), split(new));
        if old.is_some() || new.is_some() {
            found.push(Change { path: RepoPath::new(path), old, new });
        }
        let below = [path, b"/"].concat();
        self.compare(&below, old_dir.as_ref().map(|(_, oid)| oid), new_dir.as_ref().map(|(_, oid)| oid), found)
    }

    /// Reads the entries of a directory in a tree, or of the root if `dir` is `None`; returns `None` if there is no
    /// such directory. Entries are cached in `known`.
    pub(crate) fn directory(
        &self,
        tree: &Oid,
        dir: Option<&RepoPath>,
        known: &mut HashMap<Oid, Entries>,
    ) -> Result<Option<Entries>> {
        let mut at = tree.clone();
        for name in dir.iter().flat_map(|dir| dir.as_bytes().split(|byte| *byte == b'/')) {
            let entries = self.remembered(&at, known)?;
            match entries.get(name) {
                Some((mode, oid)) if mode == DIRECTORY => at = oid.clone(),
                _ => return Ok(None),
            }
        }
        self.remembered(&at, known).cloned().map(Some)
    }

    fn remembered<'k>(&self, tree: &Oid, known: &'k mut HashMap<Oid, Entries>) -> Result<&'k Entries> {
        if !known.contains_key(tree) {
            known.insert(tree.clone(), self.entries_of(Some(tree))?);
        }
        known.get(tree).ok_or_else(|| Error::Lost { what: tree.to_string() })
    }

    /// Reads one tree; `None` is an empty tree.
    pub(crate) fn entries_of(&self, tree: Option<&Oid>) -> Result<Entries> {
        let Some(tree) = tree else { return Ok(Entries::new()) };
        let content = self.object_of("tree", tree.as_str())?;
        let length = tree.as_str().len() / 2;
        entries(&content, length).ok_or_else(|| Error::Lost { what: tree.to_string() })
    }
}

/// Splits one side into a directory and anything else.
fn split(side: Option<Entry>) -> (Option<Entry>, Option<Entry>) {
    if side.as_ref().is_some_and(|(mode, _)| mode == DIRECTORY) { (side, None) } else { (None, side) }
}

/// Parses a tree with object ids of `length` bytes.
fn entries(mut content: &[u8], length: usize) -> Option<Entries> {
    let mut found = Entries::new();
    while !content.is_empty() {
        let (space, end) = (memchr::memchr(b' ', content)?, memchr::memchr(0, content)?);
        let mode = std::str::from_utf8(content.get(..space)?).ok()?;
        let name = content.get(space + 1..end)?;
        let oid = Oid::new(crate::hash::hex(content.get(end + 1..end + 1 + length)?)).ok()?;
        found.insert(name.to_vec(), (mode.to_owned(), oid));
        content = &content[end + 1 + length..];
    }
    Some(found)
}
