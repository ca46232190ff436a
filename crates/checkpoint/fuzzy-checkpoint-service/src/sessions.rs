//! Keeps sessions, and the turns that checkpoints belong to.

use std::path::Path;

use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_store::{
    Kind, ListFilter, ListedSession, Message, MessageId, MessageStatus, Said, Session, SessionId, SessionState, TurnId,
    TurnNote, WorktreeRow, now_ms, ulid,
};

use crate::checkpointer::{Checkpointer, CreateOptions, Created};
use crate::{Error, Result, Stopped};

/// A turn that runs.
#[derive(Debug)]
pub struct Turn {
    /// Its name.
    pub id: TurnId,
    /// The session.
    pub session: SessionId,
    /// How many restores have touched the session's transcript.
    pub generation: i64,
    /// The prompt.
    pub prompt: Message,
    /// The checkpoint taken before anything ran, or why there is none.
    pub checkpoint: Result<Created>,
}

/// Who may speak in a session.
pub const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];
/// The longest title of a session, in bytes.
const LONGEST_TITLE: usize = 1000;

impl Checkpointer {
    /// Returns the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails when the engine refuses the directory.
    pub fn worktree_around(&self, dir: &Path) -> Result<Worktree> {
        Ok(self.engine.open(dir)?)
    }

    /// Makes a session that works in the worktree around `dir`.
    ///
    /// # Errors
    ///
    /// Fails when the engine refuses the directory, and when the title has more than 1000 bytes.
    pub fn create_session(&self, dir: &Path, title: &str) -> Result<SessionId> {
        check_title(title)?;
        let worktree = self.engine.open(dir)?;
        if self.store.worktree(worktree.id())?.is_none() {
            // One that is moved before its first checkpoint is to be known again, too.
            worktree.take_name()?;
        }
        self.new_session(&worktree, title)
    }

    /// Makes a session in a worktree that keeps its name.
    pub(crate) fn new_session(&self, worktree: &Worktree, title: &str) -> Result<SessionId> {
        self.store.put_worktree(&row(worktree)?, now_ms())?;
        let id = SessionId(ulid());
        self.store.create_session(&id, worktree.id(), title, now_ms())?;
        Ok(id)
    }

