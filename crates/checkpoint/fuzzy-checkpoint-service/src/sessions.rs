//! Manages sessions and their turns.

use std::path::Path;
use std::time::SystemTime;

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{
    Checkpoint, Content, Kind, ListFilter, ListedSession, Message, MessageId, MessageStatus, Result as StoreResult,
    Session, SessionId, SessionState, TurnId, TurnNote, WorktreeRow, now_ms, ulid,
};

use crate::checkpointer::{Checkpointer, CreateOptions, Created};
use crate::{Error, Result, Stopped};

/// A running turn.
#[derive(Debug)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// The session.
    pub session: SessionId,
    /// The number of restores that have changed the session's transcript.
    pub generation: i64,
    /// The prompt.
    pub prompt: Message,
    /// The checkpoint taken before the agent ran, or the reason why it is missing.
    pub checkpoint: Result<Created>,
}

/// The roles of messages.
pub const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];
/// The longest time from a prompt until the host has started the program that receives it, in milliseconds; the times of
/// files and processes differ by up to 20.
const UNDER_WAY_MS: i64 = 50;
/// The longest title of a session, in bytes.
const LONGEST_TITLE: usize = 1000;

impl Checkpointer {
    /// Returns the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the directory.
    pub fn worktree_around(&self, dir: &Path) -> Result<Worktree> {
        Ok(self.engine.open(dir)?)
    }

    /// Creates a session in the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the directory, or if the title has more than 1000 bytes.
    pub fn create_session(&self, dir: &Path, title: &str) -> Result<SessionId> {
        check_title(title)?;
        let worktree = self.engine.open(dir)?;
        if self.store.worktree(worktree.id())?.is_none() {
            // The id makes the worktree recognizable even if it is moved before its first checkpoint.
            worktree.take_name()?;
        }
        self.new_session(&worktree, title)
    }

    /// Creates a session in a worktree whose id is recorded.
    pub(crate) fn new_session(&self, worktree: &Worktree, title: &str) -> Result<SessionId> {
        self.check_store(worktree)?;
        self.store.put_worktree(&row(worktree)?, now_ms())?;
        let id = SessionId(ulid());
        self.store.create_session(&id, worktree.id(), title, now_ms())?;
        Ok(id)
    }

