//! Records the permissions of files: git stores only one bit of them, and a restored private key must not become
//! world-readable.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

use crate::index::Index;
use crate::worktree::Worktree;
use crate::{RepoPath, Result};

/// All twelve permission bits of files. Most files have the same bits, so only exceptions are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Modes {
    /// The most frequent bits of files that are not executable.
    plain: u32,
    /// The most frequent bits of files that are executable by their owner.
    executable: u32,
    others: Vec<(RepoPath, u32)>,
}

impl Modes {
    /// Returns the permissions of all files in an index that was just updated. Files that are unchanged since the warm
    /// index keep the permissions of `last`.
    pub(crate) fn of_index(worktree: &Worktree, index: &Path, last: Option<&Self>) -> Result<Option<Self>> {
        let format = &worktree.found.format;
        let (index, warm) = (Index::read(index, format)?, Index::read(&worktree.warm_index(), format)?);
        let Some(entries) = index.entries() else { return Ok(None) };
        // Both are sorted by path.
        let mut known = last.and_then(|_| warm.entries()).unwrap_or_default().into_iter().peekable();
        let mut all = Vec::with_capacity(entries.len());
        for entry in entries.iter().filter(|entry| !entry.link) {
            while known.next_if(|then| then.path < entry.path).is_some() {}
            let is_unchanged =
                entry.stat.2 != 0 && known.peek().is_some_and(|then| then == entry && !warm.is_racy(then));
            let bits = match last.filter(|_| is_unchanged) {
                Some(last) => last.of(entry.path, entry.executable),
                // If a file has just disappeared, the next capture detects it.
                None => match fs::symlink_metadata(sys::on_disk(&worktree.found.root, entry.path)) {
                    Ok(meta) => sys::mode(&meta),
                    Err(_) => continue,
                },
            };
            all.push((entry.path, entry.executable, bits));
        }
        Ok(Some(Self::from_all(&all)))
    }

    /// Returns the bits of a file, as far as they are known.
    pub(crate) fn of(&self, path: &[u8], executable: bool) -> u32 {
        let named =
            self.others.binary_search_by(|(other, _)| other.as_bytes().cmp(path)).ok().map(|at| self.others[at].1);
        named.unwrap_or(if executable { self.executable } else { self.plain })
    }

    /// Records the bits of a file.
    pub(crate) fn set(&mut self, path: &RepoPath, bits: u32) {
        match self.others.binary_search_by(|(other, _)| other.cmp(path)) {
            Ok(at) => self.others[at].1 = bits,
            Err(at) => self.others.insert(at, (path.clone(), bits)),
        }
    }

    fn from_all(all: &[(&[u8], bool, u32)]) -> Self {
        let (plain, executable) = (most_frequent(all, false), most_frequent(all, true));
        let others = all.iter().filter_map(|&(path, is_executable, bits)| {
            let usual = if is_executable { executable } else { plain };
            (bits != usual).then(|| (RepoPath::new(path), bits))
        });
        Self { plain, executable, others: others.collect() }
    }
}

/// Returns the most frequent permissions of the executable files, or of the others.
fn most_frequent(all: &[(&[u8], bool, u32)], executable: bool) -> u32 {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for (_, _, bits) in all.iter().filter(|(_, is_executable, _)| *is_executable == executable) {
        *counts.entry(*bits).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(bits, count)| (*count, *bits)).map_or(0, |(bits, _)| bits)
}
