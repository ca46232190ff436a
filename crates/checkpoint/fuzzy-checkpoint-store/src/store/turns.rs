//! Turns and their messages.

use fuzzy_checkpoint::RepoPath;

use super::read;
use crate::db::{Connection, Row, values};
use crate::{
    Body, Content, Error, Message, MessageId, MessageStatus, Restore, Result, Session, SessionId, SessionState,
    TurnFilter, TurnId, TurnPage, file_names, ulid,
};

/// Begins a turn with its prompt.
pub(super) fn begin(c: &mut dyn Connection, id: &SessionId, content: Content<'_>, now: i64) -> Result<Message> {
    let session = read::session(c, id)?;
    if session.state == SessionState::Restoring || read::open_in(c, &session.worktree_id)? {
        return Err(Error::Restoring);
    }
    if session.state == SessionState::Running {
        return Err(Error::TurnRuns(id.clone()));
    }
    let mut message = insert(c, &session, "user", content, MessageStatus::Complete, now)?;
    let place = next(c, "places", &session.worktree_id)?;
    let number = next(c, "turns", &session.worktree_id)?;
    let sql = "UPDATE messages SET number = ?2, place = ?3, batch = ?4 WHERE id = ?1";
    c.execute(sql, values![message.id.as_str(), number, place, content.batch])?;
    message.number = Some(number);
    let sql = "UPDATE sessions SET state = 'running', turn = ?2 WHERE id = ?1";
    c.execute(sql, values![id.as_str(), message.id.as_str()])?;
    Ok(message)
}

/// Returns the newest turns that fit a filter, without trimmed ones, and their first checkpoints.
pub(super) fn page(c: &mut dyn Connection, worktree_id: &str, filter: &TurnFilter<'_>) -> Result<TurnPage> {
    // Neither database has a search for a text that both understand, except for this one.
    let which = "SELECT m.id FROM messages m
        WHERE m.session_id IN (SELECT id FROM sessions WHERE worktree_id = ?1 AND (?2 IS NULL OR id = ?2))
        AND m.number > 0 AND m.number < ?3 AND m.trimmed_by IS NULL
        AND (?4 IS NULL OR replace(m.files, ?4, '') <> m.files OR replace(m.files, ?5, '') <> m.files)
        AND (?6 IS NULL OR replace(lower(m.body), lower(?6), '') <> lower(m.body)
             OR replace(lower(m.files), lower(?6), '') <> lower(m.files))
        ORDER BY m.number DESC LIMIT ?7";
    let path = filter.path.map(file_names::written);
    let [file, below] = ["\n", "/"].map(|end| path.as_ref().map(|path| format!("\n{path}{end}")));
    let values = values![
        worktree_id,
        filter.session.map(SessionId::as_str),
        filter.before.unwrap_or(i64::MAX),
        file.as_deref(),
        below.as_deref(),
        filter.text,
        filter.most
    ];
    let sql = format!("{} WHERE id IN ({which}) ORDER BY number DESC", read::MESSAGE);
    let turns = read::all(c, &sql, values, read::turn_row)?;
    let sql = format!(
        "{} WHERE kind = 'turn' AND (session_id, anchor_seq) IN
         (SELECT session_id, seq FROM messages WHERE id IN ({which})) ORDER BY place",
        read::CHECKPOINT
    );
    Ok(TurnPage { turns, begins: read::all(c, &sql, values, read::checkpoint_row)? })
}

/// Takes the next number of a sequence of a worktree: of `places` or `turns`.
pub(super) fn next(c: &mut dyn Connection, sequence: &str, worktree_id: &str) -> Result<i64> {
    let sql = format!("UPDATE worktrees SET {sequence} = {sequence} + 1 WHERE id = ?1 RETURNING {sequence}");
    read::one(c, &sql, values![worktree_id], Row::int)?.ok_or_else(|| read::missing("worktree", worktree_id))
}

