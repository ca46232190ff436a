//! Reads rows.

use fuzzy_checkpoint::{IndexLeft, Oid};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::db::{Connection, Row, Value, odd, values};
use crate::retention::TurnAge;
use crate::{
    Body, Checkpoint, CheckpointId, Error, Kind, ListedSession, Message, MessageId, MessageStatus, Outline, Phase,
    Restore, RestoreId, Result, Session, SessionId, SessionState, TurnId, TurnRow, WorktreeRow, file_names,
};

/// Selects the columns of [`worktree`].
pub(super) const WORKTREE: &str = "SELECT id, git_dir, root, object_format, store FROM worktrees";
/// Selects the columns of [`session_row`]. A text that Postgres cuts must not end with the beginning of an escape.
pub(super) const SESSION: &str = "SELECT id, worktree_id, title, state, turn, generation, next_seq, created_at, host,
    (SELECT rtrim(substr(m.body, 1, 200), '\u{10FFFF}') FROM messages m
     WHERE m.session_id = sessions.id AND m.role = 'user' ORDER BY m.seq LIMIT 1) FROM sessions";
/// Selects the columns of [`listed`].
pub(super) const LISTED: &str = "SELECT s.id, s.worktree_id, s.title, s.state, s.turn, s.generation, s.next_seq,
    s.created_at, s.host,
    (SELECT rtrim(substr(m.body, 1, 200), '\u{10FFFF}') FROM messages m
     WHERE m.session_id = s.id AND m.role = 'user' ORDER BY m.seq LIMIT 1), w.root,
    (SELECT COUNT(*) FROM messages m WHERE m.session_id = s.id AND m.role = 'user' AND m.trimmed_by IS NULL),
    COALESCE((SELECT MAX(m.created_at) FROM messages m WHERE m.session_id = s.id),
             (SELECT MAX(c.created_at) FROM checkpoints c WHERE c.session_id = s.id), s.created_at)
    FROM sessions s JOIN worktrees w ON w.id = s.worktree_id";
/// Selects the columns of [`message`].
pub(super) const MESSAGE: &str =
    "SELECT id, session_id, seq, role, status, body, json, extra, uncheckpointed, changes, uncompared, outside,
    trimmed_by, created_at, kept, number, place, edited, files, wrote_after, late, ended, batch FROM messages";
/// Selects the columns of [`turn_row`] for the turns of deleted sessions.
pub(super) const SPAN: &str = "'', '', 0, 'user', 'complete', '', 0, NULL, NULL, NULL, NULL, NULL,
    NULL, created_at, 0, number, place, edited, files, -1, NULL, ended, NULL";
/// Selects the columns of [`turn_age`], of the turns of a worktree by their numbers.
pub(super) const TURN_AGES: &str = "SELECT m.session_id, m.seq, m.created_at, m.kept,
    s.turn, m.id, m.trimmed_by
    FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE s.worktree_id = ?1 AND m.number > 0 ORDER BY m.number";
/// Selects the columns of [`outline`]; the length is known without reading the text.
pub(super) const OUTLINE: &str = "SELECT seq, number, CAST(octet_length(body) AS BIGINT) FROM messages";
/// Selects the columns of [`checkpoint_row`].
pub(super) const CHECKPOINT: &str = "SELECT id, session_id, worktree_id, kind, anchor_seq, commit_oid, tree_oid,
    index_tree_oid, head_oid, head_ref, label, uncovered, retired_by, created_at, index_left,
    batch, step, place FROM checkpoints";
/// Selects the columns of [`restore_row`].
pub(super) const RESTORE: &str =
    "SELECT id, session_id, worktree_id, checkpoint_id, safety_id, request_key, options, phase,
    result, error, created_at, updated_at, batch, moment, begun, place FROM restores";

/// The condition of a prompt of the worktree `?1`.
pub(super) const IS_TURN: &str = "number > 0 AND session_id IN (SELECT id FROM sessions WHERE worktree_id = ?1)";

/// The condition of an unfinished restore, as in [`Phase::is_open`].
pub(super) const IS_OPEN: &str = "phase IN ('begun', 'safe', 'files', 'index')";

