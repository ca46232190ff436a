//! Remembers sessions, their messages, checkpoints and restores, and commits a restore in one transaction.
//!
//! [`CheckpointStore`] is what a store does, [`open`] opens one: in an `SQLite` file, or on a Postgres server (feature
//! `postgres`). Statements, transactions and the numbered migrations of the schema are the same for both.

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod db;
mod migrations;
mod open;
mod retention;
mod rows;
mod store;
#[cfg(test)]
mod tests;
mod ulid;

pub use fuzzy_report::checkpoint::{
    Changes, Checkpoint, CheckpointId, CheckpointState, HeadMode, Kind, ListedSession, Message, MessageId,
    MessageStatus, Phase, Restore, RestoreId, RestoreOptions, RestoreOutcome, Session, SessionId, SessionState, Trim,
    TurnId,
};
pub use open::{in_memory, open, open_file};
pub use retention::Retention;
pub use rows::{Outline, WorktreeRow};
pub use ulid::{now_ms, ulid, ulid_ms};

/// Why a store did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A row is not there.
    #[error("no such {what}: {id}")]
    Missing {
        /// The kind of row.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// A row is no longer as the caller believed.
    #[error("{what} changed meanwhile")]
    Conflict {
        /// The kind of row.
        what: &'static str,
    },
    /// A turn of the session runs.
    #[error("a turn of session {0} is running")]
    TurnRuns(SessionId),
    /// The turn is no longer the session's running one: it was ended, or a restore went back to before it.
    #[error("turn {0} is over")]
    TurnOver(TurnId),
    /// A restore of the worktree is not finished.
    #[error("a restore of this worktree is in progress")]
    Restoring,
    /// A newer version of this program made the database.
    #[error("the database has version {found}, this program knows {known}: use the newer program")]
    Newer {
        /// The database's.
        found: i64,
        /// The program's.
        known: i64,
    },
    /// The database has no space left.
    #[error("database: no space left")]
    Full,
    /// The database failed.
    #[error("database: {0}")]
    Database(String),
}

/// What a store's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A restore about to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRestore {
    /// Its name.
    pub id: RestoreId,
    /// The session.
    pub session_id: SessionId,
    /// The target.
    pub checkpoint_id: CheckpointId,
    /// The name of the request.
    pub request_key: String,
    /// What was asked.
    pub options: RestoreOptions,
    /// Who carries it out.
    pub owner: String,
    /// The time, in milliseconds since 1970.
    pub now: i64,
    /// Until when the owner's lease holds.
    pub lease_until: i64,
}

/// Whether a restore may begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginOutcome {
    /// It has begun.
    Started,
    /// The same request was made before.
    Existing(Box<Restore>),
    /// Another restore of the worktree is open, or somebody else holds the lease.
    Busy,
    /// A turn runs, and the request does not say to stop it.
    Running,
}

/// What a step of a restore adds to its journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The safety checkpoint; the first stays.
    pub safety_id: Option<CheckpointId>,
    /// What is known of the result.
    pub result: Option<RestoreOutcome>,
    /// Why it stopped.
    pub error: Option<String>,
    /// Whether the session's turn goes on after a move to `refused`, because its backend did not stop.
    pub turn_goes_on: bool,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// What is noted of a turn, at its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnNote<'a> {
    /// Why it has no checkpoint.
    Uncheckpointed(&'a str),
    /// What it changed.
    Changes(&'a Changes),
    /// Why that is not known.
    Uncompared(&'a str),
    /// What had changed before it, outside any turn.
    Outside(&'a Changes),
}

/// Which checkpoints are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListFilter {
    /// Whether those that a restore hid are listed, too.
    pub retired: bool,
}

/// Keeps what the service must not forget.
///
/// 1. Every method is one transaction: it happens as a whole or not at all.
/// 2. At most one restore of a worktree is open.
/// 3. A phase moves only by [`CheckpointStore::advance`] from the phase the caller names, and to `done` only by
///    [`CheckpointStore::commit_restore`].
/// 4. Messages are ordered by `seq`; a trimmed message keeps its place and can come back.
/// 5. A session runs at most one turn. Output is stored only while its turn is the running one: a restore ends the turn
///    when it moves beyond `begun`, where the backend has stopped.
#[allow(
    clippy::missing_errors_doc,
    reason = "every method fails when the database does, and says what else it refuses"
)]
pub trait CheckpointStore: Send + Sync {
    /// Inserts a worktree or updates where it is.
    fn put_worktree(&self, worktree: &WorktreeRow, now: i64) -> Result<()>;
    /// Returns a worktree.
    fn worktree(&self, id: &str) -> Result<Option<WorktreeRow>>;
    /// Returns all worktrees, by name.
    fn worktrees(&self) -> Result<Vec<WorktreeRow>>;
    /// Takes the lease, or keeps it; false when somebody else holds it at `now`.
    fn take_lease(&self, worktree_id: &str, owner: &str, now: i64, until: i64) -> Result<bool>;
    /// Takes the lease of a restore's worktree, or keeps it, to go on with the restore; false when somebody else holds
    /// it at `now`, and when the restore is not open any more.
    fn take_lease_of(&self, restore: &RestoreId, owner: &str, now: i64, until: i64) -> Result<bool>;
    /// Renews the lease, if `owner` has it; false when not. Never takes one that was given back.
    fn renew_lease(&self, worktree_id: &str, owner: &str, until: i64) -> Result<bool>;
    /// Gives the lease back, if `owner` has it.
    fn release_lease(&self, worktree_id: &str, owner: &str) -> Result<()>;

