//! What every store does.

use std::collections::HashSet;

use crate::{
    BeginOutcome, Checkpoint, CheckpointId, CheckpointState, ListFilter, ListedSession, Message, MessageId,
    MessageStatus, NewRestore, Outline, Patch, Phase, Restore, RestoreId, RestoreOutcome, Result, Retention, Said,
    Session, SessionId, TurnId, TurnNote, WorktreeRow,
};

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
    /// Returns the time by the clock of the database, in milliseconds since 1970: those of its clients may differ.
    fn now(&self) -> Result<i64>;
    /// Returns until when the worktree is leased; 0 where it is not.
    fn leased_until(&self, worktree_id: &str) -> Result<i64>;
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
    /// Gives a session another title.
    fn rename_session(&self, id: &SessionId, title: &str) -> Result<()>;
    /// Deletes a session with its messages, checkpoints and restores; `TurnRuns` or `Restoring` while it works.
    fn delete_session(&self, id: &SessionId) -> Result<()>;
    /// Empties the texts of messages from one place up to before another, trimmed ones too, wherever they are kept;
    /// returns how many messages that were.
    fn clear_texts(&self, id: &SessionId, from: i64, to: i64) -> Result<u64>;
    /// Returns the place of a message, trimmed or not, and that of the prompt after it.
    fn places(&self, id: &SessionId, message: &MessageId) -> Result<Option<(i64, i64)>>;
    /// Returns a session.
    fn session(&self, id: &SessionId) -> Result<Option<Session>>;
    /// Returns the sessions of a worktree, oldest first.
    fn sessions(&self, worktree_id: &str) -> Result<Vec<Session>>;
    /// Returns the sessions of all worktrees with a title, oldest first.
    fn sessions_titled(&self, title: &str) -> Result<Vec<Session>>;
    /// Returns all sessions with their worktrees' roots, newest first.
    fn all_sessions(&self) -> Result<Vec<ListedSession>>;
    /// Begins a turn with the prompt, whose name is the turn's; `TurnRuns` while another runs, `Restoring` while a
    /// restore of the worktree is open.
    fn begin_turn_with(&self, id: &SessionId, said: Said<'_>, now: i64) -> Result<Message>;
    /// As [`CheckpointStore::begin_turn_with`], with a text.
    fn begin_turn(&self, id: &SessionId, body: &str, now: i64) -> Result<Message> {
        self.begin_turn_with(id, body.into(), now)
    }
    /// Notes something of a turn; what was noted before of the same is replaced.
    fn note(&self, turn: &TurnId, note: TurnNote<'_>) -> Result<()>;
    /// Stores output of the running turn, as `streaming` until the turn ends; `TurnOver` when the turn no longer runs.
    fn append_with(&self, id: &SessionId, turn: &TurnId, role: &str, said: Said<'_>, now: i64) -> Result<Message>;
    /// As [`CheckpointStore::append_with`], with a text.
    fn append_message(&self, id: &SessionId, turn: &TurnId, role: &str, body: &str, now: i64) -> Result<Message> {
        self.append_with(id, turn, role, body.into(), now)
    }
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

    /// Returns the restore that trimmed a message of the session, if one did.
    fn trimmed_by(&self, id: &SessionId, message: &MessageId) -> Result<Option<RestoreId>>;

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
    /// Returns the session's restores that are done and began after `after`, or all of them, the newest first.
    fn done_after(&self, session: &SessionId, after: Option<&RestoreId>) -> Result<Vec<Restore>>;
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

    /// Returns the checkpoints that turns to be kept began and ended with, of every worktree.
    fn kept_checkpoints(&self) -> Result<HashSet<CheckpointId>>;
    /// Returns the checkpoints that retention gives up: never one that an open restore needs, or a turn to be kept.
    fn prune_candidates(&self, retention: &Retention, now: i64) -> Result<Vec<Checkpoint>>;
    /// Deletes messages trimmed by restores, of one worktree or of all, that ended before `before`; returns how many.
    fn delete_trimmed(&self, before: i64, worktree_id: Option<&str>) -> Result<u64>;
}
