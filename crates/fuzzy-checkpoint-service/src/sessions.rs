//! Keeps sessions, and the turns that checkpoints belong to.

use std::path::Path;

use fuzzy_checkpoint_store::{Kind, Message, MessageStatus, SessionId, WorktreeRow, now_ms};

use crate::checkpointer::{Checkpointer, CreateOptions, Created};
use crate::{Error, Result};

/// Is a turn that runs.
#[derive(Debug)]
pub struct Turn {
    /// The session.
    pub session: SessionId,
    /// The generation its output belongs to.
    pub generation: i64,
    /// The prompt.
    pub prompt: Message,
    /// The checkpoint taken before anything ran, or why there is none.
    pub checkpoint: Result<Created>,
}

impl Checkpointer {
    /// Makes a session that works in the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails when the engine refuses the directory.
    pub fn create_session(&self, dir: &Path, title: &str) -> Result<SessionId> {
        let worktree = self.engine.open(dir)?;
        let text =
            |path: &Path| path.to_str().map(str::to_owned).ok_or(Error::Invalid("the worktree's path is not UTF-8"));
        let row = WorktreeRow {
            id: worktree.id().to_owned(),
            git_dir: text(worktree.git_dir())?,
            root: text(worktree.root())?,
            object_format: worktree.object_format().to_owned(),
        };
        self.store.put_worktree(&row, now_ms())?;
        let id = SessionId::fresh();
        self.store.create_session(&id, worktree.id(), title, now_ms())?;
        Ok(id)
    }

    /// Stores the prompt and takes a checkpoint, before anything runs. A failed capture does not stop the turn.
    ///
    /// # Errors
    ///
    /// Refuses while a turn runs or a restore is not finished.
    pub fn begin_turn(&self, id: &SessionId, prompt: &str) -> Result<Turn> {
        let session = self.touch(id)?;
        let message = self.store.begin_turn(id, prompt, now_ms()).map_err(|error| match error {
            fuzzy_checkpoint_store::Error::Conflict { .. } => Error::AgentRunning { session: id.clone() },
            error => error.into(),
        })?;
        let options = CreateOptions { kind: Kind::Turn, anchor: Some(message.seq), ..CreateOptions::default() };
        let checkpoint = self.create(id, &options);
        Ok(Turn { session: id.clone(), generation: session.generation, prompt: message, checkpoint })
    }

    /// Stores what the backend says; `None` when a restore has made the turn a thing of the past.
    ///
    /// # Errors
    ///
    /// Fails when the store does.
    pub fn append_message(
        &self,
        id: &SessionId,
        generation: i64,
        role: &str,
        body: &str,
        status: MessageStatus,
    ) -> Result<Option<Message>> {
        Ok(self.store.append_message(id, generation, role, body, status, now_ms())?)
    }

    /// Ends a turn.
    ///
    /// # Errors
    ///
    /// Fails when the store does.
    pub fn end_turn(&self, id: &SessionId, generation: i64, status: MessageStatus) -> Result<()> {
        Ok(self.store.end_turn(id, generation, status)?)
    }
}
