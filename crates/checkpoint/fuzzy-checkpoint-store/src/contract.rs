//! The interface of a store.

use std::collections::HashSet;

use crate::{
    BeginOutcome, Checkpoint, CheckpointId, Content, ListFilter, ListedSession, Message, MessageId, MessageStatus,
    NewRestore, Outline, Patch, Phase, Restore, RestoreId, RestoreOutcome, Result, Retention, Session, SessionId,
    StepNote, TurnFilter, TurnId, TurnNote, TurnPage, TurnRow, TurnStart, Untold, WorktreeRow,
};

/// The persistent records of the service.
///
/// 1. Every method is one transaction: it takes effect completely or not at all.
/// 2. At most one restore of a worktree is open.
/// 3. Only [`CheckpointStore::advance`] moves a restore from the phase that the caller names, and only
///    [`CheckpointStore::commit_restore`] moves it to `done`.
/// 4. Messages are ordered by `seq`; a trimmed message keeps its place and can be brought back.
/// 5. Turns have numbers, and turns, checkpoints and finished restores have places, from sequences of their worktree:
///    no clock and no deletion changes them.
/// 6. A session runs at most one turn. Output is stored only while its turn is the running one. A restore ends the turn
///    when it leaves `begun`, if the backend has stopped by then; otherwise the turn goes on, and keeps its messages.
#[allow(
    clippy::missing_errors_doc,
    reason = "every method fails if the database does, and documents its other failures"
)]
pub trait CheckpointStore: Send + Sync {
    /// Inserts a worktree or updates its paths.
    fn put_worktree(&self, worktree: &WorktreeRow, now: i64) -> Result<()>;
    /// Returns a worktree.
    fn worktree(&self, id: &str) -> Result<Option<WorktreeRow>>;
    /// Returns all worktrees, ordered by id.
    fn worktrees(&self) -> Result<Vec<WorktreeRow>>;
    /// Returns the time of the database's clock, in milliseconds since 1970: the clocks of its clients may differ.
    fn now(&self) -> Result<i64>;
    /// Returns the end of the worktree's lease; 0 if it has none.
    fn leased_until(&self, worktree_id: &str) -> Result<i64>;
    /// Takes or keeps the lease; returns false if another owner holds it at `now`.
    fn take_lease(&self, worktree_id: &str, owner: &str, now: i64, until: i64) -> Result<bool>;
    /// Takes or keeps the lease of a restore's worktree, to resume the restore; returns false if another owner holds it
    /// at `now`, or if the restore is no longer open.
    fn take_lease_of(&self, restore: &RestoreId, owner: &str, now: i64, until: i64) -> Result<bool>;
    /// Renews the lease if `owner` has it; returns false otherwise. Never takes a released lease.
    fn renew_lease(&self, worktree_id: &str, owner: &str, until: i64) -> Result<bool>;
    /// Releases the lease if `owner` has it.
    fn release_lease(&self, worktree_id: &str, owner: &str) -> Result<()>;

