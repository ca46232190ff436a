//! Updates the recorded paths of worktrees that were moved.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, CheckpointState, Kind, WorktreeRow, now_ms, ulid_ms};

use crate::checkpointer::Checkpointer;
use crate::local::MANUAL;
use crate::sessions::row;
use crate::{Error, Result};

impl Checkpointer {
    /// Records the current path of a known worktree. Returns its previous path if it was moved.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn follow(&self, worktree: &Worktree) -> Result<Option<PathBuf>> {
        let Some(known) = self.store.worktree(worktree.id())? else { return Ok(None) };
        self.check_store(worktree)?;
        let now = row(worktree)?;
        if known.store.is_empty() && !now.store.is_empty() {
            let named = WorktreeRow { store: now.store.clone(), ..known.clone() };
            self.store.put_worktree(&named, now_ms())?;
        }
        if (&known.git_dir, &known.root) == (&now.git_dir, &now.root) || worktree.is_abandoned() {
            return Ok(None);
        }
        // If both paths lead to one directory, mounted twice, nothing was moved.
        if self.worktree(&known.id).is_ok() {
            return Ok(None);
        }
        self.store.put_worktree(&now, now_ms())?;
        Ok((known.root != now.root).then(|| known.root.into()))
    }

    /// Refuses a worktree whose checkpoints are in another store than the one that is there.
    pub(crate) fn check_store(&self, worktree: &Worktree) -> Result<()> {
        let known = self.store.worktree(worktree.id())?.map(|row| row.store).unwrap_or_default();
        let Some((id, path)) = known.split_once(' ') else { return Ok(()) };
        if worktree.store_name()?.is_some_and(|name| name.split(' ').next() == Some(id)) {
            return Ok(());
        }
        if worktree.store() == Path::new(path) && worktree.name_store_again(id)? {
            return Ok(());
        }
        Err(fuzzy_checkpoint::Error::StoreMissing { path: path.into() }.into())
    }

    /// Gives up the checkpoints of the worktree around `dir` that are in a store that is not there.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the directory, or if the database fails.
    pub fn begin_store(&self, dir: &Path) -> Result<()> {
        let worktree = self.engine.open(dir)?;
        worktree.take_name()?;
        Ok(self.store.put_worktree(&row(&worktree)?, now_ms())?)
    }

    /// Creates records for those checkpoints of the worktree around `dir` that the repository holds and the database
    /// lacks, for example because the database was lost. They join the session of manual checkpoints. Returns their
    /// ids.
    ///
    /// # Errors
    ///
    /// Fails if git or the store does; skips checkpoints that cannot be read any more.
    pub fn adopt_refs(&self, dir: &Path) -> Result<Vec<CheckpointId>> {
        let session = self.session(&self.session_titled(dir, MANUAL)?)?;
        let worktree = self.engine.open(dir)?;
        let locked = worktree.lock()?;
        let known = self.store.checkpoints_of(worktree.id())?;
        let known: HashSet<&str> = known.iter().map(|row| row.id.as_str()).collect();
        let mut adopted = Vec::new();
        for (name, commit) in worktree.pins()? {
            let Some(created_at) = ulid_ms(&name).filter(|_| !known.contains(name.as_str())) else { continue };
            let head = locked.recorded_head(&commit);
            let Ok(snapshot) = head.and_then(|head| locked.load(&commit, head, None)) else { continue };
            let row = Checkpoint {
                id: CheckpointId(name),
                session_id: session.id.clone(),
                worktree_id: worktree.id().to_owned(),
                kind: Kind::Manual,
                state: CheckpointState::Ready,
                anchor_seq: 0,
                commit_oid: snapshot.commit,
                tree_oid: snapshot.tree,
                index_tree_oid: snapshot.index_tree,
                index_left: snapshot.index_left,
                head_oid: snapshot.head,
                head_ref: None,
                label: "recovered".to_owned(),
                uncovered: snapshot.uncovered,
                retired_by: None,
                created_at,
            };
            self.store.insert_checkpoint(&row)?;
            adopted.push(row.id);
        }
        Ok(adopted)
    }

    /// Gives the worktree around `dir` an id under which its repository holds checkpoints: the one that starts with
    /// `id`, or the only one if `id` is `None`. This serves worktrees that were moved before worktrees recorded their
    /// ids. Returns the id.
    ///
    /// # Errors
    ///
    /// Refuses an id that another worktree has, an id without checkpoints in the repository, and an `id` that fits
    /// several. Fails if git or the store does.
    pub fn adopt(&self, dir: &Path, id: Option<&str>) -> Result<String> {
        let worktree = self.engine.open(dir)?;
        let mut found = Vec::new();
        for known in self.store.worktrees()?.into_iter().filter(|row| id.is_none_or(|id| row.id.starts_with(id))) {
            let is_free = known.id != worktree.id() && self.worktree_there(&known.id)?.is_none();
            if is_free && known.object_format == worktree.object_format() {
                let named = worktree.named(&self.engine, &known.id)?;
                // A checkpoint of the same history is one of this repository, wherever it was.
                let heads: Vec<_> =
                    self.store.checkpoints_of(&known.id)?.into_iter().filter_map(|row| row.head_oid).collect();
                if !named.pins()?.is_empty() && (heads.is_empty() || worktree.has_commit(&heads)?) {
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
            [] => Err(Error::Invalid("this repository holds no checkpoints of a moved worktree")),
            _ => Err(Error::Invalid(
                "this repository holds checkpoints of several worktrees: choose an id that doctor lists",
            )),
        }
    }
}
