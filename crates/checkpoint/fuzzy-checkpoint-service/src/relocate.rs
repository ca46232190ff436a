//! Updates the recorded paths of worktrees that were moved.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, Kind, WorktreeRow, now_ms, ulid_ms};

use serde::Serialize;

use crate::checkpointer::{Checkpointer, check_named};
use crate::local::MANUAL;
use crate::sessions::row;
use crate::turn_list::ListedTurn;
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
        check_named(worktree, &known)
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
                batch: None,
                step: None,
                place: 0,
                created_at,
            };
            self.store.insert_checkpoint(&row)?;
            adopted.push(row.id);
        }
        Ok(adopted)
    }

    /// Gives the folder around `dir` the id and the checkpoints of a worktree that is not at its place any more: the one
    /// whose id starts with `id`, or the only one that was in this folder or has a commit of its repository if `id` is
    /// `None`. The folder needs no repository. Returns the id.
    ///
    /// # Errors
    ///
    /// Refuses an id that another worktree has, an id without checkpoints, and an `id` that fits several. Fails if git or
    /// the store does.
    pub fn adopt(&self, dir: &Path, id: Option<&str>) -> Result<String> {
        let worktree = self.engine.open_any(dir, false)?;
        let mut found = Vec::new();
        for known in self.store.worktrees()?.into_iter().filter(|row| id.is_none_or(|id| row.id.starts_with(id))) {
            if known.id == worktree.id() || self.worktree_there(&known.id)?.is_some() {
                continue;
            }
            let named = worktree.named(&self.engine, &known.id, Path::new(&known.git_dir))?;
            let Some(named) = named else { continue };
            // Without an id, a checkpoint of the same history is one of this repository, wherever it was.
            let is_meant = || {
                let heads = self.store.checkpoints_of(&known.id)?.into_iter().filter_map(|row| row.head_oid);
                let heads: Vec<_> = heads.collect();
                let is_same = !worktree.is_sidecar() && (heads.is_empty() || worktree.has_commit(&heads)?);
                Ok::<_, Error>(Path::new(&known.root) == worktree.root() || is_same)
            };
            if !named.pins()?.is_empty() && (id.is_some() || is_meant()?) {
                found.push(named);
            }
        }
        match &found[..] {
            [one] => {
                one.take_name()?;
                self.store.put_worktree(&row(one)?, now_ms())?;
                Ok(one.id().to_owned())
            }
            [] => Err(Error::Invalid("there are no checkpoints of a moved or replaced folder for this one")),
            _ => Err(Error::Invalid(
                "there are checkpoints of several moved or replaced folders: choose an id that doctor lists",
            )),
        }
    }

    /// Returns the other places with turns at the root of a worktree, above or below it, and those removed of its
    /// repository: of those with a folder of their own only if `all` is set.
    ///
    /// # Errors
    ///
    /// Fails if the store or git does, or if a record cannot be read.
    pub fn other_places(&self, here: &Worktree, all: bool) -> Result<Vec<OtherPlace>> {
        let root = here.root();
        let store = here.store_name()?;
        let mut places = Vec::new();
        for row in self.store.worktrees()?.into_iter().filter(|row| row.id != here.id()) {
            let at = Path::new(&row.root);
            let is_near = root.starts_with(at) || at.starts_with(root);
            let is_kin = store.is_some() && store.as_deref() == Some(row.store.as_str());
            if !is_near && !is_kin {
                continue;
            }
            let happened = match at.try_exists().map_err(fuzzy_checkpoint::Error::io(at))? {
                false => Happened::Removed,
                // A repository of its own lists its turns itself.
                true if all || at == root || is_near && self.engine.is_sidecar(Path::new(&row.git_dir)) => {
                    self.happened(&row, here)?
                }
                true => continue,
            };
            let is_listed = happened == Happened::Removed || is_near && (all || happened != Happened::Elsewhere);
            let turns = if is_listed { self.turns(&row.id)? } else { Vec::new() };
            if !turns.is_empty() {
                let made = if happened == Happened::Replaced { made_at(at)? } else { None };
                places.push(OtherPlace { id: row.id, root: row.root, happened, made, turns });
            }
        }
        Ok(places)
    }

    /// Returns what happened to a folder at whose path there is one.
    fn happened(&self, row: &WorktreeRow, here: &Worktree) -> Result<Happened> {
        let at = Path::new(&row.root);
        match self.worktree(&row.id) {
            Err(Error::Engine(fuzzy_checkpoint::Error::StoreMissing { .. })) => return Ok(Happened::Elsewhere),
            Err(Error::Engine(error)) if error.means_elsewhere() => return Ok(Happened::Replaced),
            opened => drop(opened?),
        }
        let was_without_git = self.engine.is_sidecar(Path::new(&row.git_dir)) && !here.is_sidecar();
        let is_of_repository = was_without_git && at.starts_with(here.root()) && !here.ignores(at)?;
        Ok(if is_of_repository { Happened::Repository } else { Happened::Elsewhere })
    }
}

/// The fate of the folder of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// Another folder is at its path now.
    Replaced,
    /// No folder is at its path.
    Removed,
    /// It was in no repository, or ignored, and is now a part of one.
    Repository,
    /// Nothing: it has turns of its own.
    Elsewhere,
}

/// A place with turns that are not those of a worktree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OtherPlace {
    /// Its id.
    pub id: String,
    /// The root of its files.
    pub root: String,
    /// The fate of its folder.
    pub happened: Happened,
    /// The time at which the folder at its path now was made, in milliseconds since 1970, if it was replaced and the file
    /// system records the time.
    pub made: Option<i64>,
    /// Its turns, the oldest first.
    pub turns: Vec<ListedTurn>,
}

impl OtherPlace {
    /// Returns whether its files are where they were.
    #[must_use]
    pub fn is_there(&self) -> bool {
        matches!(self.happened, Happened::Repository | Happened::Elsewhere)
    }
}

/// Returns the time at which a directory was made.
fn made_at(dir: &Path) -> Result<Option<i64>> {
    let meta = std::fs::metadata(dir).map_err(fuzzy_checkpoint::Error::io(dir))?;
    let made = meta.created().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    Ok(made.and_then(|since| i64::try_from(since.as_millis()).ok()))
}
