//! Moves checkpoints of older programs from the user's repository to the store, and repairs what those left damaged.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::files::{below, exists, own, read, remove};
use crate::identity::OLD_RECORD;
use crate::objects::header;
use crate::private::Locked;
use crate::refs::CHECKPOINTS;
use crate::store::found;
use crate::unreadable::means_absent;
use crate::worktree::Worktree;
use crate::{Error, Oid, Result};

/// A checkpoint that was moved to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The name of its pin.
    pub name: String,
    /// Its new commit; `None` if objects of the checkpoint are missing.
    pub commit: Option<Oid>,
}

impl Worktree {
    /// Returns the pins of older programs, in the user's repository.
    pub(crate) fn old_pins(&self) -> Result<Vec<(String, Oid)>> {
        if self.has_old_refs()? { self.pins_in(self.user("for-each-ref")) } else { Ok(Vec::new()) }
    }

    /// Returns whether the user's repository has anything of older programs.
    ///
    /// # Errors
    ///
    /// Fails if that is not certain.
    pub fn has_leftovers(&self) -> Result<bool> {
        let [record, writes] = [OLD_RECORD, "fuzzy-edit-writes"].map(|name| self.found.git_dir.join(name));
        Ok(!self.found.sidecar && (self.has_old_refs()? || exists(&record)? || exists(&writes)?))
    }

    /// Returns whether the user's repository has refs of older programs.
    pub(crate) fn has_old_refs(&self) -> Result<bool> {
        let dir = &self.found.common_dir;
        if self.found.sidecar || exists(&dir.join("refs/fuzzy-edit"))? || exists(&dir.join("reftable"))? {
            return Ok(!self.found.sidecar);
        }
        let path = dir.join("packed-refs");
        match read(&path) {
            Err(error) if means_absent(&error) => Ok(false),
            packed => {
                let packed = packed.map_err(Error::unreadable(&path))?;
                Ok(memchr::memmem::find(&packed, b" refs/fuzzy-edit/").is_some())
            }
        }
    }
}

impl Locked<'_> {
    /// Copies the checkpoints of older programs from the user's repository to the store. The old refs remain until
    /// [`Locked::drop_old`].
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails.
    pub fn take_over(&self) -> Result<Vec<Moved>> {
        let known: HashSet<String> = self.worktree.own_pins()?.into_iter().map(|(name, _)| name).collect();
        let mut moved = Vec::new();
        for (name, old) in self.worktree.old_pins()? {
            if known.contains(&name) {
                continue;
            }
            // The second try makes sure that git does not fail only now.
            let tried = self.take_over_one(&name, &old).or_else(|error| match error {
                Error::Git { .. } => self.take_over_one(&name, &old),
                error => Err(error),
            });
            let commit = match tried {
                Err(Error::Lost { .. } | Error::Git { .. }) => None,
                commit => Some(commit?),
            };
            moved.push(Moved { name, commit });
        }
        Ok(moved)
    }

    fn take_over_one(&self, name: &str, old: &Oid) -> Result<Oid> {
        let lost = || Error::Lost { what: old.to_string() };
        let body = self.objects.object_of("commit", old)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let tree = header(&text, "tree ").next().ok_or_else(lost)?;
        let notes = header(&text, "parent ").last().ok_or_else(lost)?;
        let head = self.recorded_head(old)?;
        let call = self.worktree.kept("rev-list").args(["--objects", "--no-object-names", tree.as_str()]);
        let listed = call.arg(notes.as_str()).ok()?;
        self.worktree.pack(&self.worktree.all_borrowed(&found(&listed))?)?;
        let commit = self.objects.commit_tree(&tree, &[&notes], head.as_ref())?;
        self.pin(name, &commit)?;
        Ok(commit)
    }

    /// Removes everything that older programs left in the user's repository: refs, records, and empty objects, which
    /// they wrote before a power failure and which stop git.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails.
    pub fn drop_old(&self) -> Result<()> {
        let worktree = self.worktree;
        if worktree.found.sidecar {
            return Ok(());
        }
        if worktree.has_old_refs()? {
            let names: Vec<String> = worktree.old_pins()?.into_iter().map(|(name, _)| name).collect();
            let mut input: Vec<u8> = names
                .iter()
                .flat_map(|name| format!("delete {CHECKPOINTS}/{}/{name}\0\0", worktree.id).into_bytes())
                .collect();
            let warm = worktree.warm_ref();
            if !worktree.user("for-each-ref").args(["--format=%(objectname)", &warm]).ok()?.is_empty() {
                input.extend(format!("delete {warm}\0\0").into_bytes());
            }
            worktree.user("update-ref").args(["-z", "--stdin"]).input(input).ok()?;
            self.drop_empty_objects()?;
            remove_empty(&worktree.found.common_dir.join("refs/fuzzy-edit"))?;
        }
        remove_empty(&worktree.found.git_dir.join("fuzzy-edit-writes"))?;
        if own(&worktree.found.git_dir.join(OLD_RECORD))?.is_some_and(|text| text.starts_with(worktree.id.as_bytes())) {
            remove(&worktree.found.git_dir.join(OLD_RECORD))?;
        }
        Ok(())
    }

    /// Removes empty loose objects that the user's own refs do not need.
    fn drop_empty_objects(&self) -> Result<()> {
        let Some(lends) = &self.worktree.found.lends else { return Ok(()) };
        let mut empty = Vec::new();
        for (above, dir) in below(lends)?.into_iter().filter(|(name, _)| name.len() == 2) {
            for (name, path) in below(&dir)? {
                if let Ok(oid) = Oid::new(format!("{above}{name}"))
                    && fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() == 0)
                {
                    empty.push((oid, path));
                }
            }
        }
        if empty.is_empty() {
            return Ok(());
        }
        let call = self.worktree.user("rev-list");
        let call = call.args([
            "--objects",
            "--no-object-names",
            "--all",
            "--reflog",
            "--indexed-objects",
            "--missing=allow-any",
        ]);
        let listed = call.run()?;
        if listed.code != 0 {
            // It is unknown which objects the user needs.
            return Ok(());
        }
        let needed: HashSet<Oid> = found(&listed.stdout).into_iter().collect();
        empty.iter().filter(|(oid, _)| !needed.contains(oid)).try_for_each(|(_, path)| remove(path))
    }
}

/// Removes a directory if it contains no files.
fn remove_empty(dir: &Path) -> Result<()> {
    for (_, below) in below(dir)?.into_iter().filter(|(_, path)| path.is_dir()) {
        remove_empty(&below)?;
    }
    let _ = fs::remove_dir(dir);
    Ok(())
}
