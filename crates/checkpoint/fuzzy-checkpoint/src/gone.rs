//! Finds the paths that were there at a checkpoint without being captured, and are not there any more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use fuzzy_system as sys;

use crate::objects::{Objects, header};
use crate::reader::Reader;
use crate::snapshot::Meta;
use crate::unreadable::means_absent;
use crate::{Error, Gone, Oid, Reason, RepoPath, Result};

impl Reader<'_> {
    /// Returns the paths that were there at the checkpoint `then` without being captured, were not there at the checkpoint
    /// `later`, and are not there now, sorted. Files in an ignored directory that is still there are not watched, unless
    /// all of them are gone.
    ///
    /// # Errors
    ///
    /// Returns `lost` if the notes of a checkpoint are gone.
    pub fn gone(&self, then: &Oid, later: &Oid) -> Result<Vec<Gone>> {
        self.objects.gone(then, later)
    }
}

impl Objects<'_> {
    /// Returns the tree, the tree of the index, and the notes of a checkpoint.
    pub(crate) fn notes(&self, commit: &Oid) -> Result<(Oid, Option<Oid>, Meta)> {
        let lost = || Error::Lost { what: commit.to_string() };
        let body = self.object_of("commit", commit)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let tree = header(&text, "tree ").next().ok_or_else(lost)?;
        let aux = header(&text, "parent ").last().ok_or_else(lost)?;
        let mut aux = self.entries_of(Some(&self.tree_of(&aux)?))?;
        let (_, notes) = aux.remove(&b"meta.json"[..]).ok_or_else(lost)?;
        let meta = serde_json::from_slice(&self.blob(&notes)?).map_err(|_| lost())?;
        Ok((tree, aux.remove(&b"index"[..]).map(|(_, oid)| oid), meta))
    }

    /// Does the same as [`Reader::gone`].
    pub(crate) fn gone(&self, then: &Oid, later: &Oid) -> Result<Vec<Gone>> {
        let root = &self.worktree.found.root;
        if then == later {
            return Ok(Vec::new());
        }
        let ((.., was), (tree, _, is)) = (self.notes(then)?, self.notes(later)?);
        let sizes: BTreeMap<&RepoPath, u64> = was.sizes.iter().map(|(path, bytes)| (path, *bytes)).collect();
        let remaining: BTreeSet<RepoPath> = left_out(&is).map(|(path, _)| plain(path)).collect();
        let mut gone: BTreeMap<RepoPath, Gone> = was.gone.iter().map(|one| (one.path.clone(), one.clone())).collect();
        gone.retain(|path, one| !is_there(root, path, one.why));
        for (path, why) in left_out(&was) {
            let name = plain(path);
            // A capture lists a directory with ignored files alone either as a whole or by its files.
            let within = remaining.range(name.clone()..).next().is_some_and(|next| next.is_within(&name));
            if within || name.ancestors().any(|above| remaining.contains(&above)) {
                continue;
            }
            if is_there(root, path, why) || self.entry(&tree, &name)?.is_some() {
                continue;
            }
            gone.insert(path.clone(), Gone { path: path.clone(), why, bytes: sizes.get(path).copied() });
        }
        Ok(gone.into_values().collect())
    }
}

/// Returns the paths that a capture saw and left out. The index names a submodule also if its directory is gone.
fn left_out(meta: &Meta) -> impl Iterator<Item = (&RepoPath, Reason)> {
    let is_there = |left: &&crate::Uncovered| left.reason != Reason::Submodule || left.commit.is_some();
    let ignored = meta.ignored.iter().map(|path| (path, Reason::Ignored));
    ignored.chain(meta.uncovered.iter().filter(is_there).map(|left| (&left.path, left.reason)))
}

/// Returns a path without the slash that marks a directory.
fn plain(path: &RepoPath) -> RepoPath {
    path.as_bytes().strip_suffix(b"/").map_or_else(|| path.clone(), RepoPath::new)
}

/// Returns whether something is at a path, or may be; an empty directory counts as nothing.
fn is_there(root: &Path, path: &RepoPath, why: Reason) -> bool {
    let disk = sys::on_disk(root, plain(path).as_bytes());
    match fs::symlink_metadata(&disk) {
        Ok(meta) if meta.is_dir() && matches!(why, Reason::Submodule | Reason::NestedRepo) => {
            fs::symlink_metadata(disk.join(".git")).is_ok()
        }
        Ok(meta) if meta.is_dir() => fs::read_dir(&disk).map_or(true, |mut entries| entries.next().is_some()),
        Ok(_) => true,
        Err(error) => !means_absent(&error),
    }
}

/// Returns the sizes of the files among paths, sorted.
pub(crate) fn sizes<'p>(root: &Path, paths: impl Iterator<Item = &'p RepoPath>) -> Vec<(RepoPath, u64)> {
    let files = paths.filter(|path| !path.as_bytes().ends_with(b"/"));
    let sizes = files.filter_map(|path| {
        let meta = fs::symlink_metadata(sys::on_disk(root, path.as_bytes())).ok()?;
        meta.is_file().then(|| (path.clone(), meta.len()))
    });
    let sizes: BTreeMap<RepoPath, u64> = sizes.collect();
    sizes.into_iter().collect()
}
