//! Takes, lists, shows and plans checkpoints.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use fuzzy_checkpoint::{
    CaptureOptions, Detail, DiffOptions, Engine, Locked, Oid, Plan, Reason, RepoPath, Snapshot, Uncovered, Worktree,
    failpoint,
};
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, CheckpointStore, HeadMode, Kind, ListFilter, RestoreId, RestoreOptions, Session,
    SessionId, SessionState, TurnId, now_ms, ulid,
};

use crate::answers::{Details, FileProgress};

use crate::keep_borrowed::Copiers;
use crate::progress::RunningRestores;
use crate::{Backend, Error, Result};

/// Time limits of the service, and where it stores captures.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The time until a restore's lease expires if it is not renewed.
    pub lease: Duration,
    /// The time that a backend has to stop.
    pub stop_wait: Duration,
    /// Whether worktrees opened by directory store their checkpoints in a sidecar repository.
    pub sidecar: bool,
    /// The directory of the stores, instead of the state directory.
    pub store: Option<PathBuf>,
    /// Returns the name of the newest batch in the writer's journal. Turns and restores note it, so that batches have a
    /// place among them.
    pub newest_batch: fn() -> Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            stop_wait: Duration::from_secs(10),
            sidecar: false,
            store: None,
            newest_batch: || None,
        }
    }
}

/// Takes checkpoints of sessions and restores them.
pub struct Checkpointer {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<dyn CheckpointStore>,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) settings: Settings,
    failures: Mutex<HashMap<String, Failures>>,
    pub(crate) running: RunningRestores,
    copiers: Option<Copiers>,
}

#[derive(Default)]
struct Failures {
    count: u32,
    until: Option<Instant>,
}

/// Names the checkpoint whose objects are gone.
pub(crate) fn lost(error: fuzzy_checkpoint::Error, checkpoint: &CheckpointId) -> Error {
    match error {
        fuzzy_checkpoint::Error::Lost { .. } => Error::Lost { checkpoint: checkpoint.clone() },
        error => error.into(),
    }
}

/// Refuses a worktree whose checkpoints are not in the store `named`, an id and a path; an empty name is any store.
pub(crate) fn check_named(worktree: &Worktree, named: &str) -> Result<()> {
    let Some((id, path)) = named.split_once(' ') else { return Ok(()) };
    let is_it = worktree.store_name()?.is_some_and(|name| name.split(' ').next() == Some(id));
    // Only the record of the store may be gone.
    if is_it || worktree.store() == Path::new(path) && worktree.name_store_again(id)? {
        return Ok(());
    }
    Err(fuzzy_checkpoint::Error::StoreMissing { path: path.into() }.into())
}

/// The number of failed captures in a row after which further ones are delayed.
const FAILURES: u32 = 3;
/// The longest delay after failures, in seconds.
const LONGEST_WAIT: u64 = 600;

/// Options of a new checkpoint.
#[derive(Debug, Clone)]
pub struct CreateOptions {
    /// The reason for it.
    pub kind: Kind,
    /// A label for people.
    pub label: String,
    /// The place of the message that it belongs to; `None` for the newest message.
    pub anchor: Option<i64>,
    /// The moment whose state the checkpoint is to have, in milliseconds since 1970. Files that changed after it are
    /// listed as [`Reason::Suspect`].
    pub since: Option<i64>,
    /// The tree of an earlier state; files that are as they were in it are not suspect.
    pub known: Option<Oid>,
    /// The running turn that the checkpoint ends.
    pub ends: Option<TurnId>,
}

impl Default for CreateOptions {
    fn default() -> Self {
        Self { kind: Kind::Manual, label: String::new(), anchor: None, since: None, known: None, ends: None }
    }
}

/// A checkpoint just taken.
#[derive(Debug, Clone)]
pub struct Created {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Newly captured files that look like secrets and that the user did not stage.
    pub secrets: Vec<RepoPath>,
}

impl Checkpointer {
    /// Creates a service.
    #[must_use]
    pub fn new(engine: Engine, store: Arc<dyn CheckpointStore>, backend: Arc<dyn Backend>, settings: Settings) -> Self {
        let engine = engine.with_sidecar(settings.sidecar);
        Self {
            engine,
            store,
            backend,
            settings,
            failures: Mutex::default(),
            running: RunningRestores::default(),
            copiers: None,
        }
    }

    /// Copies in the background what new checkpoints borrow from their repositories, for a process that lives on.
    #[must_use]
    pub fn copying_borrowed(mut self) -> Self {
        self.copiers = Some(Copiers::default());
        self
    }

    /// Returns the store.
    #[must_use]
    pub fn store(&self) -> &dyn CheckpointStore {
        &*self.store
    }

