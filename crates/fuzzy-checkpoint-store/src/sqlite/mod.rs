//! The store in one `SQLite` file.

mod read;
mod restores;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::{
    BeginOutcome, Checkpoint, CheckpointId, CheckpointState, CheckpointStore, Error, ListFilter, Message, MessageId,
    MessageStatus, NewRestore, Patch, Phase, Restore, RestoreId, RestoreOutcome, Result, Retention, SCHEMA, Session,
    SessionId, SessionState, WorktreeRow, retention,
};

/// How long a transaction waits for another process's.
const BUSY: Duration = Duration::from_secs(10);

/// Keeps everything in one `SQLite` file, which several processes may share.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Mutex<Connection>,
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full,
            _ => Self::Database(error.to_string()),
        }
    }
}

impl SqliteStore {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be opened or is no such database.
    pub fn open(path: &Path) -> Result<Self> {
        Self::with(Connection::open(path)?)
    }

    /// Makes a store that vanishes with its owner.
    ///
    /// # Errors
    ///
    /// Fails when `SQLite` cannot start.
    pub fn in_memory() -> Result<Self> {
        Self::with(Connection::open_in_memory()?)
    }

    fn with(connection: Connection) -> Result<Self> {
        connection.busy_timeout(BUSY)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A committed restore must survive a power cut: files and transcript would otherwise disagree.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        connection.execute_batch(SCHEMA)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic between statements leaves no half transaction: it is rolled back when dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` in a transaction that takes the write lock at once, so that what it reads stays true.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

impl CheckpointStore for SqliteStore {
    fn put_worktree(&self, worktree: &WorktreeRow, now: i64) -> Result<()> {
        let WorktreeRow { id, git_dir, root, object_format } = worktree;
        let sql = "INSERT INTO worktrees (id, git_dir, root, object_format, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (id) DO UPDATE SET git_dir = excluded.git_dir, root = excluded.root";
        self.lock().execute(sql, params![id, git_dir, root, object_format, now])?;
        Ok(())
    }

    fn worktree(&self, id: &str) -> Result<Option<WorktreeRow>> {
        let sql = "SELECT id, git_dir, root, object_format FROM worktrees WHERE id = ?1";
        Ok(self.lock().query_row(sql, [id], read::worktree).optional()?)
    }

    fn worktrees(&self) -> Result<Vec<WorktreeRow>> {
        read::all(
            &self.lock(),
            "SELECT id, git_dir, root, object_format FROM worktrees ORDER BY id",
            [],
            read::worktree,
        )
    }

    fn take_lease(&self, worktree_id: &str, owner: &str, now: i64, until: i64) -> Result<bool> {
        self.write(|t| restores::take_lease(t, worktree_id, owner, now, until))
    }

    fn renew_lease(&self, worktree_id: &str, owner: &str, until: i64) -> Result<bool> {
        let sql = "UPDATE worktrees SET lease_until = ?3 WHERE id = ?1 AND lease = ?2";
        Ok(self.lock().execute(sql, params![worktree_id, owner, until])? == 1)
    }

    fn release_lease(&self, worktree_id: &str, owner: &str) -> Result<()> {
        let sql = "UPDATE worktrees SET lease = NULL, lease_until = 0 WHERE id = ?1 AND lease = ?2";
        self.lock().execute(sql, [worktree_id, owner])?;
        Ok(())
    }

    fn create_session(&self, id: &SessionId, worktree_id: &str, title: &str, now: i64) -> Result<()> {
        let sql = "INSERT INTO sessions (id, worktree_id, title, state, created_at) VALUES (?1, ?2, ?3, 'idle', ?4)";
        self.lock().execute(sql, params![id.as_str(), worktree_id, title, now])?;
        Ok(())
    }

    fn session(&self, id: &SessionId) -> Result<Option<Session>> {
        read::session(&self.lock(), id)
    }

    fn sessions(&self, worktree_id: &str) -> Result<Vec<Session>> {
        let sql = format!("{} WHERE worktree_id = ?1 ORDER BY created_at, id", read::SESSION);
        read::all(&self.lock(), &sql, [worktree_id], read::session_row)
    }

    fn begin_turn(&self, id: &SessionId, body: &str, now: i64) -> Result<Message> {
        self.write(|t| {
            let session = read::session(t, id)?.ok_or_else(|| missing("session", id.as_str()))?;
            let open = restores::open_in(t, &session.worktree_id)?;
            if session.state != SessionState::Idle || open {
                return Err(Error::Conflict { what: "session" });
            }
            t.execute("UPDATE sessions SET state = 'running' WHERE id = ?1", [id.as_str()])?;
            insert_message(t, &session, "user", body, MessageStatus::Complete, now)
        })
    }

    fn end_turn(&self, id: &SessionId, generation: i64, status: MessageStatus) -> Result<()> {
        self.write(|t| {
            let sql = "UPDATE sessions SET state = 'idle' WHERE id = ?1 AND generation = ?2 AND state = 'running'";
            if t.execute(sql, params![id.as_str(), generation])? == 1 {
                let sql = "UPDATE messages SET status = ?2 WHERE session_id = ?1 AND status = 'streaming' AND trimmed_by IS NULL";
                t.execute(sql, [id.as_str(), status.as_str()])?;
            }
            Ok(())
        })
    }

    fn append_message(
        &self,
        id: &SessionId,
        generation: i64,
        role: &str,
        body: &str,
        status: MessageStatus,
        now: i64,
    ) -> Result<Option<Message>> {
        self.write(|t| {
            let session = read::session(t, id)?.ok_or_else(|| missing("session", id.as_str()))?;
            if session.generation != generation || session.state == SessionState::Restoring {
                return Ok(None);
            }
            insert_message(t, &session, role, body, status, now).map(Some)
        })
    }

    fn messages(&self, id: &SessionId) -> Result<Vec<Message>> {
        let sql = format!("{} WHERE session_id = ?1 AND trimmed_by IS NULL ORDER BY seq", read::MESSAGE);
        read::all(&self.lock(), &sql, [id.as_str()], read::message)
    }

    fn insert_checkpoint(&self, c: &Checkpoint) -> Result<()> {
        let uncovered = read::json(&c.uncovered)?;
        let sql = "INSERT INTO checkpoints (id, session_id, worktree_id, kind, state, anchor_seq, commit_oid, tree_oid, index_tree_oid,
                   head_oid, head_ref, label, uncovered, retired_by, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        let oid = |oid: &Option<fuzzy_checkpoint::Oid>| oid.as_ref().map(|oid| oid.as_str().to_owned());
        let retired = c.retired_by.as_ref().map(RestoreId::as_str);
        self.lock().execute(
            sql,
            params![
                c.id.as_str(),
                c.session_id.as_str(),
                c.worktree_id,
                c.kind.as_str(),
                c.state.as_str(),
                c.anchor_seq,
                c.commit_oid.as_str(),
                c.tree_oid.as_str(),
                oid(&c.index_tree_oid),
                oid(&c.head_oid),
                c.head_ref,
                c.label,
                uncovered,
                retired,
                c.created_at
            ],
        )?;
        Ok(())
    }

    fn set_checkpoint_state(&self, id: &CheckpointId, state: CheckpointState) -> Result<()> {
        match self.lock().execute("UPDATE checkpoints SET state = ?2 WHERE id = ?1", [id.as_str(), state.as_str()])? {
            0 => Err(missing("checkpoint", id.as_str())),
            _ => Ok(()),
        }
    }

    fn checkpoint(&self, session: &SessionId, id: &CheckpointId) -> Result<Option<Checkpoint>> {
        read::checkpoint(&self.lock(), session, id)
    }

    fn list(&self, session: &SessionId, filter: ListFilter) -> Result<Vec<Checkpoint>> {
        let sql = format!(
            "{} WHERE session_id = ?1 AND (?2 OR retired_by IS NULL) ORDER BY anchor_seq, created_at, id",
            read::CHECKPOINT
        );
        read::all(&self.lock(), &sql, params![session.as_str(), filter.retired], read::checkpoint_row)
    }

    fn checkpoints_of(&self, worktree_id: &str) -> Result<Vec<Checkpoint>> {
        let sql = format!("{} WHERE worktree_id = ?1 ORDER BY created_at, id", read::CHECKPOINT);
        read::all(&self.lock(), &sql, [worktree_id], read::checkpoint_row)
    }

    fn delete_checkpoints(&self, ids: &[CheckpointId]) -> Result<()> {
        self.write(|t| {
            for id in ids {
                t.execute("DELETE FROM checkpoints WHERE id = ?1", [id.as_str()])?;
            }
            Ok(())
        })
    }

    fn begin_restore(&self, restore: &NewRestore) -> Result<BeginOutcome> {
        self.write(|t| restores::begin(t, restore))
    }

    fn restore(&self, id: &RestoreId) -> Result<Option<Restore>> {
        read::restore(&self.lock(), id)
    }

    fn advance(&self, id: &RestoreId, from: Phase, to: Phase, patch: &Patch) -> Result<()> {
        self.write(|t| restores::advance(t, id, from, to, patch))
    }

    fn commit_restore(&self, id: &RestoreId, now: i64) -> Result<RestoreOutcome> {
        self.write(|t| restores::commit(t, id, now))
    }

    fn open_restores(&self) -> Result<Vec<Restore>> {
        restores::open(&self.lock())
    }

    fn restores_of(&self, worktree_id: &str) -> Result<Vec<Restore>> {
        let sql = format!("{} WHERE worktree_id = ?1 ORDER BY created_at, id", read::RESTORE);
        read::all(&self.lock(), &sql, [worktree_id], read::restore_row)
    }

    fn undelivered_resets(&self) -> Result<Vec<(SessionId, i64)>> {
        let sql = "SELECT session_id, generation FROM backend_resets WHERE delivered_at IS NULL ORDER BY session_id, generation";
        read::all(&self.lock(), sql, [], |row| Ok((SessionId(row.get(0)?), row.get(1)?)))
    }

    fn reset_delivered(&self, session: &SessionId, generation: i64, now: i64) -> Result<()> {
        let sql = "UPDATE backend_resets SET delivered_at = ?3 WHERE session_id = ?1 AND generation = ?2 AND delivered_at IS NULL";
        self.lock().execute(sql, params![session.as_str(), generation, now])?;
        Ok(())
    }

    fn prune_candidates(&self, retention: &Retention, now: i64) -> Result<Vec<Checkpoint>> {
        let connection = self.lock();
        let open = restores::open(&connection)?;
        let needed: HashSet<CheckpointId> =
            open.into_iter().flat_map(|restore| [Some(restore.checkpoint_id), restore.safety_id]).flatten().collect();
        let sql = format!("{} ORDER BY created_at, id", read::CHECKPOINT);
        let all = read::all(&connection, &sql, [], read::checkpoint_row)?;
        Ok(retention::candidates(retention, all, &needed, now))
    }

    fn delete_trimmed(&self, before: i64, worktree_id: Option<&str>) -> Result<u64> {
        let sql = "DELETE FROM messages WHERE trimmed_by IN (SELECT id FROM restores
                   WHERE phase = 'done' AND updated_at < ?1 AND (?2 IS NULL OR worktree_id = ?2))";
        Ok(self.lock().execute(sql, params![before, worktree_id])? as u64)
    }
}

fn insert_message(
    t: &Transaction<'_>,
    session: &Session,
    role: &str,
    body: &str,
    status: MessageStatus,
    now: i64,
) -> Result<Message> {
    let message = Message {
        id: MessageId::fresh(),
        session_id: session.id.clone(),
        seq: session.next_seq,
        role: role.to_owned(),
        status,
        body: body.to_owned(),
        trimmed_by: None,
        created_at: now,
    };
    let sql = "INSERT INTO messages (id, session_id, seq, role, status, body, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    t.execute(sql, params![message.id.as_str(), session.id.as_str(), message.seq, role, status.as_str(), body, now])?;
    t.execute("UPDATE sessions SET next_seq = next_seq + 1 WHERE id = ?1", [session.id.as_str()])?;
    Ok(message)
}

fn missing(what: &'static str, id: &str) -> Error {
    Error::Missing { what, id: id.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::SqliteStore;
    use crate::conformance;

    #[test]
    fn conforms_in_memory() {
        conformance::all(&|| Box::new(SqliteStore::in_memory().expect("opened")));
    }

    #[test]
    fn conforms_in_a_file_shared_by_two_connections() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("state.db");
        conformance::two_at_once(
            &SqliteStore::open(&path).expect("opened"),
            &SqliteStore::open(&path).expect("opened again"),
        );
    }
}