    /// Inserts an idle session.
    fn create_session(&self, id: &SessionId, worktree_id: &str, title: &str, now: i64) -> Result<()>;
    /// Sets the title of a session.
    fn rename_session(&self, id: &SessionId, title: &str) -> Result<()>;
    /// Deletes a session with its messages and checkpoints; returns `TurnRuns` or `Restoring` unless it is idle. The
    /// numbers and places of its turns remain, and the restores that are done, without texts.
    fn delete_session(&self, id: &SessionId) -> Result<()>;
    /// Deletes the session of one turn that did no work, also if the turn runs: nothing of it remains.
    fn take_away(&self, id: &SessionId) -> Result<()>;
    /// Deletes the texts of messages from the place `from` up to before `to`, including trimmed ones, wherever they are
    /// stored; returns the number of messages.
    fn clear_texts(&self, id: &SessionId, from: i64, to: i64) -> Result<u64>;
    /// Returns the place of a message, trimmed or not, and the place of the next prompt.
    fn places(&self, id: &SessionId, message: &MessageId) -> Result<Option<(i64, i64)>>;
    /// Returns a session.
    fn session(&self, id: &SessionId) -> Result<Option<Session>>;
    /// Returns the sessions of a worktree, oldest first.
    fn sessions(&self, worktree_id: &str) -> Result<Vec<Session>>;
    /// Records the host whose hooks record a session.
    fn set_host(&self, id: &SessionId, host: &str) -> Result<()>;
    /// Returns the sessions of all worktrees with a title, oldest first.
    fn sessions_titled(&self, title: &str) -> Result<Vec<Session>>;
    /// Returns the sessions with a title in whose worktrees restores are done of which their agent does not know yet.
    fn untold(&self, title: &str) -> Result<Vec<Untold>>;
    /// Records that the agent of a session knows of all restores up to a place.
    fn note_told(&self, id: &SessionId, place: i64) -> Result<()>;
    /// Returns all sessions with their worktrees' roots, newest first.
    fn all_sessions(&self) -> Result<Vec<ListedSession>>;
    /// Begins a turn with the prompt, whose id is the turn's; returns `TurnRuns` while another turn runs, and
    /// `Restoring` while a restore of the worktree is open.
    fn begin_turn_with(&self, id: &SessionId, content: Content<'_>, now: i64) -> Result<Message>;
    /// Does the same as [`CheckpointStore::begin_turn_with`] with a text.
    fn begin_turn(&self, id: &SessionId, body: &str, now: i64) -> Result<Message> {
        self.begin_turn_with(id, body.into(), now)
    }
    /// Stores a note about a turn; an earlier note of the same kind is replaced, except [`TurnNote::Edited`], which adds.
    fn note(&self, turn: &TurnId, note: TurnNote<'_>) -> Result<()>;
    /// Returns all turns of a worktree by their numbers, including those whose prompts are trimmed. Those of deleted
    /// sessions have no ids and no texts.
    fn turns_of(&self, worktree_id: &str) -> Result<Vec<TurnRow>>;
    /// Returns the turns of a worktree that have a checkpoint of their start, or the reason why there is none and began
    /// after `after`, each with the next turn of its session, by their numbers; none of deleted sessions.
    fn turns_kept(&self, worktree_id: &str, after: i64) -> Result<Vec<TurnRow>>;
    /// Returns a part of a long list of turns: the newest that fit the filter, without trimmed ones.
    fn turns_where(&self, worktree_id: &str, filter: &TurnFilter<'_>) -> Result<TurnPage>;
    /// Returns the extent of each turn of a worktree, by the numbers.
    fn turn_starts(&self, worktree_id: &str) -> Result<Vec<TurnStart>>;
    /// Stores output of the running turn, with status `streaming` until the turn ends; returns `TurnOver` if the turn
    /// no longer runs.
    fn append_with(&self, id: &SessionId, turn: &TurnId, role: &str, content: Content<'_>, now: i64)
    -> Result<Message>;
    /// Does the same as [`CheckpointStore::append_with`] with a text.
    fn append_message(&self, id: &SessionId, turn: &TurnId, role: &str, body: &str, now: i64) -> Result<Message> {
        self.append_with(id, turn, role, body.into(), now)
    }
    /// Ends the turn and sets the status of its output; does nothing if the turn is over.
    fn end_turn(&self, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()>;
    /// Returns the messages after the place `after` up to the place `last`, in order, without trimmed ones.
    fn messages_between(&self, id: &SessionId, after: i64, last: i64) -> Result<Vec<Message>>;
    /// Returns the messages after the place `after`, in order, without trimmed ones: all their texts at once.
    fn messages_after(&self, id: &SessionId, after: i64) -> Result<Vec<Message>> {
        self.messages_between(id, after, i64::MAX)
    }
    /// Returns all messages that are not trimmed, in order.
    fn messages(&self, id: &SessionId) -> Result<Vec<Message>> {
        self.messages_after(id, 0)
    }
    /// Returns at most `most` of the messages of [`CheckpointStore::messages_after`], without their texts, so that a
    /// long transcript can be read in parts.
    fn outline(&self, id: &SessionId, after: i64, most: i64) -> Result<Vec<Outline>>;
    /// Returns a message of the session that is not trimmed.
    fn message(&self, id: &SessionId, message: &MessageId) -> Result<Option<Message>>;

    /// Returns the restore that trimmed a message of the session, if there is one.
    fn trimmed_by(&self, id: &SessionId, message: &MessageId) -> Result<Option<RestoreId>>;

    /// Inserts a checkpoint and returns its place.
    fn insert_checkpoint(&self, checkpoint: &Checkpoint) -> Result<i64>;
    /// Stores the record of a step, or of the end of a turn, beside its checkpoint.
    fn note_step(&self, id: &CheckpointId, note: &StepNote) -> Result<()>;
    /// Returns a checkpoint of the session; `None` if it belongs to another session.
    fn checkpoint(&self, session: &SessionId, id: &CheckpointId) -> Result<Option<Checkpoint>>;
    /// Returns the checkpoints of a session, by anchor, then by age.
    fn list(&self, session: &SessionId, filter: ListFilter) -> Result<Vec<Checkpoint>>;
    /// Returns the checkpoints of a session that belong to the message at a place, including hidden ones, oldest first.
    fn anchored(&self, session: &SessionId, seq: i64) -> Result<Vec<Checkpoint>>;
    /// Returns the newest checkpoint with the state of the session's worktree while nothing of the session ran: one of
    /// its own that is neither hidden nor taken by a restore, or the last one of another session's turn.
    fn newest(&self, session: &SessionId) -> Result<Option<Checkpoint>>;
    /// Returns all checkpoints of a worktree, oldest first.
    fn checkpoints_of(&self, worktree_id: &str) -> Result<Vec<Checkpoint>>;
    /// Deletes checkpoints of a worktree.
    fn delete_checkpoints(&self, worktree_id: &str, ids: &[CheckpointId]) -> Result<()>;

    /// Opens a restore: takes the lease and moves the session to `restoring`. Returns `Conflict` if it undoes a restore
    /// whose transcript can no longer be brought back.
    fn begin_restore(&self, restore: &NewRestore) -> Result<BeginOutcome>;
    /// Returns a restore.
    fn restore(&self, id: &RestoreId) -> Result<Option<Restore>>;
    /// Returns the restore with this request key.
    fn restore_by_key(&self, session: &SessionId, key: &str) -> Result<Option<Restore>>;
    /// Returns the session's newest restore that is done.
    fn last_done(&self, session: &SessionId) -> Result<Option<Restore>>;
    /// Returns the session's restores that are done and began after `after`, or all of them, the newest first.
    fn done_after(&self, session: &SessionId, after: Option<&RestoreId>) -> Result<Vec<Restore>>;
    /// Returns the restores of a session that began before `before`, or all of them, the newest first, at most `most`.
    fn restores_before(&self, session: &SessionId, before: Option<&RestoreId>, most: i64) -> Result<Vec<Restore>>;
    /// Moves a restore from one phase to another; returns `Conflict` if it is not in `from`. A move to `refused` or
    /// `rolled_back` settles the session's state and releases the lease.
    fn advance(&self, id: &RestoreId, from: Phase, to: Phase, patch: &Patch) -> Result<()>;
    /// Commits a restore in phase `index`: trims or brings back messages, hides or brings back checkpoints, begins a
    /// new generation with its backend resets, sets the session idle, releases the lease, and moves to `done`.
    fn commit_restore(&self, id: &RestoreId, now: i64) -> Result<RestoreOutcome>;
    /// Returns the unfinished restores.
    fn open_restores(&self) -> Result<Vec<Restore>>;
    /// Returns the restores of a worktree in all phases, oldest first.
    fn restores_of(&self, worktree_id: &str) -> Result<Vec<Restore>>;
    /// Returns the unconfirmed backend resets.
    fn undelivered_resets(&self) -> Result<Vec<(SessionId, i64)>>;
    /// Confirms a backend reset.
    fn reset_delivered(&self, session: &SessionId, generation: i64, now: i64) -> Result<()>;

    /// Returns the checkpoints of every worktree that retention keeps at any age: those that an open restore needs, the
    /// first and last ones of kept turns, and the first ones of running turns. A turn that began more than 30 days ago
    /// does not count as running: its end was lost.
    fn needed_checkpoints(&self, now: i64) -> Result<HashSet<CheckpointId>>;
    /// Returns the checkpoints that retention deletes: never one of [`CheckpointStore::needed_checkpoints`].
    fn prune_candidates(&self, retention: &Retention, now: i64) -> Result<Vec<Checkpoint>>;
    /// Deletes the messages of a worktree that restores trimmed, if the restore ended before `before`, and the prompts
    /// in the results of such restores; returns the number of messages.
    fn delete_trimmed(&self, before: i64, worktree_id: &str) -> Result<u64>;
    /// Deletes the texts of a worktree's turns that retention does not keep, wherever they are stored: never those of
    /// kept and running turns. Returns the number of messages.
    fn clear_old_texts(&self, worktree_id: &str, retention: &Retention, now: i64) -> Result<u64>;
    /// Removes the bytes of deleted rows and texts from the database's files, as far as these belong to this program.
    /// Returns `Busy` if another program reads them.
    fn purge(&self) -> Result<()>;
}
