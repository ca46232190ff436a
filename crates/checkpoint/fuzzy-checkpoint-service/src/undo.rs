//! Undoes restores, and undoes those undos.

use fuzzy_checkpoint_store::{
    CheckpointState, Phase, Restore, RestoreId, RestoreOptions, RestoreOutcome, Session, SessionId, Trim,
    last_effective, last_undone, transcript_kept,
};

use crate::checkpointer::Checkpointer;
use crate::{Error, Result};

/// A restore or an undo that can be undone, and its extent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undoable {
    /// The restore.
    pub restore: RestoreId,
    /// Whether the files are restored.
    pub files: bool,
    /// Whether the transcript is restored, too: it is if no message was added since.
    pub transcript: bool,
}

impl Checkpointer {
    /// Restores the state before a restore. The transcript is included if every later restore is undone and no message
    /// was added since; otherwise only the files are restored, and the outcome gives the reason. The undo of an undo
    /// repeats the restore. Repeated requests with the same `key` return the same undo.
    ///
    /// # Errors
    ///
    /// Refuses a restore that is not done, and fails in the same cases as a restore.
    pub fn undo(&self, id: &RestoreId, key: Option<&str>) -> Result<RestoreOutcome> {
        let row = self.journal(id)?;
        if row.phase != Phase::Done {
            return Err(Error::Invalid("only a restore that is done can be undone"));
        }
        let target = row.safety_id.as_ref().unwrap_or(&row.checkpoint_id);
        loop {
            // The order matters: a concurrent undo with the same key that ends in between is seen by one of the two.
            let undoable = self.extent(&row, &self.session(&row.session_id)?)?;
            let is_repeated =
                key.map(|key| self.store.restore_by_key(&row.session_id, key)).transpose()?.flatten().is_some();
            if undoable.is_none() && !is_repeated {
                return Err(Error::Invalid("nothing is left to undo"));
            }
            let transcript = is_repeated || undoable.is_some_and(|undoable| undoable.transcript);
            let options = RestoreOptions {
                trim: if transcript { Trim::After } else { Trim::None },
                files: row.options.files,
                head: row.options.head,
                force: false,
                paths: row.options.paths.clone(),
                undo_of: Some(id.clone()),
                redo: row.takes_back(),
                ..RestoreOptions::default()
            };
            match self.restore(&row.session_id, target, options, key) {
                // A message was added just now: the transcript can no longer be restored, but the files can.
                Err(Error::Store(fuzzy_checkpoint_store::Error::Conflict { what: "session" })) => {}
                done => return done,
            }
        }
    }

    /// Returns the restore of a session that can be undone now: the newest one that is not undone.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session.
    pub fn undoable(&self, id: &SessionId) -> Result<Option<Undoable>> {
        self.session(id)?;
        self.find_undoable(&self.store.done_after(id, None)?, last_effective)
    }

    /// Does the same as [`Checkpointer::undoable`] for all sessions of a worktree.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn undoable_in(&self, worktree: &str) -> Result<Option<Undoable>> {
        self.find_undoable(&self.done_in(worktree)?, last_effective)
    }

    /// Returns the undo of a session that can itself be undone, which repeats the restore: the newest one, if no
    /// restore or message followed it.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session.
    pub fn redoable(&self, id: &SessionId) -> Result<Option<Undoable>> {
        self.session(id)?;
        self.redoable_of(&self.store.done_after(id, None)?)
    }

    /// Does the same as [`Checkpointer::redoable`] for all sessions of a worktree.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn redoable_in(&self, worktree: &str) -> Result<Option<Undoable>> {
        self.redoable_of(&self.done_in(worktree)?)
    }

    /// Returns the restores of a worktree that are done, the newest first.
    fn done_in(&self, worktree: &str) -> Result<Vec<Restore>> {
        let mut done = self.store.restores_of(worktree)?;
        done.retain(|row| row.phase == Phase::Done);
        let order = self.store.order(worktree)?.restores;
        done.sort_by_key(|row| std::cmp::Reverse(order.get(&row.id).copied()));
        Ok(done)
    }

    fn redoable_of(&self, done: &[Restore]) -> Result<Option<Undoable>> {
        let undo = self.find_undoable(done, last_undone)?;
        let is_out_of_reach = |undo: &Undoable| {
            Ok::<_, Error>(!undo.transcript && !self.journal(&undo.restore)?.options.spares_transcript())
        };
        match undo {
            Some(undo) if is_out_of_reach(&undo)? => Ok(None),
            undo => Ok(undo),
        }
    }

    /// Returns the extent to which the chosen restore can be undone, if the state before it still exists.
    fn find_undoable(&self, done: &[Restore], choose: fn(&[Restore]) -> Option<&Restore>) -> Result<Option<Undoable>> {
        let Some(row) = choose(done) else { return Ok(None) };
        let (id, session) = (&row.session_id, self.session(&row.session_id)?);
        let undoable = self.extent(row, &session)?;
        let Some(safety) = row.safety_id.as_ref().filter(|_| row.options.files) else { return Ok(undoable) };
        // Retention may have deleted the state before it.
        let kept = self.store.checkpoint(id, safety)?.is_some_and(|safety| safety.state == CheckpointState::Ready);
        Ok(undoable.filter(|_| kept))
    }

    fn extent(&self, row: &Restore, session: &Session) -> Result<Option<Undoable>> {
        let files = row.options.files;
        let transcript = !row.options.spares_transcript() && {
            let later = self.store.done_after(&row.session_id, Some(&row.id))?;
            transcript_kept(row, &later, session).is_none()
        };
        Ok((files || transcript).then(|| Undoable { restore: row.id.clone(), files, transcript }))
    }
}