/// Stores output of the running turn.
pub(super) fn append(
    c: &mut dyn Connection,
    id: &SessionId,
    turn: &TurnId,
    role: &str,
    content: Content<'_>,
    now: i64,
) -> Result<Message> {
    let session = running(c, id, turn)?.ok_or_else(|| Error::TurnOver(turn.clone()))?;
    insert(c, &session, role, content, MessageStatus::Streaming, now)
}

/// Ends the turn if it is still running.
pub(super) fn end(c: &mut dyn Connection, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()> {
    let Some(session) = running(c, id, turn)? else { return Ok(()) };
    settle(c, id, status)?;
    // A restore that is about to stop the turn sets the state itself.
    if session.state == SessionState::Running {
        c.execute("UPDATE sessions SET state = 'idle' WHERE id = ?1", values![id.as_str()])?;
    }
    Ok(())
}

/// Ends the running turn, if there is one. Only its output still has status `streaming`. A failed turn may have no
/// output, so its prompt gets the status, too.
pub(super) fn settle(c: &mut dyn Connection, session: &SessionId, status: MessageStatus) -> Result<()> {
    let sql = "UPDATE messages SET status = ?2, ended = (
                   SELECT w.places FROM worktrees w JOIN sessions s ON s.worktree_id = w.id WHERE s.id = ?1)
               WHERE id = (SELECT turn FROM sessions WHERE id = ?1)";
    c.execute(sql, values![session.as_str(), status.as_str()])?;
    c.execute("UPDATE sessions SET turn = NULL WHERE id = ?1", values![session.as_str()])?;
    let sql = "UPDATE messages SET status = ?2 WHERE session_id = ?1 AND status = 'streaming'";
    c.execute(sql, values![session.as_str(), status.as_str()])?;
    Ok(())
}

/// Returns the session if this turn is running.
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
    content: Content<'_>,
    status: MessageStatus,
    now: i64,
) -> Result<Message> {
    let message = Message {
        id: MessageId(ulid()),
        session_id: session.id.clone(),
        seq: session.next_seq,
        role: role.to_owned(),
        status,
        body: read::body(content.body.to_owned(), content.json),
        extra: content.extra.map(|extra| Body::Json(extra.to_owned())),
        uncheckpointed: None,
        changes: None,
        uncompared: None,
        outside: None,
        trimmed_by: None,
        created_at: now,
        kept: false,
        number: None,
    };
    let sql = "INSERT INTO messages (id, session_id, seq, role, status, body, json, extra, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let names = (message.id.as_str(), session.id.as_str());
    let content = (content.body, i64::from(content.json), content.extra);
    c.execute(
        sql,
        values![names.0, names.1, message.seq, role, status.as_str(), content.0, content.1, content.2, now],
    )?;
    c.execute("UPDATE sessions SET next_seq = next_seq + 1 WHERE id = ?1", values![session.id.as_str()])?;
    Ok(message)
}

/// Keeps the places of the turns of a session that is about to be deleted.
pub(super) fn leave_spans(c: &mut dyn Connection, id: &SessionId) -> Result<()> {
    // A turn whose end was not captured lasted until the next one of its session at most.
    let sql = "INSERT INTO spans (worktree_id, number, place, ended, edited, files, created_at)
               SELECT w.id, m.number, m.place, CASE WHEN m.ended > 0 THEN m.ended ELSE COALESCE((
                   SELECT MIN(n.place) FROM messages n
                   WHERE n.session_id = m.session_id AND n.seq > m.seq AND n.number > 0), w.places) END,
               m.edited, m.files, m.created_at
               FROM messages m JOIN sessions s ON s.id = m.session_id JOIN worktrees w ON w.id = s.worktree_id
               WHERE m.session_id = ?1 AND m.number > 0";
    c.execute(sql, values![id.as_str()]).map(drop)
}