    /// Stores the prompt and takes a checkpoint before the agent runs. If the capture fails, the turn begins anyway.
    ///
    /// # Errors
    ///
    /// Refuses while a turn runs, while a restore is unfinished, and if a pending reset cannot be delivered: the
    /// backend would continue from messages that are no longer in the transcript.
    pub fn begin_turn<'s>(&self, id: &SessionId, prompt: impl Into<Content<'s>>) -> Result<Turn> {
        let now = now_ms();
        self.begin(id, prompt.into(), now, now)
    }

    /// Does the same as [`Checkpointer::begin_turn`] for a prompt that a program received at `received`, in milliseconds
    /// since 1970. Files that changed since then, or a moment before, are suspect: the agent may have written them before
    /// the checkpoint.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::begin_turn`].
    pub fn begin_turn_of<'s>(&self, id: &SessionId, prompt: impl Into<Content<'s>>, received: i64) -> Result<Turn> {
        self.begin(id, prompt.into(), received.min(now_ms()), received.saturating_sub(UNDER_WAY_MS))
    }

    fn begin(&self, id: &SessionId, prompt: Content<'_>, sent: i64, since: i64) -> Result<Turn> {
        let newest = (self.settings.newest_batch)();
        let prompt = Content { batch: prompt.batch.or(newest.as_deref()), ..prompt };
        let session = self.touch(id)?;
        // The process that committed a restore may have died before it reset the backend, or the reset failed. A reset
        // in the middle of the turn would discard a part of it.
        self.deliver_resets(Some(id))?;
        let known = self.known_state(id)?;
        let mut prompt = self.store.begin_turn_with(id, prompt, sent)?;
        let turn = TurnId(prompt.id.0.clone());
        let (anchor, since) = (Some(prompt.seq), Some(since));
        // A file as the turn before left it is not suspect.
        let before = known.as_ref().map(|known| known.tree_oid.clone());
        let options = CreateOptions { kind: Kind::Turn, anchor, since, known: before, ..CreateOptions::default() };
        let checkpoint = self.create(id, &options);
        match &checkpoint {
            Ok(created) => prompt.outside = self.note_outside(&turn, known.as_ref(), &created.checkpoint),
            Err(why) => {
                let why = why.to_string();
                // If the store fails here, the prompt has neither checkpoint nor reason; the caller gets the reason.
                let _ = self.store.note(&turn, TurnNote::Uncheckpointed(&why));
                prompt.uncheckpointed = Some(why);
            }
        }
        Ok(Turn { id: turn, session: id.clone(), generation: session.generation, prompt, checkpoint })
    }

    /// Begins a turn without a checkpoint and notes `why`.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::begin_turn`].
    pub fn begin_turn_uncaptured<'s>(
        &self,
        id: &SessionId,
        prompt: impl Into<Content<'s>>,
        why: &str,
    ) -> Result<TurnId> {
        self.touch(id)?;
        self.deliver_resets(Some(id))?;
        let (prompt, newest) = (prompt.into(), (self.settings.newest_batch)());
        let prompt = Content { batch: prompt.batch.or(newest.as_deref()), ..prompt };
        let turn = TurnId(self.store.begin_turn_with(id, prompt, now_ms())?.id.0);
        self.store.note(&turn, TurnNote::Uncheckpointed(why))?;
        Ok(turn)
    }

    /// Stores a message of the backend. Its status is `streaming` until the turn ends.
    ///
    /// # Errors
    ///
    /// Returns [`Error::TurnOver`] if the turn was ended or removed by a restore; refuses a role that is not in
    /// [`ROLES`].
    pub fn append_message<'s>(
        &self,
        id: &SessionId,
        turn: &TurnId,
        role: &str,
        content: impl Into<Content<'s>>,
    ) -> Result<Message> {
        if !ROLES.contains(&role) {
            return Err(Error::Invalid("a role is `user`, `assistant`, `tool` or `system`"));
        }
        Ok(self.store.append_with(id, turn, role, content.into(), now_ms())?)
    }

    /// Ends a turn: captures and counts its changes, and sets the status of its messages to `complete` or `failed`.
    /// Does nothing if it is already over. If the capture fails, the turn ends anyway.
    ///
    /// # Errors
    ///
    /// Refuses a turn that the session never had, and the status `streaming`.
    pub fn end_turn(&self, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()> {
        ends(status)?;
        let session = self.session(id)?;
        if session.turn.as_ref() == Some(turn) {
            self.note_end(&session, turn, |session| self.capture_end(session));
        }
        Ok(self.store.end_turn(id, turn, status)?)
    }

    /// Ends a turn as failed whose agent was interrupted before, as [`Checkpointer::end_turn`] does. The files that changed
    /// since `last`, the time of its last action by the clock of the file system, may be the user's; without that time all
    /// its files may be.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::end_turn`].
    pub fn end_turn_late(&self, id: &SessionId, turn: &TurnId, last: Option<SystemTime>) -> Result<()> {
        let session = self.session(id)?;
        if session.turn.as_ref() == Some(turn) && self.note_end(&session, turn, |session| self.capture_end(session)) {
            // If the store fails here, ending the turn will fail as well.
            let _ = self.note_late(&session, turn, last);
        }
        Ok(self.store.end_turn(id, turn, MessageStatus::Failed)?)
    }

    /// Ends a turn as failed at the request of a user: that of a host's session as [`Checkpointer::end_turn_late`] does,
    /// without a time.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::end_turn`].
    pub fn end_interrupted(&self, id: &SessionId, turn: &TurnId) -> Result<()> {
        match self.session(id)?.host {
            Some(_) => self.end_turn_late(id, turn, None),
            None => self.end_turn(id, turn, MessageStatus::Failed),
        }
    }

    /// Ends a turn without a capture and notes `why`.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::end_turn`].
    pub fn end_turn_uncaptured(&self, id: &SessionId, turn: &TurnId, status: MessageStatus, why: &str) -> Result<()> {
        ends(status)?;
        if self.session(id)?.turn.as_ref() == Some(turn) {
            self.store.note(turn, TurnNote::Uncompared(why))?;
        }
        Ok(self.store.end_turn(id, turn, status)?)
    }

    /// Returns the checkpoint at the begin of the running turn of the session with this title in a worktree, if it can be
    /// restored.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn begin_of_running(&self, worktree: &str, title: &str) -> Result<Option<Checkpoint>> {
        let sessions = self.store.sessions_titled(title)?.into_iter();
        for Session { id, turn, .. } in sessions.filter(|session| session.worktree_id == worktree) {
            let Some(TurnId(turn)) = turn else { continue };
            let Some((place, _)) = self.store.places(&id, &MessageId(turn))? else { continue };
            return Ok(self.store.anchored(&id, place)?.into_iter().find(|row| row.kind == Kind::Turn));
        }
        Ok(None)
    }

    /// Stops the backend and ends the turn as failed, for turns that their own program does not end. Does nothing if
    /// the turn is already over.
    ///
    /// # Errors
    ///
    /// Refuses while a restore is unfinished, and if the backend does not stop; the turn then continues.
    pub fn stop_turn(&self, id: &SessionId, turn: &TurnId) -> Result<()> {
        let session = self.touch(id)?;
        if session.turn.as_ref() == Some(turn) && self.backend.stop(id, self.settings.stop_wait)? == Stopped::No {
            return Err(Error::NotStopped { session: id.clone() });
        }
        self.end_interrupted(id, turn)
    }

    /// Sets the title of a session.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session, or if [`Checkpointer::create_session`] refuses the title.
    pub fn rename_session(&self, id: &SessionId, title: &str) -> Result<()> {
        check_title(title)?;
        Ok(self.store.rename_session(id, title)?)
    }

    /// Deletes a session: all its records, then the refs of its checkpoints.
    ///
    /// # Errors
    ///
    /// Refuses while a turn runs or a restore is unfinished.
    pub fn delete_session(&self, id: &SessionId) -> Result<()> {
        let session = self.touch(id)?;
        if session.state == SessionState::Running {
            return Err(Error::AgentRunning { session: id.clone() });
        }
        self.delete(&session, || self.store.delete_session(id))
    }

    /// Deletes a session as [`Checkpointer::delete_session`], of whose only turn nothing remains, also if it runs: its
    /// program did not start.
    ///
    /// # Errors
    ///
    /// Refuses while a restore of the session is unfinished.
    pub fn take_away(&self, id: &SessionId) -> Result<()> {
        self.delete(&self.touch(id)?, || self.store.take_away(id))
    }

    fn delete(&self, session: &Session, delete: impl FnOnce() -> StoreResult<()>) -> Result<()> {
        // The refs of a missing worktree are gone with it, or remain without records.
        let Some(worktree) = self.worktree_there(&session.worktree_id)? else { return Ok(delete()?) };
        let _locked = worktree.lock()?;
        let rows = self.store.list(&session.id, ListFilter { retired: true })?;
        // The store refuses this if a turn has begun meanwhile, which needs the refs.
        delete()?;
        Ok(worktree.unpin(&rows.into_iter().map(|row| row.id.0).collect::<Vec<_>>())?)
    }

    /// Deletes the text of a message, or of its whole turn, wherever it is stored, because it may contain a secret. The
    /// messages themselves remain, with an empty text. Returns their number.
    ///
    /// # Errors
    ///
    /// Fails if the session has no such message.
    pub fn clear_text(&self, id: &SessionId, message: &MessageId, whole_turn: bool) -> Result<u64> {
        let found = self.store.places(id, message)?;
        let (place, next) = found.ok_or_else(|| Error::missing("message", &message.0))?;
        Ok(self.store.clear_texts(id, place, if whole_turn { next } else { place + 1 })?)
    }

    /// Returns all sessions, newest first.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn sessions(&self) -> Result<Vec<ListedSession>> {
        Ok(self.store.all_sessions()?)
    }

    /// Returns a session.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session.
    pub fn session(&self, id: &SessionId) -> Result<Session> {
        self.store.session(id)?.ok_or_else(|| Error::missing("session", &id.0))
    }

    /// Returns the messages of a session after the place `after`, without trimmed ones; 0 returns all.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session.
    pub fn messages(&self, id: &SessionId, after: i64) -> Result<Vec<Message>> {
        self.session(id)?;
        Ok(self.store.messages_after(id, after)?)
    }
}

/// Refuses a title that is too long or contains control characters, which could control a terminal.
fn check_title(title: &str) -> Result<()> {
    if title.len() > LONGEST_TITLE {
        return Err(Error::Invalid("a title has at most 1000 bytes"));
    }
    if title.chars().any(char::is_control) {
        return Err(Error::Invalid("a title has no control characters"));
    }
    Ok(())
}

/// Refuses the status `streaming`.
fn ends(status: MessageStatus) -> Result<()> {
    match status {
        MessageStatus::Streaming => Err(Error::Invalid("a turn ends `complete` or `failed`")),
        MessageStatus::Complete | MessageStatus::Failed => Ok(()),
    }
}

/// Returns the store's record of a worktree.
pub(crate) fn row(worktree: &Worktree) -> Result<WorktreeRow> {
    let (Some(git_dir), Some(root)) = (worktree.git_dir().to_str(), worktree.root().to_str()) else {
        return Err(Error::Invalid("the worktree's path is not UTF-8"));
    };
    Ok(WorktreeRow {
        id: worktree.id().to_owned(),
        git_dir: git_dir.to_owned(),
        root: root.to_owned(),
        object_format: worktree.object_format().to_owned(),
        store: worktree.store_name()?.unwrap_or_default(),
    })
}
