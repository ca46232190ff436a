//! Opens what a program on the user's own machine works with: the database in its state directory, and the session that
//! checkpoints taken by hand belong to.

use std::path::Path;
use std::sync::Arc;

use fuzzy_checkpoint::Engine;
use fuzzy_checkpoint_store::{SessionId, open, open_file};

use crate::{Backend, Checkpointer, Result, Settings};

/// The title of the session that checkpoints taken by hand belong to, one a worktree.
pub const MANUAL: &str = "manual";

impl Checkpointer {
    /// Opens the service on `database`, the path of a file or the URL of a Postgres database, or on `state.db` in
    /// `state`, the directory of the engine's own files. Directory and file are made where they are missing; the
    /// directory is for its owner alone.
    ///
    /// # Errors
    ///
    /// Fails when the directory cannot be made or the database cannot be opened.
    pub fn open(state: &Path, database: Option<&str>, backend: Arc<dyn Backend>, settings: Settings) -> Result<Self> {
        fuzzy_system::make_private(state)
            .map_err(|source| fuzzy_checkpoint::Error::Io { path: state.to_owned(), source })?;
        let store = database.map_or_else(|| open_file(&state.join("state.db")), open)?;
        Ok(Self::new(Engine::new(state), store, backend, settings))
    }

    /// Finds the oldest session with this title in the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails when the engine refuses the directory.
    pub fn find_session(&self, dir: &Path, title: &str) -> Result<Option<SessionId>> {
        let worktree = self.engine.open(dir)?;
        self.follow(&worktree)?;
        let mut sessions = self.store.sessions_titled(title)?.into_iter();
        Ok(sessions.find(|session| session.worktree_id == worktree.id()).map(|session| session.id))
    }

    /// Finds the session with this title in the worktree around `dir`, or makes it. Two callers at once get the same
    /// one.
    ///
    /// # Errors
    ///
    /// Fails when the engine refuses the directory, and when the worktree stays locked.
    pub fn session_titled(&self, dir: &Path, title: &str) -> Result<SessionId> {
        if let Some(found) = self.find_session(dir, title)? {
            return Ok(found);
        }
        let worktree = self.engine.open(dir)?;
        let _locked = worktree.lock()?;
        match self.find_session(dir, title)? {
            Some(found) => Ok(found),
            None => self.new_session(&worktree, title),
        }
    }
}
