//! Takes a restore back, and does one that was taken back again.

use fuzzy_checkpoint_store::{
    CheckpointState, Phase, Restore, RestoreId, RestoreOptions, RestoreOutcome, Session, SessionId, Trim,
    last_standing, last_undone, transcript_kept,
};

use crate::checkpointer::Checkpointer;
use crate::{Error, Result};

/// The restore that can be undone, or the undo that can be, and how far.
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
    /// Restores what was there before a restore: transcript and all, if every later restore is undone and nothing was
    /// said since, else only the files, which the answer says. The undo of an undo does the restore again. The same
    /// `key` gives the same undo, however often it is asked for.
    ///
    /// # Errors
    ///
    /// Refuses a restore that is not done, and fails where a restore does.
    pub fn undo(&self, id: &RestoreId, key: Option<&str>) -> Result<RestoreOutcome> {
        let row = self.journal(id)?;
        if row.phase != Phase::Done {
            return Err(Error::Invalid("only a restore that is done can be undone"));
        }
        let target = row.safety_id.as_ref().unwrap_or(&row.checkpoint_id);
        loop {
            // In this order: an undo by the same key that ends meanwhile is seen by the one or by the other.
            let undoable = self.how_far(&row, &self.session(&row.session_id)?)?;
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
                seen: None,
                redo: row.takes_back(),
            };
            match self.restore(&row.session_id, target, options, key) {
                // Something was said just now: the transcript is out of reach, the files are not.
                Err(Error::Store(fuzzy_checkpoint_store::Error::Conflict { what: "session" })) => {}
                done => return done,
            }
        }
    }

    /// Returns which restore of a session can be undone now: the newest that is not undone.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session.
    pub fn undoable(&self, id: &SessionId) -> Result<Option<Undoable>> {
        self.kept_way(id, last_standing)
    }

    /// Returns which undo of a session can itself be undone, which does the restore again: the newest, as long as
    /// nothing was restored or said since.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session.
    pub fn redoable(&self, id: &SessionId) -> Result<Option<Undoable>> {
        let way = self.kept_way(id, last_undone)?;
        let said = |way: &Undoable| {
            Ok::<_, Error>(!way.transcript && !self.journal(&way.restore)?.options.spares_transcript())
        };
        match way {
            Some(way) if said(&way)? => Ok(None),
            way => Ok(way),
        }
    }

    /// Returns how far the chosen one of the restores that are done can be undone, if what was there before it is kept.
    fn kept_way(&self, id: &SessionId, choose: fn(&[Restore]) -> Option<&Restore>) -> Result<Option<Undoable>> {
        let session = self.session(id)?;
        let done = self.store.done_after(id, None)?;
        let Some(row) = choose(&done) else { return Ok(None) };
        let undoable = self.how_far(row, &session)?;
        let Some(safety) = row.safety_id.as_ref().filter(|_| row.options.files) else { return Ok(undoable) };
        // Retention may have given up what was there before.
        let kept = self.store.checkpoint(id, safety)?.is_some_and(|safety| safety.state == CheckpointState::Ready);
        Ok(undoable.filter(|_| kept))
    }

    fn how_far(&self, row: &Restore, session: &Session) -> Result<Option<Undoable>> {
        let files = row.options.files;
        let transcript = !row.options.spares_transcript() && {
            let later = self.store.done_after(&row.session_id, Some(&row.id))?;
            transcript_kept(row, &later, session).is_none()
        };
        Ok((files || transcript).then(|| Undoable { restore: row.id.clone(), files, transcript }))
    }
}
