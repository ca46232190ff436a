//! The store in one `SQLite` file.

mod read;
mod restores;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::{
    BeginOutcome, Checkpoint, CheckpointId, CheckpointState, CheckpointStore, Error, ListFilter, ListedSession,
    Message, MessageId, MessageStatus, NewRestore, Patch, Phase, Restore, RestoreId, RestoreOutcome, Result, Retention,
    Session, SessionId, SessionState, TurnId, WorktreeRow, migrations, retention,
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
        let store = Self { connection: Mutex::new(connection) };
        store.migrate()?;
        Ok(store)
    }

    fn migrate(&self) -> Result<()> {
        self.write(|t| Ok(t.execute_batch(migrations::TABLE)?))?;
        // Another process may be at it, too: every step looks anew.
        while self.write(|t| {
            let found = t.query_row("SELECT COALESCE(MAX(version), 0) FROM schema_migrations", [], |row| row.get(0))?;
            let Some((version, sql)) = migrations::next(found)? else { return Ok(false) };
            t.execute_batch(sql)?;
            t.execute("INSERT INTO schema_migrations (version) VALUES (?1)", [version])?;
            Ok(true)
        })? {}
        Ok(())
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

    fn all_sessions(&self) -> Result<Vec<ListedSession>> {
        let sql =
            "SELECT s.id, s.worktree_id, s.title, s.state, s.turn, s.generation, s.next_seq, s.created_at, w.root,
                       (SELECT COUNT(*) FROM messages m
                        WHERE m.session_id = s.id AND m.role = 'user' AND m.trimmed_by IS NULL),
                       COALESCE((SELECT MAX(m.created_at) FROM messages m WHERE m.session_id = s.id),
                                (SELECT MAX(c.created_at) FROM checkpoints c WHERE c.session_id = s.id), s.created_at)
                   FROM sessions s JOIN worktrees w ON w.id = s.worktree_id ORDER BY s.created_at DESC, s.id DESC";
        read::all(&self.lock(), sql, [], |row| {
            let session = read::session_row(row)?;
            Ok(ListedSession { session, root: row.get(8)?, turns: row.get(9)?, active_at: row.get(10)? })
        })
    }

    fn begin_turn(&self, id: &SessionId, body: &str, now: i64) -> Result<Message> {
        self.write(|t| {
            let session = read::session(t, id)?.ok_or_else(|| missing("session", id.as_str()))?;
            if session.state == SessionState::Restoring || restores::open_in(t, &session.worktree_id)? {
                return Err(Error::Restoring);
            }
            if session.state == SessionState::Running {
                return Err(Error::TurnRuns(id.clone()));
            }
            let message = insert_message(t, &session, "user", body, MessageStatus::Complete, now)?;
            let sql = "UPDATE sessions SET state = 'running', turn = ?2 WHERE id = ?1";
            t.execute(sql, [id.as_str(), message.id.as_str()])?;
            Ok(message)
        })
    }

    fn set_uncheckpointed(&self, turn: &TurnId, reason: &str) -> Result<()> {
        let sql = "UPDATE messages SET uncheckpointed = ?2 WHERE id = ?1";
        match self.lock().execute(sql, [turn.as_str(), reason])? {
            0 => Err(missing("turn", turn.as_str())),
            _ => Ok(()),
        }
    }

    fn append_message(&self, id: &SessionId, turn: &TurnId, role: &str, body: &str, now: i64) -> Result<Message> {
        self.write(|t| {
            let session = running(t, id, turn)?.ok_or_else(|| Error::TurnOver(turn.clone()))?;
            insert_message(t, &session, role, body, MessageStatus::Streaming, now)
        })
    }

    fn end_turn(&self, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()> {
        self.write(|t| {
            let Some(session) = running(t, id, turn)? else { return Ok(()) };
            restores::end_turn(t, id, status)?;
            // A restore that is about to stop the turn settles the state itself.
            if session.state == SessionState::Running {
                t.execute("UPDATE sessions SET state = 'idle' WHERE id = ?1", [id.as_str()])?;
            }
            Ok(())
        })
    }

    fn messages_after(&self, id: &SessionId, after: i64) -> Result<Vec<Message>> {
        let sql = format!("{} WHERE session_id = ?1 AND seq > ?2 AND trimmed_by IS NULL ORDER BY seq", read::MESSAGE);
        read::all(&self.lock(), &sql, params![id.as_str(), after], read::message)
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

    fn restore_by_key(&self, session: &SessionId, key: &str) -> Result<Option<Restore>> {
        restores::by_key(&self.lock(), session, key)
    }

    fn last_done(&self, session: &SessionId) -> Result<Option<Restore>> {
        let sql = format!(
            "{} WHERE session_id = ?1 AND phase = 'done' ORDER BY created_at DESC, id DESC LIMIT 1",
            read::RESTORE
        );
        Ok(self.lock().query_row(&sql, [session.as_str()], read::restore_row).optional()?)
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

/// Returns the session if this turn of it runs.
fn running(t: &Transaction<'_>, id: &SessionId, turn: &TurnId) -> Result<Option<Session>> {
    let session = read::session(t, id)?.ok_or_else(|| missing("session", id.as_str()))?;
    if session.turn.as_ref() == Some(turn) {
        return Ok(Some(session));
    }
    let sql = "SELECT 1 FROM messages WHERE id = ?2 AND session_id = ?1 AND role = 'user'";
    let known = t.query_row(sql, [id.as_str(), turn.as_str()], |_| Ok(())).optional()?;
    known.map(|()| None).ok_or_else(|| missing("turn", turn.as_str()))
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
        uncheckpointed: None,
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
    use rusqlite::Connection;

    use super::SqliteStore;
    use crate::{CheckpointStore, Error, SessionState, conformance};

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

    /// What the program left that had no migrations yet.
    const OLD: &str = "
        INSERT INTO worktrees VALUES ('w', '/r/.git', '/r', 'sha1', NULL, 0, 1);
        INSERT INTO sessions VALUES ('idle', 'w', 't', 'idle', 0, 3, 1), ('runs', 'w', 't', 'running', 0, 4, 1),
            ('empty', 'w', 't', 'running', 0, 1, 1), ('stops', 'w', 't', 'restoring', 0, 2, 1);
        INSERT INTO messages VALUES ('m1', 'idle', 1, 'user', 'complete', 'a', NULL, 1),
            ('m2', 'idle', 2, 'assistant', 'complete', 'b', NULL, 1), ('m3', 'runs', 1, 'user', 'complete', 'c', NULL, 1),
            ('m4', 'runs', 2, 'user', 'complete', 'd', NULL, 1), ('m5', 'runs', 3, 'assistant', 'streaming', 'e', NULL, 1),
            ('m6', 'stops', 1, 'user', 'complete', 'f', NULL, 1);
        INSERT INTO restores VALUES ('r', 'stops', 'w', 'c', NULL, 'k', '{\"force\":true}', 'begun', '{}', NULL, 1, 1);";

    #[test]
    fn a_database_without_a_version_is_brought_forward() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("state.db");
        let old = Connection::open(&path).expect("opened");
        old.execute_batch(include_str!("../../migrations/0001-first.sql")).expect("made");
        old.execute_batch(OLD).expect("filled");
        drop(old);
        for _ in 0..2 {
            let store = SqliteStore::open(&path).expect("opened");
            let turns: Vec<_> = ["idle", "runs", "empty", "stops"]
                .into_iter()
                .map(|id| store.session(&id.into()).expect("read").expect("there"))
                .map(|session| (session.state, session.turn.map(|turn| turn.0)))
                .collect();
            let some = |turn: &str| Some(turn.to_owned());
            assert_eq!(
                turns,
                [
                    (SessionState::Idle, None),
                    (SessionState::Running, some("m4")),
                    (SessionState::Idle, None),
                    (SessionState::Restoring, some("m6"))
                ]
            );
            assert_eq!(store.messages(&"runs".into()).expect("listed").len(), 3);
            assert!(store.restore(&"r".into()).expect("read").expect("there").options.force);
        }
    }

    #[test]
    fn a_newer_database_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("state.db");
        drop(SqliteStore::open(&path).expect("made"));
        let newer = Connection::open(&path).expect("opened");
        newer.execute("INSERT INTO schema_migrations (version) VALUES (99)", []).expect("written");
        let refused = SqliteStore::open(&path).expect_err("newer");
        assert!(matches!(refused, Error::Newer { found: 99, .. }), "{refused}");
    }
}
