//! Delivers the resets of new generations to the backends.

use std::fs::TryLockError;

use fuzzy_checkpoint::failpoint;
use fuzzy_checkpoint_store::{SessionId, now_ms};

use crate::Result;
use crate::checkpointer::Checkpointer;

impl Checkpointer {
    /// Delivers the pending reset of one session, after any other caller that is delivering it; or those of all
    /// sessions, except for those being delivered.
    ///
    /// A delivered reset is not repeated, because a turn may have begun since. Only if its caller dies, or with another
    /// state directory, is it delivered twice.
    pub(crate) fn deliver_resets(&self, only: Option<&SessionId>) -> Result<()> {
        let mut outcome = Ok(());
        let due = self.store.undelivered_resets()?;
        for reset in due.into_iter().filter(|(id, _)| only.is_none_or(|only| only == id)) {
            let (session, generation) = &reset;
            // Locked until the reset is delivered. If the file is not available, the backend may be reset twice.
            let file = self.state_file("resets", &self.session(session)?.worktree_id);
            let is_being_delivered = match &file {
                Some(file) if only.is_some() => {
                    let _ = file.0.lock();
                    false
                }
                Some(file) => matches!(file.0.try_lock(), Err(TryLockError::WouldBlock)),
                None => false,
            };
            if is_being_delivered || !self.store.undelivered_resets()?.contains(&reset) {
                continue;
            }
            // A failure does not delay the other sessions.
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