    /// Stores the prompt and takes a checkpoint, before anything runs. A failed capture does not stop the turn.
    ///
    /// # Errors
    ///
    /// Refuses while a turn runs or a restore is not finished, and where the backend cannot be told of the new
    /// generation that a restore began: it would go on from what is no longer in the transcript.
    pub fn begin_turn<'s>(&self, id: &SessionId, prompt: impl Into<Said<'s>>) -> Result<Turn> {
        let session = self.touch(id)?;
        // The process that committed a restore may have died before the backend knew, or the backend may not have
        // listened. Told in the middle of the turn, it would forget a part of that.
        self.deliver_resets(Some(id))?;
        let known = self.known_state(id)?;
        let mut prompt = self.store.begin_turn_with(id, prompt.into(), now_ms())?;
        let turn = TurnId(prompt.id.0.clone());
        let options = CreateOptions { kind: Kind::Turn, anchor: Some(prompt.seq), ..CreateOptions::default() };
        let checkpoint = self.create(id, &options);
        match &checkpoint {
            Ok(created) => prompt.outside = self.note_outside(&turn, known.as_ref(), &created.checkpoint),
            Err(why) => {
                let why = why.to_string();
                // A store that fails now leaves a prompt with neither checkpoint nor reason; the caller has the reason.
                let _ = self.store.note(&turn, TurnNote::Uncheckpointed(&why));
                prompt.uncheckpointed = Some(why);
            }
        }
        Ok(Turn { id: turn, session: id.clone(), generation: session.generation, prompt, checkpoint })
    }

    /// Begins a turn without a checkpoint, which `why` is noted for.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::begin_turn`].
    pub fn begin_turn_uncaptured<'s>(&self, id: &SessionId, prompt: impl Into<Said<'s>>, why: &str) -> Result<TurnId> {
        self.touch(id)?;
        self.deliver_resets(Some(id))?;
        let turn = TurnId(self.store.begin_turn_with(id, prompt.into(), now_ms())?.id.0);
        self.store.note(&turn, TurnNote::Uncheckpointed(why))?;
        Ok(turn)
    }

    /// Stores what the backend says. It is `streaming` until the turn ends.
    ///
    /// # Errors
    ///
    /// Says [`Error::TurnOver`] when the turn was ended or a restore has made it a thing of the past; refuses a role that
    /// nobody has.
    pub fn append_message<'s>(
        &self,
        id: &SessionId,
        turn: &TurnId,
        role: &str,
        said: impl Into<Said<'s>>,
    ) -> Result<Message> {
        if !ROLES.contains(&role) {
            return Err(Error::Invalid("a role is `user`, `assistant`, `tool` or `system`"));
        }
        Ok(self.store.append_with(id, turn, role, said.into(), now_ms())?)
    }

    /// Ends a turn: what it changed is captured and counted, and all it said becomes `complete` or `failed`. Does nothing
    /// when it is over already. A capture that fails does not keep the turn from ending.
    ///
    /// # Errors
    ///
    /// Refuses a turn that the session never had, and a status that ends nothing.
    pub fn end_turn(&self, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()> {
        ends(status)?;
        let session = self.session(id)?;
        if session.turn.as_ref() == Some(turn) {
            self.note_end(&session, turn);
        }
        Ok(self.store.end_turn(id, turn, status)?)
    }

    /// Ends a turn without a capture, which `why` is noted for.
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

    /// Has the backend stopped and ends the turn as failed: the way out where the program that runs the turn will not
    /// end it. Does nothing when the turn is over already.
    ///
    /// # Errors
    ///
    /// Refuses while a restore is not finished, and where the backend does not stop; then the turn goes on.
    pub fn stop_turn(&self, id: &SessionId, turn: &TurnId) -> Result<()> {
        let session = self.touch(id)?;
        if session.turn.as_ref() == Some(turn) && self.backend.stop(id, self.settings.stop_wait)? == Stopped::No {
            return Err(Error::NotStopped { session: id.clone() });
        }
        self.end_turn(id, turn, MessageStatus::Failed)
    }

    /// Gives a session another title.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session, and where [`Checkpointer::create_session`] refuses the title.
    pub fn rename_session(&self, id: &SessionId, title: &str) -> Result<()> {
        check_title(title)?;
        Ok(self.store.rename_session(id, title)?)
    }

    /// Deletes a session: the refs of its checkpoints, then everything that is known of it.
    ///
    /// # Errors
    ///
    /// Refuses while a turn runs or a restore is not finished.
    pub fn delete_session(&self, id: &SessionId) -> Result<()> {
        let session = self.touch(id)?;
        if session.state == SessionState::Running {
            return Err(Error::AgentRunning { session: id.clone() });
        }
        // Those of a worktree that is gone are gone with it, or stay without records.
        let Ok(worktree) = self.worktree(&session.worktree_id) else { return Ok(self.store.delete_session(id)?) };
        let _locked = worktree.lock()?;
        let rows = self.store.list(id, ListFilter { retired: true })?;
        worktree.unpin(&rows.into_iter().map(|row| row.id.0).collect::<Vec<_>>())?;
        Ok(self.store.delete_session(id)?)
    }

    /// Empties the text of a message, or of a whole turn, wherever it is kept: it may hold a secret. Its place stays.
    /// Returns how many messages that were.
    ///
    /// # Errors
    ///
    /// Fails when the session has no such message.
    pub fn clear_text(&self, id: &SessionId, message: &MessageId, whole_turn: bool) -> Result<u64> {
        let found = self.store.places(id, message)?;
        let (place, next) = found.ok_or_else(|| Error::missing("message", &message.0))?;
        Ok(self.store.clear_texts(id, place, if whole_turn { next } else { place + 1 })?)
    }

    /// Returns all sessions, newest first.
    ///
    /// # Errors
    ///
    /// Fails when the store does.
    pub fn sessions(&self) -> Result<Vec<ListedSession>> {
        Ok(self.store.all_sessions()?)
    }

    /// Returns a session.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session.
    pub fn session(&self, id: &SessionId) -> Result<Session> {
        self.store.session(id)?.ok_or_else(|| Error::missing("session", &id.0))
    }

    /// Returns the messages of a session that come after the place `after`, those apart that a restore trimmed; 0 lists
    /// all.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session.
    pub fn messages(&self, id: &SessionId, after: i64) -> Result<Vec<Message>> {
        self.session(id)?;
        Ok(self.store.messages_after(id, after)?)
    }
}

/// Refuses a title that is too long, or that would steer a terminal.
fn check_title(title: &str) -> Result<()> {
    if title.len() > LONGEST_TITLE {
        return Err(Error::Invalid("a title has at most 1000 bytes"));
    }
    if title.chars().any(char::is_control) {
        return Err(Error::Invalid("a title has no control characters"));
    }
    Ok(())
}

/// Refuses a status that ends nothing.
fn ends(status: MessageStatus) -> Result<()> {
    match status {
        MessageStatus::Streaming => Err(Error::Invalid("a turn ends `complete` or `failed`")),
        MessageStatus::Complete | MessageStatus::Failed => Ok(()),
    }
}

/// Returns what the store keeps of a worktree.
pub(crate) fn row(worktree: &Worktree) -> Result<WorktreeRow> {
    let (Some(git_dir), Some(root)) = (worktree.git_dir().to_str(), worktree.root().to_str()) else {
        return Err(Error::Invalid("the worktree's path is not UTF-8"));
    };
    Ok(WorktreeRow {
        id: worktree.id().to_owned(),
        git_dir: git_dir.to_owned(),
        root: root.to_owned(),
        object_format: worktree.object_format().to_owned(),
    })
}
