//! Tells backends of the generations that restores began.

use std::fs::TryLockError;

use fuzzy_checkpoint::failpoint;
use fuzzy_checkpoint_store::{SessionId, now_ms};

use crate::Result;
use crate::checkpointer::Checkpointer;

impl Checkpointer {
    /// Tells the backend of one session of its new generation, after any other caller that is telling it right now; or
    /// those of all sessions, but for them that are being told.
    ///
    /// What was told is not told again, for a turn may have begun since: only after the death of who told it, or from
    /// another state directory, does it come twice.
    pub(crate) fn deliver_resets(&self, only: Option<&SessionId>) -> Result<()> {
        let mut outcome = Ok(());
        let due = self.store.undelivered_resets()?;
        for reset in due.into_iter().filter(|(id, _)| only.is_none_or(|only| only == id)) {
            let (session, generation) = &reset;
            // Locked until the backend was told. Where the file cannot be had, the backend may be told twice.
            let file = self.state_file("resets", &self.session(session)?.worktree_id);
            let is_being_told = match &file {
                Some(file) if only.is_some() => {
                    let _ = file.0.lock();
                    false
                }
                Some(file) => matches!(file.0.try_lock(), Err(TryLockError::WouldBlock)),
                None => false,
            };
            if is_being_told || !self.store.undelivered_resets()?.contains(&reset) {
                continue;
            }
            // One that fails does not keep the others waiting.
            if let Err(error) = self.backend.reset(session, u64::try_from(*generation).unwrap_or(0)) {
                outcome = Err(error);
                continue;
            }
            failpoint::hit("reset");
            self.store.reset_delivered(session, *generation, now_ms())?;
        }
        outcome
    }
}