    /// Takes a checkpoint.
    ///
    /// # Errors
    ///
    /// Returns [`Error::TurnOver`] if another process ended the turn meanwhile; fails if the engine does. After several
    /// failures in a row it refuses the checkpoints of turns for a while, without trying.
    pub fn create(&self, id: &SessionId, options: &CreateOptions) -> Result<Created> {
        let session = self.touch(id)?;
        if matches!(options.kind, Kind::Turn | Kind::End) {
            self.wait_over(&session.worktree_id)?;
        }
        let taken = self.create_now(&session, options);
        self.count(
            &session.worktree_id,
            matches!(taken, Ok(_) | Err(Error::RestoreInProgress | Error::TurnOver { .. })),
        );
        taken
    }

    fn create_now(&self, session: &Session, options: &CreateOptions) -> Result<Created> {
        let worktree = self.worktree(&session.worktree_id)?;
        let locked = worktree.lock()?;
        // A restore that has written its files is not done before its changes are told from those of turns.
        if self.store.open_restores()?.iter().any(|row| row.worktree_id == session.worktree_id) {
            return Err(Error::RestoreInProgress);
        }
        if let Some(turn) = &options.ends
            && self.session(&session.id)?.turn.as_ref() != Some(turn)
        {
            return Err(Error::TurnOver { turn: turn.clone() });
        }
        let since = options.since.and_then(|since| u64::try_from(since).ok()).map(Duration::from_millis);
        let since = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        let mut snapshot = locked.capture(&CaptureOptions { since, ..CaptureOptions::default() })?;
        if let Some(known) = options.known.as_ref().filter(|_| !snapshot.suspect.is_empty()) {
            let names = DiffOptions { paths: Vec::new(), detail: Detail::Names, renames: false };
            let changed = locked.worktree().diff(known, &snapshot.tree, &names)?.files;
            snapshot.suspect.retain(|path| changed.iter().any(|file| file.path == *path));
        }
        let suspect = snapshot.suspect.drain(..).map(|path| Uncovered::new(path, Reason::Suspect));
        snapshot.uncovered.extend(suspect);
        let anchor = options.anchor.unwrap_or(session.next_seq - 1);
        let checkpoint = self.keep(&locked, session, &snapshot, options.kind, &options.label, anchor)?;
        drop(locked);
        if let Some(copiers) = &self.copiers {
            copiers.start(worktree);
        }
        Ok(Created { checkpoint, secrets: snapshot.secrets })
    }

    /// Pins and records a capture: first the ref, then the row, so that a row without a ref has lost it.
    pub(crate) fn keep(
        &self,
        locked: &Locked<'_>,
        session: &Session,
        snapshot: &Snapshot,
        kind: Kind,
        label: &str,
        anchor_seq: i64,
    ) -> Result<Checkpoint> {
        let mut row = Checkpoint {
            id: CheckpointId(ulid()),
            session_id: session.id.clone(),
            worktree_id: session.worktree_id.clone(),
            kind,
            anchor_seq,
            commit_oid: snapshot.commit.clone(),
            tree_oid: snapshot.tree.clone(),
            index_tree_oid: snapshot.index_tree.clone(),
            index_left: snapshot.index_left,
            head_oid: snapshot.head.clone(),
            head_ref: snapshot.head_ref.clone(),
            label: label.to_owned(),
            uncovered: snapshot.uncovered.clone(),
            retired_by: None,
            batch: (self.settings.newest_batch)(),
            step: None,
            place: 0,
            created_at: now_ms(),
        };
        locked.pin(row.id.as_str(), &row.commit_oid)?;
        failpoint::hit("checkpoint pinned");
        row.place = self.store.insert_checkpoint(&row)?;
        failpoint::hit("checkpoint recorded");
        Ok(row)
    }

