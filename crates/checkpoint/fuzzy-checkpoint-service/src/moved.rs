//! Follows worktrees that are moved.

use std::path::{Path, PathBuf};

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::now_ms;

use crate::checkpointer::Checkpointer;
use crate::sessions::row;
use crate::{Error, Result};

impl Checkpointer {
    /// Notes where a worktree is now, if it is known and was elsewhere; returns where that was.
    ///
    /// # Errors
    ///
    /// Fails when the store does.
    pub fn follow(&self, worktree: &Worktree) -> Result<Option<PathBuf>> {
        let Some(known) = self.store.worktree(worktree.id())? else { return Ok(None) };
        let now = row(worktree)?;
        if (&known.git_dir, &known.root) == (&now.git_dir, &now.root) {
            return Ok(None);
        }
        // Where both places are the same one, mounted twice, nothing was moved.
        if self.worktree(&known.id).is_ok() {
            return Ok(None);
        }
        self.store.put_worktree(&now, now_ms())?;
        Ok((known.root != now.root).then(|| known.root.into()))
    }

    /// Gives the worktree around `dir` the name `id`, under which its repository holds checkpoints, or where none is
    /// given the only such name: for one that was moved before worktrees kept their names. Returns the name.
    ///
    /// # Errors
    ///
    /// Refuses a name that another worktree bears, or that the repository holds no checkpoints of, and no name where
    /// there are several; fails when git or the store does.
    pub fn adopt(&self, dir: &Path, id: Option<&str>) -> Result<String> {
        let worktree = self.engine.open(dir)?;
        let mut found = Vec::new();
        for known in self.store.worktrees()?.into_iter().filter(|row| id.is_none_or(|id| row.id.starts_with(id))) {
            let is_free = known.id != worktree.id() && self.worktree(&known.id).is_err();
            if is_free && known.object_format == worktree.object_format() {
                let named = worktree.named(&self.engine, &known.id);
                if !named.pins()?.is_empty() {
                    found.push(named);
                }
            }
        }
        match &found[..] {
            [one] => {
                one.take_name()?;
                self.store.put_worktree(&row(one)?, now_ms())?;
                Ok(one.id().to_owned())
            }
            [] => Err(Error::Invalid("this repository holds no checkpoints of a worktree that is not where it was")),
            _ => {
                Err(Error::Invalid("this repository holds checkpoints of several worktrees: name one, as doctor does"))
            }
        }
    }
}