/// Deletes an idle session with all its rows.
pub(super) fn delete_session(c: &mut dyn Connection, id: &SessionId) -> Result<()> {
    match read::session(c, id)?.state {
        SessionState::Running => return Err(Error::TurnRuns(id.clone())),
        SessionState::Restoring => return Err(Error::Restoring),
        SessionState::Idle => {}
    }
    with_prompts(c, id)?.into_iter().try_for_each(|row| clear_prompt(c, row))?;
    c.execute("DELETE FROM restores WHERE session_id = ?1 AND phase <> 'done'", values![id.as_str()])?;
    c.execute("DELETE FROM sessions WHERE id = ?1", values![id.as_str()]).map(drop)
}

/// Deletes a session whose turn did no work, also if the turn runs.
pub(super) fn take_away(c: &mut dyn Connection, id: &SessionId) -> Result<()> {
    let sql = "UPDATE sessions SET turn = NULL, state = 'idle' WHERE id = ?1 AND state = 'running'";
    c.execute(sql, values![id.as_str()])?;
    delete_session(c, id)
}

/// Adds files to those that edit tools named during a turn.
pub(super) fn add_edited(c: &mut dyn Connection, turn: &TurnId, paths: &[RepoPath]) -> Result<()> {
    let mut edited = edited(c, turn)?;
    edited.extend_from_slice(paths);
    edited.sort();
    edited.dedup();
    let sql = "UPDATE messages SET edited = ?2 WHERE id = ?1";
    c.execute(sql, values![turn.as_str(), &read::json(&edited)?]).map(drop)
}

/// Returns these files.
pub(super) fn edited(c: &mut dyn Connection, turn: &TurnId) -> Result<Vec<RepoPath>> {
    let found = read::one(c, "SELECT edited FROM messages WHERE id = ?1", values![turn.as_str()], read::json_if_any)?;
    Ok(found.ok_or_else(|| read::missing("turn", turn.as_str()))?.unwrap_or_default())
}

/// Returns the number of texts from one place up to before another.
pub(super) fn texts(c: &mut dyn Connection, id: &SessionId, from: i64, to: i64) -> Result<u64> {
    let sql = "SELECT COUNT(*) FROM messages
               WHERE session_id = ?1 AND seq >= ?2 AND seq < ?3 AND (body <> '' OR extra IS NOT NULL)";
    let count = read::one(c, sql, values![id.as_str(), from, to], Row::int)?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// Deletes the texts from one place up to before another.
pub(super) fn clear(c: &mut dyn Connection, id: &SessionId, from: i64, to: i64) -> Result<u64> {
    // Retention may have deleted these prompts from the messages.
    for row in with_prompts(c, id)? {
        let prompt = row.result.prompt.as_deref();
        let sql = "SELECT seq FROM messages WHERE session_id = ?1 AND body = ?2";
        let places = read::all(c, sql, values![id.as_str(), prompt], Row::int)?;
        if places.is_empty() || places.iter().any(|place| (from..to).contains(place)) {
            clear_prompt(c, row)?;
        }
    }
    let sql = "UPDATE checkpoints SET label = ''
               WHERE session_id = ?1 AND anchor_seq >= ?2 AND anchor_seq < ?3 AND kind = 'step'";
    c.execute(sql, values![id.as_str(), from, to])?;
    let sql = "UPDATE messages SET body = '', json = 0, extra = NULL WHERE session_id = ?1 AND seq >= ?2 AND seq < ?3";
    c.execute(sql, values![id.as_str(), from, to])
}

/// Returns the restores of a session whose results contain a trimmed prompt.
fn with_prompts(c: &mut dyn Connection, id: &SessionId) -> Result<Vec<Restore>> {
    let sql = format!("{} WHERE session_id = ?1 AND result LIKE '%\"prompt\":\"%'", read::RESTORE);
    read::all(c, &sql, values![id.as_str()], read::restore_row)
}

/// Deletes the prompt in the result of a restore.
pub(super) fn clear_prompt(c: &mut dyn Connection, mut row: Restore) -> Result<()> {
    row.result.prompt = None;
    let sql = "UPDATE restores SET result = ?2 WHERE id = ?1";
    c.execute(sql, values![row.id.as_str(), &read::json(&row.result)?]).map(drop)
}