    /// Lists a session's checkpoints.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn list(&self, id: &SessionId, filter: ListFilter) -> Result<Vec<Checkpoint>> {
        Ok(self.store.list(id, filter)?)
    }

    /// Returns the details of one checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if the session has no such checkpoint.
    pub fn show(&self, session: &SessionId, id: &CheckpointId) -> Result<Details> {
        let checkpoint = self.checkpoint(session, id)?;
        let worktree = self.worktree(&checkpoint.worktree_id)?;
        let pinned = worktree.pins()?.iter().any(|(name, _)| name == id.as_str());
        let (refs, size_bytes) = if pinned {
            (vec![worktree.checkpoint_ref(id.as_str())?], worktree.size(&checkpoint.commit_oid)?)
        } else {
            (Vec::new(), 0)
        };
        let commits_since = worktree.commits_since(checkpoint.head_oid.as_ref())?;
        Ok(Details { checkpoint, pinned, refs, size_bytes, commits_since })
    }

    /// Plans the changes that a restore would make to the files.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as the restore, except for obstructions: the plan lists them.
    pub fn plan(&self, id: &SessionId, checkpoint: &CheckpointId, options: &RestoreOptions) -> Result<Plan> {
        self.planned(id, checkpoint, options, |_, _, _, plan| Ok(plan))
    }

    /// Makes a plan and passes it to `then` with the current and the target state.
    pub(crate) fn planned<T>(
        &self,
        id: &SessionId,
        checkpoint: &CheckpointId,
        options: &RestoreOptions,
        then: impl FnOnce(&Locked<'_>, &Snapshot, &Snapshot, Plan) -> Result<T>,
    ) -> Result<T> {
        let target = self.restorable(id, checkpoint, options)?;
        let worktree = self.worktree(&target.worktree_id)?;
        let locked = worktree.lock()?;
        let to = self.load(&locked, &target)?;
        if options.head == HeadMode::Restore {
            locked.check_head(&to)?;
        }
        let from = locked.capture(&CaptureOptions::before(&to))?;
        worktree.check_paths(&[&from.tree, &to.tree], &options.paths)?;
        let plan = locked.plan(&from, &to, &options.paths)?;
        then(&locked, &from, &to, plan)
    }

    /// Returns the progress of a restore's files while this process works on them.
    #[must_use]
    pub fn file_progress(&self, id: &RestoreId) -> Option<FileProgress> {
        self.running.progress(id)
    }

    pub(crate) fn checkpoint(&self, session: &SessionId, id: &CheckpointId) -> Result<Checkpoint> {
        let found = self.store.checkpoint(session, id)?;
        found.ok_or_else(|| Error::NotInSession { session: session.clone(), checkpoint: id.clone() })
    }

    /// Returns a checkpoint that may be restored now.
    pub(crate) fn restorable(
        &self,
        session: &SessionId,
        id: &CheckpointId,
        options: &RestoreOptions,
    ) -> Result<Checkpoint> {
        let state = self.session(session)?.state;
        let target = self.usable(session, id, options)?;
        match state {
            SessionState::Restoring => Err(Error::RestoreInProgress),
            SessionState::Running if !options.force => Err(Error::AgentRunning { session: session.clone() }),
            _ => Ok(target),
        }
    }

    /// Returns a checkpoint that may be restored.
    pub(crate) fn usable(
        &self,
        session: &SessionId,
        id: &CheckpointId,
        options: &RestoreOptions,
    ) -> Result<Checkpoint> {
        let row = self.checkpoint(session, id)?;
        if let Some(restore) =
            row.retired_by.clone().filter(|_| options.undo_of.is_none() && !options.spares_transcript())
        {
            return Err(Error::Retired { checkpoint: id.clone(), restore });
        }
        Ok(row)
    }

    /// Opens a worktree of the store and checks that it is still the same one.
    ///
    /// # Errors
    ///
    /// Fails if the store has no such worktree, and as [`Engine::reopen`].
    pub fn worktree(&self, id: &str) -> Result<Worktree> {
        let row = self.store.worktree(id)?.ok_or(Error::NoRecords)?;
        let worktree = self.engine.reopen(Path::new(&row.root), Path::new(&row.git_dir))?;
        if worktree.id() == id {
            check_named(&worktree, &row.store)?;
            return Ok(worktree);
        }
        let reason = "another repository is at its path".to_owned();
        Err(fuzzy_checkpoint::Error::NotAWorktree { path: row.root.into(), reason }.into())
    }

    /// Opens a worktree of the store as [`Checkpointer::worktree`]; `None` if it is surely not there.
    pub(crate) fn worktree_there(&self, id: &str) -> Result<Option<Worktree>> {
        match self.worktree(id) {
            Err(Error::Engine(error)) if error.means_elsewhere() => Ok(None),
            opened => opened.map(Some),
        }
    }

    #[expect(clippy::unused_self, reason = "it is a step of every operation, as the other methods are")]
    pub(crate) fn load(&self, locked: &Locked<'_>, row: &Checkpoint) -> Result<Snapshot> {
        let loaded = locked.load(&row.commit_oid, row.head_oid.clone(), row.head_ref.clone());
        loaded.map_err(|error| lost(error, &row.id))
    }

    /// Returns the session, after finishing an interrupted restore of its worktree.
    pub(crate) fn touch(&self, id: &SessionId) -> Result<Session> {
        let session = self.session(id)?;
        for restore in self.store.open_restores()?.into_iter().filter(|row| row.worktree_id == session.worktree_id) {
            if self.resume(&restore)?.is_none_or(|recovered| recovered.error.is_some()) {
                return Err(Error::RestoreInProgress);
            }
        }
        self.session(id)
    }

    fn wait_over(&self, worktree: &str) -> Result<()> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = failures.get(worktree) else { return Ok(()) };
        let left = known.until.map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default();
        if left.is_zero() {
            return Ok(());
        }
        Err(Error::BackedOff { failures: known.count, seconds: left.as_secs() + 1 })
    }

    fn count(&self, worktree: &str, good: bool) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if good {
            failures.remove(worktree);
            return;
        }
        let known = failures.entry(worktree.to_owned()).or_default();
        known.count += 1;
        if known.count >= FAILURES {
            let seconds = 10_u64.saturating_mul(1 << (known.count - FAILURES).min(10)).min(LONGEST_WAIT);
            known.until = Some(Instant::now() + Duration::from_secs(seconds));
        }
    }
}
