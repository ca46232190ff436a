//! Takes a restore back.

use fuzzy_checkpoint_store::{
    CheckpointState, Phase, Restore, RestoreId, RestoreOptions, RestoreOutcome, Session, SessionId, Trim,
};

use crate::checkpointer::Checkpointer;
use crate::{Error, Result};

/// The restore that can be undone, and how far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undoable {
    /// The restore.
    pub restore: RestoreId,
    /// Whether the files come back.
    pub files: bool,
    /// Whether the transcript comes back, too: nothing was said since.
    pub transcript: bool,
}

impl Checkpointer {
    /// Restores what was there before a restore; transcript and all, if nothing was said since, else only the files.
    /// The same `key` gives the same undo, however often it is asked for.
    ///
    /// # Errors
    ///
    /// Refuses a restore that is not done, and fails where a restore does.
    pub fn undo(&self, id: &RestoreId, key: Option<&str>) -> Result<RestoreOutcome> {
        let row = self.journal(id)?;
        if row.options.undo_of.is_some() {
            return Err(Error::Invalid("an undo is undone by restoring the checkpoint again"));
        }
        if row.phase != Phase::Done {
            return Err(Error::Invalid("only a restore that is done can be undone"));
        }
        let target = row.safety_id.as_ref().unwrap_or(&row.checkpoint_id);
        loop {
            // In this order: an undo by the same key that ends meanwhile is seen by the one or by the other.
            let undoable = undoable(&row, &self.session(&row.session_id)?);
            let asked = key.map(|key| self.store.restore_by_key(&row.session_id, key)).transpose()?.flatten().is_some();
            if undoable.is_none() && !asked {
                return Err(Error::Invalid("nothing is left to undo"));
            }
            let transcript = asked || undoable.is_some_and(|undoable| undoable.transcript);
            let options = RestoreOptions {
                trim: if transcript { Trim::After } else { Trim::None },
                files: row.options.files,
                head: row.options.head,
                force: false,
                paths: row.options.paths.clone(),
                undo_of: Some(id.clone()),
            };
            match self.restore(&row.session_id, target, options, key) {
                // Something was said just now: the transcript is out of reach, the files are not.
                Err(Error::Store(fuzzy_checkpoint_store::Error::Conflict { what: "session" })) => {}
                done => return done,
            }
        }
    }

    /// Returns which restore of a session can be undone now: its newest, unless that is an undo itself.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session.
    pub fn undoable(&self, id: &SessionId) -> Result<Option<Undoable>> {
        let session = self.session(id)?;
        let Some(row) = self.store.last_done(id)?.filter(|row| row.options.undo_of.is_none()) else { return Ok(None) };
        let undoable = undoable(&row, &session);
        let Some(safety) = row.safety_id.filter(|_| row.options.files) else { return Ok(undoable) };
        // Retention may have given up what was there before.
        let kept = self.store.checkpoint(id, &safety)?.is_some_and(|safety| safety.state == CheckpointState::Ready);
        Ok(undoable.filter(|_| kept))
    }
}

fn undoable(row: &Restore, session: &Session) -> Option<Undoable> {
    let (files, transcript) = (row.options.files, row.brings_back_transcript(session));
    (files || transcript).then(|| Undoable { restore: row.id.clone(), files, transcript })
}