/// Runs a query and reads every row.
pub(super) fn all<T>(
    c: &mut dyn Connection,
    sql: &str,
    values: &[Value<'_>],
    read: fn(&mut Row) -> Result<T>,
) -> Result<Vec<T>> {
    c.query(sql, values)?.iter_mut().map(read).collect()
}

/// Runs a query that finds at most one row.
pub(super) fn one<T>(
    c: &mut dyn Connection,
    sql: &str,
    values: &[Value<'_>],
    read: fn(&mut Row) -> Result<T>,
) -> Result<Option<T>> {
    c.query(sql, values)?.first_mut().map(read).transpose()
}

/// Returns whether the worktree has an unfinished restore.
pub(super) fn open_in(c: &mut dyn Connection, worktree_id: &str) -> Result<bool> {
    let sql = format!("SELECT id FROM restores WHERE worktree_id = ?1 AND {IS_OPEN}");
    Ok(!c.query(&sql, values![worktree_id])?.is_empty())
}

pub(super) fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Database(error.to_string()))
}

/// Reads a column with a fixed set of words.
fn word<T>(row: &mut Row, parse: fn(&str) -> Option<T>) -> Result<T> {
    parse(&row.text()?).ok_or_else(odd)
}

fn from_json<T: DeserializeOwned>(row: &mut Row) -> Result<T> {
    serde_json::from_str(&row.text()?).map_err(|_| odd())
}

pub(super) fn json_if_any<T: DeserializeOwned>(row: &mut Row) -> Result<Option<T>> {
    row.optional()?.map(|text| serde_json::from_str(&text).map_err(|_| odd())).transpose()
}

/// Reads and validates an object id, because it is used in command lines.
fn oid(text: String) -> Result<Oid> {
    Oid::new(text).map_err(|_| odd())
}

pub(super) fn worktree(row: &mut Row) -> Result<WorktreeRow> {
    Ok(WorktreeRow {
        id: row.text()?,
        git_dir: row.text()?,
        root: row.text()?,
        object_format: row.text()?,
        store: row.text()?,
    })
}

pub(super) fn session_row(row: &mut Row) -> Result<Session> {
    let mut session = Session {
        id: SessionId(row.text()?),
        worktree_id: row.text()?,
        title: row.text()?,
        host: None,
        name: String::new(),
        state: word(row, SessionState::parse)?,
        turn: row.optional()?.map(TurnId),
        generation: row.int()?,
        next_seq: row.int()?,
        created_at: row.int()?,
    };
    session.host = row.optional()?;
    let prompt = row.optional()?.unwrap_or_default();
    session.name = session.host.as_ref().map_or_else(|| session.title.clone(), |host| named(host, &prompt));
    Ok(session)
}

/// The most characters of a prompt in the name of a session.
const LONGEST_PROMPT: usize = 60;

/// Returns the name of a host's session: the host and the beginning of the first prompt, on one line.
fn named(host: &str, prompt: &str) -> String {
    // Some databases cut a text at its first NUL.
    let words = prompt.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>().join(" ");
    let cut: String = words.chars().take(LONGEST_PROMPT).collect();
    let more = if cut.len() < words.len() { "…" } else { "" };
    if cut.is_empty() { host.to_owned() } else { format!("{host} · {cut}{more}") }
}

pub(super) fn listed(row: &mut Row) -> Result<ListedSession> {
    Ok(ListedSession { session: session_row(row)?, root: row.text()?, turns: row.int()?, active_at: row.int()? })
}

/// Returns a session; `Missing` if there is none.
pub(super) fn session(c: &mut dyn Connection, id: &SessionId) -> Result<Session> {
    let found = one(c, &format!("{SESSION} WHERE id = ?1"), values![id.as_str()], session_row)?;
    found.ok_or_else(|| missing("session", id.as_str()))
}

pub(super) fn message(row: &mut Row) -> Result<Message> {
    let mut message = Message {
        id: MessageId(row.text()?),
        session_id: SessionId(row.text()?),
        seq: row.int()?,
        role: row.text()?,
        status: word(row, MessageStatus::parse)?,
        body: body(row.text()?, row.int()? != 0),
        extra: row.optional()?.map(Body::Json),
        uncheckpointed: row.optional()?,
        changes: json_if_any(row)?,
        uncompared: row.optional()?,
        outside: json_if_any(row)?,
        trimmed_by: row.optional()?.map(RestoreId),
        created_at: row.int()?,
        kept: row.int()? != 0,
        number: Some(row.int()?).filter(|number| *number > 0),
    };
    if message.uncompared.is_some() {
        // They are kept for the undo of the restore that removed them.
        message.changes = None;
    }
    Ok(message)
}

