//! Turns and their messages.

use super::read;
use crate::db::{Connection, values};
use crate::{Error, Message, MessageId, MessageStatus, Result, Session, SessionId, SessionState, TurnId, ulid};

/// Begins a turn with its prompt.
pub(super) fn begin(c: &mut dyn Connection, id: &SessionId, body: &str, now: i64) -> Result<Message> {
    let session = read::session(c, id)?;
    if session.state == SessionState::Restoring || read::open_in(c, &session.worktree_id)? {
        return Err(Error::Restoring);
    }
    if session.state == SessionState::Running {
        return Err(Error::TurnRuns(id.clone()));
    }
    let message = insert(c, &session, "user", body, MessageStatus::Complete, now)?;
    let sql = "UPDATE sessions SET state = 'running', turn = ?2 WHERE id = ?1";
    c.execute(sql, values![id.as_str(), message.id.as_str()])?;
    Ok(message)
}

/// Stores output of the running turn.
pub(super) fn append(
    c: &mut dyn Connection,
    id: &SessionId,
    turn: &TurnId,
    role: &str,
    body: &str,
    now: i64,
) -> Result<Message> {
    let session = running(c, id, turn)?.ok_or_else(|| Error::TurnOver(turn.clone()))?;
    insert(c, &session, role, body, MessageStatus::Streaming, now)
}

/// Ends the turn, if it still runs.
pub(super) fn end(c: &mut dyn Connection, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()> {
    let Some(session) = running(c, id, turn)? else { return Ok(()) };
    settle(c, id, status)?;
    // A restore that is about to stop the turn settles the state itself.
    if session.state == SessionState::Running {
        c.execute("UPDATE sessions SET state = 'idle' WHERE id = ?1", values![id.as_str()])?;
    }
    Ok(())
}

/// Ends the turn that runs, if one does; only its output is still streaming. A turn that failed may have said nothing, so
/// its prompt fails, too.
pub(super) fn settle(c: &mut dyn Connection, session: &SessionId, status: MessageStatus) -> Result<()> {
    let sql = "UPDATE messages SET status = ?2 WHERE id = (SELECT turn FROM sessions WHERE id = ?1)";
    c.execute(sql, values![session.as_str(), status.as_str()])?;
    c.execute("UPDATE sessions SET turn = NULL WHERE id = ?1", values![session.as_str()])?;
    let sql = "UPDATE messages SET status = ?2 WHERE session_id = ?1 AND status = 'streaming'";
    c.execute(sql, values![session.as_str(), status.as_str()])?;
    Ok(())
}

/// Returns the session if this turn of it runs.
fn running(c: &mut dyn Connection, id: &SessionId, turn: &TurnId) -> Result<Option<Session>> {
    let session = read::session(c, id)?;
    if session.turn.as_ref() == Some(turn) {
        return Ok(Some(session));
    }
    let sql = "SELECT id FROM messages WHERE id = ?2 AND session_id = ?1 AND role = 'user'";
    if c.query(sql, values![id.as_str(), turn.as_str()])?.is_empty() {
        return Err(read::missing("turn", turn.as_str()));
    }
    Ok(None)
}

/// Stores a message at the session's next place.
fn insert(
    c: &mut dyn Connection,
    session: &Session,
    role: &str,
    body: &str,
    status: MessageStatus,
    now: i64,
) -> Result<Message> {
    let message = Message {
        id: MessageId(ulid()),
        session_id: session.id.clone(),
        seq: session.next_seq,
        role: role.to_owned(),
        status,
        body: body.to_owned(),
        uncheckpointed: None,
        changes: None,
        uncompared: None,
        outside: None,
        trimmed_by: None,
        created_at: now,
    };
    let sql = "INSERT INTO messages (id, session_id, seq, role, status, body, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let names = (message.id.as_str(), session.id.as_str());
    c.execute(sql, values![names.0, names.1, message.seq, role, status.as_str(), body, now])?;
    c.execute("UPDATE sessions SET next_seq = next_seq + 1 WHERE id = ?1", values![session.id.as_str()])?;
    Ok(message)
}
