//! The store, shared by all databases.

mod read;
mod restores;
mod turns;

use std::collections::HashSet;

use fuzzy_checkpoint::{IndexLeft, Oid};

use crate::db::{Connection, Database, Mode, Row, odd, values};
use crate::{
    BeginOutcome, Checkpoint, CheckpointId, CheckpointStore, Content, Error, ListFilter, ListedSession, Message,
    MessageId, MessageStatus, NewRestore, Outline, Patch, Phase, Restore, RestoreId, RestoreOutcome, Result, Retention,
    Session, SessionId, StepNote, TurnFilter, TurnId, TurnNote, TurnPage, TurnRow, TurnStart, Untold, WorktreeRow,
    file_names, retention, schema,
};
use read::missing;

/// The worktree of a transaction, named directly or by a row that belongs to it. Such a transaction reads and writes
/// only rows of that worktree, so concurrent transactions are serializable.
#[derive(Clone, Copy)]
enum Scope<'a> {
    Worktree(&'a str),
    Session(&'a SessionId),
    Turn(&'a TurnId),
    Checkpoint(&'a CheckpointId),
    Restore(&'a RestoreId),
}

impl Scope<'_> {
    /// Locks the worktree until the transaction ends.
    fn lock(self, c: &mut dyn Connection) -> Result<()> {
        let (table, id) = match self {
            Self::Worktree(id) => return c.lock("SELECT id FROM worktrees WHERE id = ?1", values![id]),
            Self::Session(id) => ("sessions", id.as_str()),
            Self::Turn(id) => ("messages m JOIN sessions s ON s.id = m.session_id", id.as_str()),
            Self::Checkpoint(id) => ("checkpoints", id.as_str()),
            Self::Restore(id) => ("restores", id.as_str()),
        };
        let (worktree, name) = if let Self::Turn(_) = self { ("s.worktree_id", "m.id") } else { ("worktree_id", "id") };
        // The worktree of a row never changes.
        let sql = format!("SELECT id FROM worktrees WHERE id = (SELECT {worktree} FROM {table} WHERE {name} = ?1)");
        c.lock(&sql, values![id])
    }
}

/// A store in a database.
pub(crate) struct Store<D> {
    database: D,
}

impl<D: Database> Store<D> {
    /// Creates the tables, unless they are there.
    pub(crate) fn open(database: D) -> Result<Self> {
        // Usually they are. Then nothing waits for a program that writes, even if that is stopped.
        match database.run(Mode::Read, schema::version) {
            Ok(Some(version)) => schema::check(version)?,
            Err(error) if database.is_read_only() => return Err(error),
            Ok(None) if database.is_read_only() => {
                return Err(Error::Database("it has no tables yet, and it is read-only".to_owned()));
            }
            _ => database.run(Mode::Create, schema::create)?,
        }
        Ok(Self { database })
    }

    /// Reads with one statement.
    fn read<T>(&self, work: impl FnOnce(&mut dyn Connection) -> Result<T>) -> Result<T> {
        self.database.run(Mode::Read, work)
    }

    fn note_number(&self, turn: &TurnId, column: &str, number: i64) -> Result<()> {
        let sql = format!("UPDATE messages SET {column} = ?2 WHERE id = ?1");
        match self.write(Scope::Turn(turn), |c| c.execute(&sql, values![turn.as_str(), number]))? {
            0 => Err(missing("turn", turn.as_str())),
            _ => Ok(()),
        }
    }

    /// Writes rows of one worktree while it is locked.
    fn write<T>(&self, scope: Scope<'_>, work: impl FnOnce(&mut dyn Connection) -> Result<T>) -> Result<T> {
        self.database.run(Mode::Write, |c| {
            scope.lock(c)?;
            work(c)
        })
    }
}

impl<D: Database> CheckpointStore for Store<D> {
    fn put_worktree(&self, worktree: &WorktreeRow, now: i64) -> Result<()> {
        let WorktreeRow { id, git_dir, root, object_format, store } = worktree;
        let sql = "INSERT INTO worktrees (id, git_dir, root, object_format, store, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT (id) DO UPDATE
                   SET git_dir = excluded.git_dir, root = excluded.root, store = excluded.store";
        // A worktree recorded with this path has been moved, and records its new path when it is used again.
        let moved = "UPDATE worktrees SET git_dir = id WHERE git_dir = ?1 AND id <> ?2";
        self.write(Scope::Worktree(id), |c| {
            c.execute(moved, values![git_dir, id])?;
            c.execute(sql, values![id, git_dir, root, object_format, store, now]).map(drop)
        })
    }

    fn worktree(&self, id: &str) -> Result<Option<WorktreeRow>> {
        let sql = format!("{} WHERE id = ?1", read::WORKTREE);
        self.read(|c| read::one(c, &sql, values![id], read::worktree))
    }

    fn worktrees(&self) -> Result<Vec<WorktreeRow>> {
        let sql = format!("{} ORDER BY id", read::WORKTREE);
        self.read(|c| read::all(c, &sql, &[], read::worktree))
    }

    fn now(&self) -> Result<i64> {
        let sql = format!("SELECT {}", D::NOW);
        self.read(|c| read::one(c, &sql, &[], Row::int))?.ok_or_else(odd)
    }

    fn leased_until(&self, worktree_id: &str) -> Result<i64> {
        let sql = "SELECT lease_until FROM worktrees WHERE id = ?1";
        Ok(self.read(|c| read::one(c, sql, values![worktree_id], Row::int))?.unwrap_or(0))
    }

    fn take_lease(&self, worktree_id: &str, owner: &str, now: i64, until: i64) -> Result<bool> {
        self.write(Scope::Worktree(worktree_id), |c| restores::take_lease(c, worktree_id, owner, now, until))
    }

    fn take_lease_of(&self, restore: &RestoreId, owner: &str, now: i64, until: i64) -> Result<bool> {
        self.write(Scope::Restore(restore), |c| {
            let row = read::restore(c, restore)?;
            Ok(row.phase.is_open() && restores::take_lease(c, &row.worktree_id, owner, now, until)?)
        })
    }

    fn renew_lease(&self, worktree_id: &str, owner: &str, until: i64) -> Result<bool> {
        let sql = "UPDATE worktrees SET lease_until = ?3 WHERE id = ?1 AND lease = ?2";
        self.write(Scope::Worktree(worktree_id), |c| Ok(c.execute(sql, values![worktree_id, owner, until])? == 1))
    }

    fn release_lease(&self, worktree_id: &str, owner: &str) -> Result<()> {
        let sql = "UPDATE worktrees SET lease = NULL, lease_until = 0 WHERE id = ?1 AND lease = ?2";
        self.write(Scope::Worktree(worktree_id), |c| c.execute(sql, values![worktree_id, owner]).map(drop))
    }

    fn create_session(&self, id: &SessionId, worktree_id: &str, title: &str, now: i64) -> Result<()> {
        let sql = "INSERT INTO sessions (id, worktree_id, title, state, created_at) VALUES (?1, ?2, ?3, 'idle', ?4)";
        let values = values![id.as_str(), worktree_id, title, now];
        self.write(Scope::Worktree(worktree_id), |c| c.execute(sql, values).map(drop))
    }

    fn rename_session(&self, id: &SessionId, title: &str) -> Result<()> {
        let sql = "UPDATE sessions SET title = ?2 WHERE id = ?1";
        match self.write(Scope::Session(id), |c| c.execute(sql, values![id.as_str(), title]))? {
            0 => Err(missing("session", id.as_str())),
            _ => Ok(()),
        }
    }

    fn delete_session(&self, id: &SessionId) -> Result<()> {
        self.write(Scope::Session(id), |c| {
            turns::leave_spans(c, id)?;
            turns::delete_session(c, id)
        })
    }

    fn take_away(&self, id: &SessionId) -> Result<()> {
        self.write(Scope::Session(id), |c| turns::take_away(c, id))
    }

    fn clear_texts(&self, id: &SessionId, from: i64, to: i64) -> Result<u64> {
        self.write(Scope::Session(id), |c| turns::clear(c, id, from, to))
    }

    fn places(&self, id: &SessionId, message: &MessageId) -> Result<Option<(i64, i64)>> {
        let sql = "SELECT m.seq, COALESCE((SELECT MIN(n.seq) FROM messages n
                   WHERE n.session_id = ?1 AND n.role = 'user' AND n.seq > m.seq), s.next_seq)
                   FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.session_id = ?1 AND m.id = ?2";
        self.read(|c| read::one(c, sql, values![id.as_str(), message.as_str()], |row| Ok((row.int()?, row.int()?))))
    }

    fn session(&self, id: &SessionId) -> Result<Option<Session>> {
        let sql = format!("{} WHERE id = ?1", read::SESSION);
        self.read(|c| read::one(c, &sql, values![id.as_str()], read::session_row))
    }

    fn sessions(&self, worktree_id: &str) -> Result<Vec<Session>> {
        let sql = format!("{} WHERE worktree_id = ?1 ORDER BY created_at, id", read::SESSION);
        self.read(|c| read::all(c, &sql, values![worktree_id], read::session_row))
    }

    fn set_host(&self, id: &SessionId, host: &str) -> Result<()> {
        let sql = "UPDATE sessions SET host = ?2 WHERE id = ?1";
        match self.write(Scope::Session(id), |c| c.execute(sql, values![id.as_str(), host]))? {
            0 => Err(missing("session", id.as_str())),
            _ => Ok(()),
        }
    }

    fn sessions_titled(&self, title: &str) -> Result<Vec<Session>> {
        let sql = format!("{} WHERE title = ?1 ORDER BY created_at, id", read::SESSION);
        self.read(|c| read::all(c, &sql, values![title], read::session_row))
    }

    fn untold(&self, title: &str) -> Result<Vec<Untold>> {
        let sql = "SELECT s.id, s.worktree_id, s.told, MAX(r.place) FROM sessions s
                   JOIN restores r ON r.worktree_id = s.worktree_id AND r.phase = 'done' AND r.place > s.told
                   WHERE s.title = ?1 GROUP BY s.id, s.worktree_id, s.told, s.created_at ORDER BY s.created_at, s.id";
        let row = |row: &mut Row| {
            let (session, worktree_id) = (SessionId(row.text()?), row.text()?);
            Ok(Untold { session, worktree_id, told: row.int()?, last: row.int()? })
        };
        self.read(|c| read::all(c, sql, values![title], row))
    }

    fn note_told(&self, id: &SessionId, place: i64) -> Result<()> {
        let sql = "UPDATE sessions SET told = ?2 WHERE id = ?1 AND told < ?2";
        self.write(Scope::Session(id), |c| c.execute(sql, values![id.as_str(), place]).map(drop))
    }

    fn all_sessions(&self) -> Result<Vec<ListedSession>> {
        let sql = format!("{} ORDER BY s.created_at DESC, s.id DESC", read::LISTED);
        self.read(|c| read::all(c, &sql, &[], read::listed))
    }

    fn begin_turn_with(&self, id: &SessionId, content: Content<'_>, now: i64) -> Result<Message> {
        self.write(Scope::Session(id), |c| turns::begin(c, id, content, now))
    }

    fn note(&self, turn: &TurnId, note: TurnNote<'_>) -> Result<()> {
        let (column, value) = match note {
            TurnNote::Kept(kept) => return self.note_number(turn, "kept", i64::from(kept)),
            TurnNote::WroteAfter(place) => return self.note_number(turn, "wrote_after", place),
            TurnNote::Edited(paths) => {
                let known = self.read(|c| turns::edited(c, turn))?;
                // The database may be read-only.
                if paths.iter().all(|path| known.contains(path)) {
                    return Ok(());
                }
                return self.write(Scope::Turn(turn), |c| turns::add_edited(c, turn, paths));
            }
            TurnNote::Uncheckpointed(reason) => ("uncheckpointed", reason.to_owned()),
            TurnNote::Changes(changes) => ("changes", read::json(changes)?),
            TurnNote::Uncompared(reason) => ("uncompared", reason.to_owned()),
            TurnNote::Outside(changes) => ("outside", read::json(changes)?),
            TurnNote::Files(paths) => ("files", file_names::joined(paths)),
            TurnNote::Late(late) => ("late", read::json(&late)?),
        };
        let sql = format!("UPDATE messages SET {column} = ?2 WHERE id = ?1");
        match self.write(Scope::Turn(turn), |c| c.execute(&sql, values![turn.as_str(), &value]))? {
            0 => Err(missing("turn", turn.as_str())),
            _ => Ok(()),
        }
    }

    fn turns_of(&self, worktree_id: &str) -> Result<Vec<TurnRow>> {
        let sql = format!(
            "{} WHERE {} UNION ALL SELECT {} FROM spans WHERE worktree_id = ?1 ORDER BY number",
            read::MESSAGE,
            read::IS_TURN,
            read::SPAN
        );
        self.read(|c| read::all(c, &sql, values![worktree_id], read::turn_row))
    }

    fn turns_kept(&self, worktree_id: &str, after: i64) -> Result<Vec<TurnRow>> {
        let sql = format!(
            "WITH kept AS (
                 SELECT m.id, m.session_id, m.number FROM checkpoints c
                 JOIN messages m ON m.session_id = c.session_id AND m.seq = c.anchor_seq AND m.number > 0
                 WHERE c.worktree_id = ?1 AND c.kind = 'turn'
                 UNION SELECT id, session_id, number FROM messages
                 WHERE {} AND uncheckpointed IS NOT NULL AND created_at > ?2)
             {} WHERE id IN (SELECT id FROM kept) OR id IN (
                 SELECT (SELECT n.id FROM messages n WHERE n.session_id = kept.session_id AND n.number > kept.number
                         AND n.number > 0 ORDER BY n.number LIMIT 1) FROM kept)
             ORDER BY number",
            read::IS_TURN,
            read::MESSAGE
        );
        self.read(|c| read::all(c, &sql, values![worktree_id, after], read::turn_row))
    }

    fn turns_where(&self, worktree_id: &str, filter: &TurnFilter<'_>) -> Result<TurnPage> {
        self.database.run(Mode::Snapshot, |c| turns::page(c, worktree_id, filter))
    }

    fn turn_starts(&self, worktree_id: &str) -> Result<Vec<TurnStart>> {
        let sql = "SELECT m.number, COALESCE((SELECT c.place FROM checkpoints c
                   WHERE c.session_id = m.session_id AND c.anchor_seq = m.seq AND c.kind = 'turn'
                   ORDER BY c.place LIMIT 1), m.place),
                   CASE WHEN m.id = s.turn THEN 9223372036854775807 ELSE m.wrote_after END
                   FROM messages m JOIN sessions s ON s.id = m.session_id
                   WHERE m.number > 0 AND s.worktree_id = ?1 ORDER BY m.number";
        let start = |row: &mut Row| Ok(TurnStart { number: row.int()?, from: row.int()?, wrote_after: row.int()? });
        self.read(|c| read::all(c, sql, values![worktree_id], start))
    }

    fn append_with(
        &self,
        id: &SessionId,
        turn: &TurnId,
        role: &str,
        content: Content<'_>,
        now: i64,
    ) -> Result<Message> {
        self.write(Scope::Session(id), |c| turns::append(c, id, turn, role, content, now))
    }

    fn end_turn(&self, id: &SessionId, turn: &TurnId, status: MessageStatus) -> Result<()> {
        self.write(Scope::Session(id), |c| turns::end(c, id, turn, status))
    }

    fn messages_between(&self, id: &SessionId, after: i64, last: i64) -> Result<Vec<Message>> {
        let which = "session_id = ?1 AND seq > ?2 AND seq <= ?3 AND trimmed_by IS NULL";
        let sql = format!("{} WHERE {which} ORDER BY seq", read::MESSAGE);
        self.read(|c| read::all(c, &sql, values![id.as_str(), after, last], read::message))
    }

    fn outline(&self, id: &SessionId, after: i64, most: i64) -> Result<Vec<Outline>> {
        let which = "session_id = ?1 AND seq > ?2 AND trimmed_by IS NULL";
        let sql = format!("{} WHERE {which} ORDER BY seq LIMIT ?3", read::OUTLINE);
        self.read(|c| read::all(c, &sql, values![id.as_str(), after, most], read::outline))
    }

    fn message(&self, id: &SessionId, message: &MessageId) -> Result<Option<Message>> {
        let sql = format!("{} WHERE session_id = ?1 AND id = ?2 AND trimmed_by IS NULL", read::MESSAGE);
        self.read(|c| read::one(c, &sql, values![id.as_str(), message.as_str()], read::message))
    }

    fn trimmed_by(&self, id: &SessionId, message: &MessageId) -> Result<Option<RestoreId>> {
        let sql = "SELECT trimmed_by FROM messages WHERE session_id = ?1 AND id = ?2";
        let found = self.read(|c| read::one(c, sql, values![id.as_str(), message.as_str()], Row::optional))?;
        Ok(found.flatten().map(RestoreId))
    }

    fn insert_checkpoint(&self, new: &Checkpoint) -> Result<i64> {
        let sql = "INSERT INTO checkpoints (id, session_id, worktree_id, kind, anchor_seq, commit_oid, tree_oid,
                   index_tree_oid, head_oid, head_ref, label, uncovered, retired_by, created_at, index_left,
                   batch, place)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
        let uncovered = read::json(&new.uncovered)?;
        self.write(Scope::Worktree(&new.worktree_id), |c| {
            let place = turns::next(c, "places", &new.worktree_id)?;
            let values = values![
                new.id.as_str(),
                new.session_id.as_str(),
                &new.worktree_id,
                new.kind.as_str(),
                new.anchor_seq,
                new.commit_oid.as_str(),
                new.tree_oid.as_str(),
                new.index_tree_oid.as_ref().map(Oid::as_str),
                new.head_oid.as_ref().map(Oid::as_str),
                new.head_ref.as_deref(),
                &new.label,
                &uncovered,
                new.retired_by.as_ref().map(RestoreId::as_str),
                new.created_at,
                new.index_left.map(IndexLeft::as_str),
                new.batch.as_deref(),
                place,
            ];
            c.execute(sql, values)?;
            Ok(place)
        })
    }

    fn note_step(&self, id: &CheckpointId, note: &StepNote) -> Result<()> {
        let sql = "UPDATE checkpoints SET step = ?2 WHERE id = ?1";
        let note = read::json(note)?;
        match self.write(Scope::Checkpoint(id), |c| c.execute(sql, values![id.as_str(), &note]))? {
            0 => Err(missing("checkpoint", id.as_str())),
            _ => Ok(()),
        }
    }

    fn checkpoint(&self, session: &SessionId, id: &CheckpointId) -> Result<Option<Checkpoint>> {
        self.read(|c| read::checkpoint(c, session, id))
    }

    fn list(&self, session: &SessionId, filter: ListFilter) -> Result<Vec<Checkpoint>> {
        let visible = if filter.retired { "" } else { "AND retired_by IS NULL" };
        let sql = format!("{} WHERE session_id = ?1 {visible} ORDER BY anchor_seq, place", read::CHECKPOINT);
        self.read(|c| read::all(c, &sql, values![session.as_str()], read::checkpoint_row))
    }

    fn anchored(&self, session: &SessionId, seq: i64) -> Result<Vec<Checkpoint>> {
        let sql = format!("{} WHERE session_id = ?1 AND anchor_seq = ?2 ORDER BY place", read::CHECKPOINT);
        self.read(|c| read::all(c, &sql, values![session.as_str(), seq], read::checkpoint_row))
    }

    fn newest(&self, session: &SessionId) -> Result<Option<Checkpoint>> {
        let which = "worktree_id = (SELECT worktree_id FROM sessions WHERE id = ?1)
                     AND retired_by IS NULL AND kind NOT IN ('safety', 'plan', 'step') AND (session_id = ?1 OR kind = 'end')";
        let sql = format!("{} WHERE {which} ORDER BY place DESC LIMIT 1", read::CHECKPOINT);
        self.read(|c| read::one(c, &sql, values![session.as_str()], read::checkpoint_row))
    }

    fn checkpoints_of(&self, worktree_id: &str) -> Result<Vec<Checkpoint>> {
        let sql = format!("{} WHERE worktree_id = ?1 ORDER BY place", read::CHECKPOINT);
        self.read(|c| read::all(c, &sql, values![worktree_id], read::checkpoint_row))
    }

    fn delete_checkpoints(&self, worktree_id: &str, ids: &[CheckpointId]) -> Result<()> {
        let sql = "DELETE FROM checkpoints WHERE worktree_id = ?1 AND id = ?2";
        self.write(Scope::Worktree(worktree_id), |c| {
            ids.iter().try_for_each(|id| c.execute(sql, values![worktree_id, id.as_str()]).map(drop))
        })
    }

    fn begin_restore(&self, restore: &NewRestore) -> Result<BeginOutcome> {
        self.write(Scope::Session(&restore.session_id), |c| restores::begin(c, restore))
    }

    fn restore(&self, id: &RestoreId) -> Result<Option<Restore>> {
        let sql = format!("{} WHERE id = ?1", read::RESTORE);
        self.read(|c| read::one(c, &sql, values![id.as_str()], read::restore_row))
    }

    fn restore_by_key(&self, session: &SessionId, key: &str) -> Result<Option<Restore>> {
        self.read(|c| restores::by_key(c, session, key))
    }

    fn last_done(&self, session: &SessionId) -> Result<Option<Restore>> {
        let sql = format!("{} WHERE session_id = ?1 AND phase = 'done' ORDER BY begun DESC LIMIT 1", read::RESTORE);
        self.read(|c| read::one(c, &sql, values![session.as_str()], read::restore_row))
    }

    fn done_after(&self, session: &SessionId, after: Option<&RestoreId>) -> Result<Vec<Restore>> {
        self.read(|c| restores::done_after(c, session, after))
    }

    fn restores_before(&self, session: &SessionId, before: Option<&RestoreId>, most: i64) -> Result<Vec<Restore>> {
        let which = "session_id = ?1 AND (?2 IS NULL OR begun < (SELECT begun FROM restores WHERE id = ?2))";
        let sql = format!("{} WHERE {which} ORDER BY begun DESC LIMIT ?3", read::RESTORE);
        let values = values![session.as_str(), before.map(RestoreId::as_str), most];
        self.read(|c| read::all(c, &sql, values, read::restore_row))
    }

    fn advance(&self, id: &RestoreId, from: Phase, to: Phase, patch: &Patch) -> Result<()> {
        self.write(Scope::Restore(id), |c| restores::advance(c, id, from, to, patch))
    }

    fn commit_restore(&self, id: &RestoreId, now: i64) -> Result<RestoreOutcome> {
        self.write(Scope::Restore(id), |c| restores::commit(c, id, now))
    }

    fn open_restores(&self) -> Result<Vec<Restore>> {
        self.read(restores::open)
    }

    fn restores_of(&self, worktree_id: &str) -> Result<Vec<Restore>> {
        let sql = format!("{} WHERE worktree_id = ?1 ORDER BY begun", read::RESTORE);
        self.read(|c| read::all(c, &sql, values![worktree_id], read::restore_row))
    }

    fn undelivered_resets(&self) -> Result<Vec<(SessionId, i64)>> {
        let sql = "SELECT session_id, generation FROM backend_resets WHERE delivered_at IS NULL ORDER BY session_id, generation";
        self.read(|c| read::all(c, sql, &[], |row| Ok((SessionId(row.text()?), row.int()?))))
    }

    fn reset_delivered(&self, session: &SessionId, generation: i64, now: i64) -> Result<()> {
        let sql = "UPDATE backend_resets SET delivered_at = ?3 WHERE session_id = ?1 AND generation = ?2 AND delivered_at IS NULL";
        let values = values![session.as_str(), generation, now];
        self.write(Scope::Session(session), |c| c.execute(sql, values).map(drop))
    }

    fn needed_checkpoints(&self, now: i64) -> Result<HashSet<CheckpointId>> {
        self.database.run(Mode::Snapshot, |c| restores::needed(c, now))
    }

    fn prune_candidates(&self, retention: &Retention, now: i64) -> Result<Vec<Checkpoint>> {
        let sql = format!("{} ORDER BY place, id", read::CHECKPOINT);
        let hidden = "SELECT id, updated_at FROM restores WHERE phase = 'done'";
        let (needed, all, hidden) = self.database.run(Mode::Snapshot, |c| {
            let hidden = read::all(c, hidden, &[], |row| Ok((RestoreId(row.text()?), row.int()?)))?;
            let mut needed = restores::needed(c, now)?;
            needed.extend(restores::of_turns(c)?);
            Ok((needed, read::all(c, &sql, &[], read::checkpoint_row)?, hidden))
        })?;
        Ok(retention::candidates(retention, all, &needed, &hidden.into_iter().collect(), now))
    }

    fn delete_trimmed(&self, before: i64, worktree_id: &str) -> Result<u64> {
        let which = "worktree_id = ?2 AND phase = 'done' AND updated_at < ?1";
        let sql = format!("DELETE FROM messages WHERE trimmed_by IN (SELECT id FROM restores WHERE {which})");
        self.write(Scope::Worktree(worktree_id), |c| {
            let with_prompt = format!("{} WHERE {which} AND result LIKE '%\"prompt\":\"%'", read::RESTORE);
            for row in read::all(c, &with_prompt, values![before, worktree_id], read::restore_row)? {
                turns::clear_prompt(c, row)?;
            }
            c.execute(&sql, values![before, worktree_id])
        })
    }

    fn clear_old_texts(&self, worktree_id: &str, retention: &Retention, now: i64) -> Result<u64> {
        self.write(Scope::Worktree(worktree_id), |c| {
            let ages = read::all(c, read::TURN_AGES, values![worktree_id], read::turn_age)?;
            let mut cleared = 0;
            for (session, from, to) in retention::old_texts(retention, ages, now) {
                let texts = turns::texts(c, &session, from, to)?;
                if texts > 0 {
                    turns::clear(c, &session, from, to)?;
                }
                cleared += texts;
            }
            Ok(cleared)
        })
    }

    fn purge(&self) -> Result<()> {
        self.database.purge()
    }
}