pub(super) fn turn_row(row: &mut Row) -> Result<TurnRow> {
    let prompt = message(row)?;
    let (number, place) = (prompt.number.ok_or_else(odd)?, row.int()?);
    let edited = json_if_any(row)?.unwrap_or_default();
    let files = row.optional()?.map(|text| file_names::parsed(&text));
    let wrote_after = Some(row.int()?).filter(|place| *place >= 0);
    let late = json_if_any(row)?.unwrap_or_default();
    let ended = Some(row.int()?).filter(|place| *place > 0);
    let batch = row.optional()?;
    Ok(TurnRow { prompt, number, place, batch, edited, files, wrote_after, ended, late })
}

pub(super) fn turn_age(row: &mut Row) -> Result<TurnAge> {
    Ok(TurnAge {
        session: SessionId(row.text()?),
        seq: row.int()?,
        created_at: row.int()?,
        kept: row.int()? != 0,
        running: row.optional()? == Some(row.text()?),
        trimmed: row.optional()?.is_some(),
    })
}

pub(super) fn outline(row: &mut Row) -> Result<Outline> {
    let (seq, number, bytes) = (row.int()?, Some(row.int()?).filter(|number| *number > 0), row.int()?);
    Ok(Outline { seq, is_prompt: number.is_some(), number, bytes })
}

pub(super) fn checkpoint_row(row: &mut Row) -> Result<Checkpoint> {
    Ok(Checkpoint {
        id: CheckpointId(row.text()?),
        session_id: SessionId(row.text()?),
        worktree_id: row.text()?,
        kind: word(row, Kind::parse)?,
        anchor_seq: row.int()?,
        commit_oid: oid(row.text()?)?,
        tree_oid: oid(row.text()?)?,
        index_tree_oid: row.optional()?.map(oid).transpose()?,
        head_oid: row.optional()?.map(oid).transpose()?,
        head_ref: row.optional()?,
        label: row.text()?,
        uncovered: from_json(row)?,
        retired_by: row.optional()?.map(RestoreId),
        created_at: row.int()?,
        index_left: row.optional()?.map(|word| IndexLeft::parse(&word).ok_or_else(odd)).transpose()?,
        batch: row.optional()?,
        step: json_if_any(row)?,
        place: row.int()?,
    })
}

pub(super) fn checkpoint(c: &mut dyn Connection, session: &SessionId, id: &CheckpointId) -> Result<Option<Checkpoint>> {
    let sql = format!("{CHECKPOINT} WHERE session_id = ?1 AND id = ?2");
    one(c, &sql, values![session.as_str(), id.as_str()], checkpoint_row)
}

pub(super) fn restore_row(row: &mut Row) -> Result<Restore> {
    Ok(Restore {
        id: RestoreId(row.text()?),
        session_id: SessionId(row.text()?),
        worktree_id: row.text()?,
        checkpoint_id: CheckpointId(row.text()?),
        safety_id: row.optional()?.map(CheckpointId),
        request_key: row.text()?,
        options: from_json(row)?,
        phase: word(row, Phase::parse)?,
        result: from_json(row)?,
        error: row.optional()?,
        created_at: row.int()?,
        updated_at: row.int()?,
        batch: row.optional()?,
        moment: Some(row.int()?).filter(|place| *place > 0),
        begun: row.int()?,
        place: row.int()?,
    })
}

/// Returns a restore; `Missing` if there is none.
pub(super) fn restore(c: &mut dyn Connection, id: &RestoreId) -> Result<Restore> {
    let found = one(c, &format!("{RESTORE} WHERE id = ?1"), values![id.as_str()], restore_row)?;
    found.ok_or_else(|| missing("restore", id.as_str()))
}

pub(super) fn missing(what: &'static str, id: &str) -> Error {
    Error::Missing { what, id: id.to_owned() }
}

/// Returns a body.
pub(super) fn body(text: String, json: bool) -> Body {
    if json { Body::Json(text) } else { Body::Text(text) }
}
