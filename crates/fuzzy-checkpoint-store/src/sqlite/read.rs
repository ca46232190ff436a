//! Reads rows.

use fuzzy_checkpoint::Oid;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    Checkpoint, CheckpointId, CheckpointState, Error, Kind, Message, MessageId, MessageStatus, Phase, Restore,
    RestoreId, Result, Session, SessionId, SessionState, TurnId, WorktreeRow,
};

pub(super) const SESSION: &str =
    "SELECT id, worktree_id, title, state, turn, generation, next_seq, created_at FROM sessions";
pub(super) const MESSAGE: &str =
    "SELECT id, session_id, seq, role, status, body, uncheckpointed, trimmed_by, created_at FROM messages";
pub(super) const CHECKPOINT: &str = "SELECT id, session_id, worktree_id, kind, state, anchor_seq, commit_oid, tree_oid,
    index_tree_oid, head_oid, head_ref, label, uncovered, retired_by, created_at FROM checkpoints";
pub(super) const RESTORE: &str =
    "SELECT id, session_id, worktree_id, checkpoint_id, safety_id, request_key, options, phase,
    result, error, created_at, updated_at FROM restores";

type Read<T> = rusqlite::Result<T>;

/// Runs a query and reads every row.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: fn(&Row<'_>) -> Read<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_map(params, read)?.collect::<Read<_>>()?)
}

pub(super) fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Database(error.to_string()))
}

fn odd(column: usize) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, "a value that was never written".into())
}

fn word<T>(row: &Row<'_>, column: usize, parse: fn(&str) -> Option<T>) -> Read<T> {
    parse(&row.get::<_, String>(column)?).ok_or_else(|| odd(column))
}

fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Read<T> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(|_| odd(column))
}

/// Reads an object name, checked: it goes into argument vectors.
fn oid(row: &Row<'_>, column: usize) -> Read<Oid> {
    Oid::new(row.get::<_, String>(column)?).map_err(|_| odd(column))
}

fn optional_oid(row: &Row<'_>, column: usize) -> Read<Option<Oid>> {
    row.get::<_, Option<String>>(column)?.map(|text| Oid::new(text).map_err(|_| odd(column))).transpose()
}

pub(super) fn worktree(row: &Row<'_>) -> Read<WorktreeRow> {
    Ok(WorktreeRow { id: row.get(0)?, git_dir: row.get(1)?, root: row.get(2)?, object_format: row.get(3)? })
}

pub(super) fn session_row(row: &Row<'_>) -> Read<Session> {
    Ok(Session {
        id: SessionId(row.get(0)?),
        worktree_id: row.get(1)?,
        title: row.get(2)?,
        state: word(row, 3, SessionState::parse)?,
        turn: row.get::<_, Option<String>>(4)?.map(TurnId),
        generation: row.get(5)?,
        next_seq: row.get(6)?,
        created_at: row.get(7)?,
    })
}

pub(super) fn session(connection: &Connection, id: &SessionId) -> Result<Option<Session>> {
    Ok(connection.query_row(&format!("{SESSION} WHERE id = ?1"), [id.as_str()], session_row).optional()?)
}

pub(super) fn message(row: &Row<'_>) -> Read<Message> {
    Ok(Message {
        id: MessageId(row.get(0)?),
        session_id: SessionId(row.get(1)?),
        seq: row.get(2)?,
        role: row.get(3)?,
        status: word(row, 4, MessageStatus::parse)?,
        body: row.get(5)?,
        uncheckpointed: row.get(6)?,
        trimmed_by: row.get::<_, Option<String>>(7)?.map(RestoreId),
        created_at: row.get(8)?,
    })
}

pub(super) fn checkpoint_row(row: &Row<'_>) -> Read<Checkpoint> {
    Ok(Checkpoint {
        id: CheckpointId(row.get(0)?),
        session_id: SessionId(row.get(1)?),
        worktree_id: row.get(2)?,
        kind: word(row, 3, Kind::parse)?,
        state: word(row, 4, CheckpointState::parse)?,
        anchor_seq: row.get(5)?,
        commit_oid: oid(row, 6)?,
        tree_oid: oid(row, 7)?,
        index_tree_oid: optional_oid(row, 8)?,
        head_oid: optional_oid(row, 9)?,
        head_ref: row.get(10)?,
        label: row.get(11)?,
        uncovered: from_json(row, 12)?,
        retired_by: row.get::<_, Option<String>>(13)?.map(RestoreId),
        created_at: row.get(14)?,
    })
}

pub(super) fn checkpoint(
    connection: &Connection,
    session: &SessionId,
    id: &CheckpointId,
) -> Result<Option<Checkpoint>> {
    let sql = format!("{CHECKPOINT} WHERE session_id = ?1 AND id = ?2");
    Ok(connection.query_row(&sql, [session.as_str(), id.as_str()], checkpoint_row).optional()?)
}

pub(super) fn restore_row(row: &Row<'_>) -> Read<Restore> {
    Ok(Restore {
        id: RestoreId(row.get(0)?),
        session_id: SessionId(row.get(1)?),
        worktree_id: row.get(2)?,
        checkpoint_id: CheckpointId(row.get(3)?),
        safety_id: row.get::<_, Option<String>>(4)?.map(CheckpointId),
        request_key: row.get(5)?,
        options: from_json(row, 6)?,
        phase: word(row, 7, Phase::parse)?,
        result: from_json(row, 8)?,
        error: row.get(9)?,
        created_at: row.get(10)?,
        updated_at: row.get(11)?,
    })
}

pub(super) fn restore(connection: &Connection, id: &RestoreId) -> Result<Option<Restore>> {
    Ok(connection.query_row(&format!("{RESTORE} WHERE id = ?1"), [id.as_str()], restore_row).optional()?)
}