    /// Inserts an idle session.
    fn create_session(&self, id: &SessionId, worktree_id: &str, title: &str, now: i64) -> Result<()>;
    /// Returns a session.
    fn session(&self, id: &SessionId) -> Result<Option<Session>>;
    /// Returns the sessions of a worktree, oldest first.
    fn sessions(&self, worktree_id: &str) -> Result<Vec<Session>>;
    /// Returns all sessions with their worktrees' roots, newest first.
    fn all_sessions(&self) -> Result<Vec<ListedSession>>;
    /// Begins a turn with the prompt, whose name is the turn's; `TurnRuns` while another runs, `Restoring` while a
    /// restore of the worktree is open.
    fn begin_turn(&self, id: &SessionId, body: &str, now: i64) -> Result<Message>;
    /// Notes something of a turn; what was noted before of the same is replaced.
    fn note(&self, turn: &TurnId, note: TurnNote<'_>) -> Result<()>;
    /// Stores output of the running turn, as `streaming` until the turn ends; `TurnOver` when the turn no longer runs.
    fn append_message(&self, id: &SessionId, turn: &TurnId, role: &str, body: &str, now: i64) -> Result<Message>;
    /// Ends the turn and settles its output with this status; does nothing when the turn is over.
    fn end_turn(&self, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()>;
    /// Returns the messages that are not trimmed, from after the place `after` up to the place `last`, in order.
    fn messages_between(&self, id: &SessionId, after: i64, last: i64) -> Result<Vec<Message>>;
    /// Returns the messages that are not trimmed and come after the place `after`, in order: all their texts at once.
    fn messages_after(&self, id: &SessionId, after: i64) -> Result<Vec<Message>> {
        self.messages_between(id, after, i64::MAX)
    }
    /// Returns the messages that are not trimmed, in order.
    fn messages(&self, id: &SessionId) -> Result<Vec<Message>> {
        self.messages_after(id, 0)
    }
    /// Returns what [`CheckpointStore::messages_after`] would, at most `most` of it and without the texts: a long
    /// transcript is read by parts.
    fn outline(&self, id: &SessionId, after: i64, most: i64) -> Result<Vec<Outline>>;
    /// Returns a message of the session that is not trimmed.
    fn message(&self, id: &SessionId, message: &MessageId) -> Result<Option<Message>>;

    /// Inserts a checkpoint.
    fn insert_checkpoint(&self, checkpoint: &Checkpoint) -> Result<()>;
    /// Changes a checkpoint's state.
    fn set_checkpoint_state(&self, id: &CheckpointId, state: CheckpointState) -> Result<()>;
    /// Returns a checkpoint of the session; another session's is as good as none.
    fn checkpoint(&self, session: &SessionId, id: &CheckpointId) -> Result<Option<Checkpoint>>;
    /// Returns the checkpoints of a session, by anchor, then by age.
    fn list(&self, session: &SessionId, filter: ListFilter) -> Result<Vec<Checkpoint>>;
    /// Returns the newest checkpoint that tells what was on disk in the session's worktree when nothing of the session
    /// ran: one of its own, not hidden and not taken by a restore, or one that another session's turn ended with.
    fn newest(&self, session: &SessionId) -> Result<Option<Checkpoint>>;
    /// Returns all checkpoints of a worktree, oldest first.
    fn checkpoints_of(&self, worktree_id: &str) -> Result<Vec<Checkpoint>>;
    /// Deletes checkpoints of a worktree.
    fn delete_checkpoints(&self, worktree_id: &str, ids: &[CheckpointId]) -> Result<()>;

    /// Opens a restore: takes the lease and moves the session to `restoring`. `Conflict` when it is to undo a restore
    /// whose transcript can no longer come back.
    fn begin_restore(&self, restore: &NewRestore) -> Result<BeginOutcome>;
    /// Returns a restore.
    fn restore(&self, id: &RestoreId) -> Result<Option<Restore>>;
    /// Returns the restore that was asked for by this key.
    fn restore_by_key(&self, session: &SessionId, key: &str) -> Result<Option<Restore>>;
    /// Returns the session's newest restore that is done.
    fn last_done(&self, session: &SessionId) -> Result<Option<Restore>>;
    /// Returns the restores of a session that began before `before`, or all of them, the newest first, at most `most`.
    fn restores_before(&self, session: &SessionId, before: Option<&RestoreId>, most: i64) -> Result<Vec<Restore>>;
    /// Moves a restore from one phase to another; `Conflict` when it is not in `from`. A move to `refused` or
    /// `rolled_back` settles the session and gives the lease back.
    fn advance(&self, id: &RestoreId, from: Phase, to: Phase, patch: &Patch) -> Result<()>;
    /// Commits a restore in phase `index`: trims or brings back messages, retires or brings back checkpoints, opens a
    /// new generation with its backend resets, sets the session idle, gives the lease back, and writes `done`.
    fn commit_restore(&self, id: &RestoreId, now: i64) -> Result<RestoreOutcome>;
    /// Returns the restores that have yet to finish.
    fn open_restores(&self) -> Result<Vec<Restore>>;
    /// Returns the restores of a worktree, oldest first, whatever became of them.
    fn restores_of(&self, worktree_id: &str) -> Result<Vec<Restore>>;
    /// Returns the backend resets that nobody confirmed.
    fn undelivered_resets(&self) -> Result<Vec<(SessionId, i64)>>;
    /// Confirms a backend reset.
    fn reset_delivered(&self, session: &SessionId, generation: i64, now: i64) -> Result<()>;

    /// Returns the checkpoints that retention gives up: never one that an open restore needs.
    fn prune_candidates(&self, retention: &Retention, now: i64) -> Result<Vec<Checkpoint>>;
    /// Deletes messages trimmed by restores, of one worktree or of all, that ended before `before`; returns how many.
    fn delete_trimmed(&self, before: i64, worktree_id: Option<&str>) -> Result<u64>;
}
