//! Finishes what an interrupted service left, and gives up old checkpoints.

use std::collections::HashSet;

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, CheckpointState, Phase, Restore, RestoreId, Retention, SessionState, now_ms, ulid,
    ulid_ms,
};

use serde::Serialize;

use crate::Result;
use crate::checkpointer::Checkpointer;

/// Says what became of one interrupted restore.
#[derive(Debug, Clone, Serialize)]
pub struct Recovered {
    /// The restore.
    pub restore: RestoreId,
    /// Where it is now.
    pub phase: Phase,
    /// Why it is still open.
    pub error: Option<String>,
}

/// Says what retention did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PruneReport {
    /// The checkpoints given up.
    pub pruned: Vec<CheckpointId>,
    /// Trimmed messages deleted for good.
    pub messages: u64,
    /// Worktrees that could not be opened; their checkpoints stay.
    pub unreachable: Vec<String>,
}

impl Checkpointer {
    /// Finishes interrupted restores that nobody works on, delivers backend resets, and makes rows and refs agree.
    ///
    /// # Errors
    ///
    /// Fails when the store does; a restore that cannot finish is reported, not an error.
    pub fn recover(&self) -> Result<Vec<Recovered>> {
        let mut recovered = Vec::new();
        for restore in self.store.open_restores()? {
            recovered.extend(self.resume(&restore)?);
        }
        // A backend that cannot be reached now is told by the next recovery.
        let _ = self.deliver_resets();
        for row in self.store.worktrees()? {
            // A worktree that is gone has nothing to agree with.
            if let Ok(worktree) = self.worktree(&row.id) {
                self.agree(&worktree)?;
            }
        }
        Ok(recovered)
    }

    /// Goes on with a restore; `None` when a live owner works on it.
    pub(crate) fn resume(&self, restore: &Restore) -> Result<Option<Recovered>> {
        let owner = ulid();
        if !self.store.take_lease(&restore.worktree_id, &owner, now_ms(), self.lease_until())? {
            return Ok(None);
        }
        let outcome = self.lead(restore, &owner, || {
            if restore.phase == Phase::Begun && restore.options.force {
                // Whether the backend had stopped is not known.
                self.stop(restore, SessionState::Running)?;
            }
            self.drive(&restore.id, &owner)
        });
        let phase = self.journal(&restore.id)?.phase;
        let error = outcome.err().filter(|_| phase.is_open()).map(|error| error.to_string());
        Ok(Some(Recovered { restore: restore.id.clone(), phase, error }))
    }

    /// Marks rows without refs lost and rows with refs ready.
    fn agree(&self, worktree: &Worktree) -> Result<()> {
        let _locked = worktree.lock()?;
        let rows = self.store.checkpoints_of(worktree.id())?;
        let pins: HashSet<String> = worktree.pins()?.into_iter().map(|(name, _)| name).collect();
        for row in &rows {
            let state = match (pins.contains(row.id.as_str()), row.state) {
                (true, CheckpointState::Pending) => CheckpointState::Ready,
                (false, CheckpointState::Pending | CheckpointState::Ready) => CheckpointState::Lost,
                _ => continue,
            };
            self.store.set_checkpoint_state(&row.id, state)?;
        }
        Ok(())
    }

    /// Gives up checkpoints that retention does not keep, of one worktree or, where none is named, of all: first the refs,
    /// then the rows. Git's own housekeeping frees the space.
    ///
    /// # Errors
    ///
    /// Fails when the store or git does.
    pub fn prune(&self, retention: &Retention, only: Option<&str>) -> Result<PruneReport> {
        let now = now_ms();
        let given_up = self.store.prune_candidates(retention, now)?;
        let open = self.store.open_restores()?;
        let needed: HashSet<CheckpointId> =
            open.into_iter().flat_map(|row| [Some(row.checkpoint_id), row.safety_id]).flatten().collect();
        let mut report = PruneReport::default();
        for row in self.store.worktrees()?.into_iter().filter(|row| only.is_none_or(|id| id == row.id)) {
            let Ok(worktree) = self.worktree(&row.id) else {
                report.unreachable.push(row.id);
                continue;
            };
            let _locked = worktree.lock()?;
            let ids = given_up.iter().filter(|gone| gone.worktree_id == row.id).map(|gone| gone.id.clone()).collect();
            self.drop_all(&worktree, ids, &mut report)?;
            let wait = retention.other_ms.max(Retention::default().other_ms);
            self.drop_orphans(&worktree, now.saturating_sub(wait))?;
            while worktree.held_bytes()? > retention.max_bytes {
                let rest: Vec<Checkpoint> = self.store.checkpoints_of(&row.id)?;
                // The newest stays whatever it weighs: without it there is no way back at all.
                let free = rest.iter().rev().skip(1).rev().filter(|row| !needed.contains(&row.id));
                let oldest: Vec<CheckpointId> = free.map(|row| row.id.clone()).take(rest.len().div_ceil(4)).collect();
                if oldest.is_empty() {
                    break;
                }
                self.drop_all(&worktree, oldest, &mut report)?;
            }
        }
        report.messages = self.store.delete_trimmed(now.saturating_sub(retention.safety_ms), only)?;
        Ok(report)
    }

    /// Deletes refs that have no row and are older than `before`. Rows are written first, so such a ref belongs to a
    /// database that is lost, or to another one that is in use: hence the wait.
    fn drop_orphans(&self, worktree: &Worktree, before: i64) -> Result<()> {
        let rows = self.store.checkpoints_of(worktree.id())?;
        let known: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let names = worktree.pins()?.into_iter().map(|(name, _)| name);
        let old = |name: &String| !known.contains(name.as_str()) && ulid_ms(name).is_some_and(|made| made < before);
        Ok(worktree.unpin(&names.filter(old).collect::<Vec<_>>())?)
    }

    fn drop_all(&self, worktree: &Worktree, ids: Vec<CheckpointId>, report: &mut PruneReport) -> Result<()> {
        let names: Vec<String> = ids.iter().map(|id| id.0.clone()).collect();
        worktree.unpin(&names)?;
        self.store.delete_checkpoints(&ids)?;
        report.pruned.extend(ids);
        Ok(())
    }
}
