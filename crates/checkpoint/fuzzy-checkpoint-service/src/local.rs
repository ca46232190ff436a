//! Opens the service for a local program: the database in the state directory, and the session of manual checkpoints.

use std::path::Path;
use std::sync::Arc;

use fuzzy_checkpoint::Engine;
use fuzzy_checkpoint_store::{SessionId, open, open_file};

use crate::{Backend, Checkpointer, Result, Settings};

/// The title of the session of manual checkpoints; each worktree has one.
pub const MANUAL: &str = "manual";

impl Checkpointer {
    /// Opens the service on `database`, the path of a file or the URL of a Postgres database, or on `state.db` in
    /// `state`, the engine's state directory. Creates directory and file if they are missing; only the owner can access
    /// the directory.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be created or belongs to another user, and if the database cannot be opened.
    pub fn open(state: &Path, database: Option<&str>, backend: Arc<dyn Backend>, settings: Settings) -> Result<Self> {
        fuzzy_system::make_own(state).map_err(fuzzy_checkpoint::Error::io(state))?;
        let store = database.map_or_else(|| open_file(&state.join("state.db")), open)?;
        let stores = settings.store.clone().unwrap_or_else(|| state.to_owned());
        Ok(Self::new(Engine::new(stores), store, backend, settings))
    }

    /// Finds the oldest session with this title in the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the directory.
    pub fn find_session(&self, dir: &Path, title: &str) -> Result<Option<SessionId>> {
        let worktree = self.engine.open(dir)?;
        self.follow(&worktree)?;
        let mut sessions = self.store.sessions_titled(title)?.into_iter();
        Ok(sessions.find(|session| session.worktree_id == worktree.id()).map(|session| session.id))
    }

    /// Finds the session with this title in the worktree around `dir`, or creates it. Concurrent callers get the same
    /// one.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the directory, or if the worktree remains locked.
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
