//! The conformance suite on every database, and tests of single databases.

#[cfg(feature = "postgres")]
mod postgres;

use std::sync::Arc;

use rusqlite::Connection;

use crate::{CheckpointStore, Error, SessionState, WorktreeRow, conformance, in_memory, open};

#[test]
fn conforms_in_memory() {
    conformance::all(&|| in_memory().expect("opened"));
}

#[test]
fn conforms_in_a_file_shared_by_two_connections() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("state.db");
    let open = || open(path.to_str().expect("UTF-8")).expect("opened");
    conformance::opened_at_once(&open);
    conformance::two_at_once(&*open(), &*open());
}

/// The schema of programs without migrations.
const OLD: &str = "
    INSERT INTO worktrees VALUES ('w', '/r/.git', '/r', 'sha1', NULL, 0, 1);
    INSERT INTO sessions VALUES ('idle', 'w', 'codex s1', 'idle', 0, 3, 1), ('runs', 'w', 'codex and more', 'running', 0, 4, 1),
        ('empty', 'w', 't', 'running', 0, 1, 1), ('stops', 'w', 't', 'restoring', 0, 2, 1);
    INSERT INTO messages VALUES ('m1', 'idle', 1, 'user', 'complete', 'a', NULL, 1),
        ('m2', 'idle', 2, 'assistant', 'complete', 'b', NULL, 1), ('m3', 'runs', 1, 'user', 'complete', 'c', NULL, 1),
        ('m4', 'runs', 2, 'user', 'complete', 'd', NULL, 1), ('m5', 'runs', 3, 'assistant', 'streaming', 'e', NULL, 1),
        ('m6', 'stops', 1, 'user', 'complete', 'f', NULL, 1);
    INSERT INTO restores VALUES ('r', 'stops', 'w', 'c', NULL, 'k', '{\"force\":true}', 'begun', '{}', NULL, 1, 1);";

/// Returns the SQL of an old database.
fn old() -> String {
    [include_str!("../../migrations/0001-first.sql"), OLD].concat()
}

/// Checks the rows after the migration.
fn check_old(store: &dyn CheckpointStore) {
    let turns: Vec<_> = ["idle", "runs", "empty", "stops"]
        .into_iter()
        .map(|id| store.session(&id.into()).expect("read").expect("there"))
        .map(|session| (session.state, session.turn.map(|turn| turn.0)))
        .collect();
    assert_eq!(
        turns,
        [
            (SessionState::Idle, None),
            (SessionState::Running, Some("m4".to_owned())),
            (SessionState::Idle, None),
            (SessionState::Restoring, Some("m6".to_owned()))
        ]
    );
    assert_eq!(store.messages(&"runs".into()).expect("listed").len(), 3);
    assert!(store.restore(&"r".into()).expect("read").expect("there").options.force);
    let turns = store.turns_of("w").expect("listed").into_iter();
    let turns: Vec<_> = turns.map(|turn| (turn.prompt.id.0, turn.number, turn.place)).collect();
    let expected = [("m1", 1, 1), ("m3", 2, 2), ("m4", 3, 3), ("m6", 4, 4)];
    assert_eq!(turns, expected.map(|(id, number, place)| (id.to_owned(), number, place)));
    let hosts = ["idle", "runs"].map(|id| store.session(&id.into()).expect("read").expect("there").host);
    assert_eq!(hosts, [Some("codex".to_owned()), None]);
}

fn check_newer(refused: Result<Arc<dyn CheckpointStore>, Error>) {
    let refused = refused.err().expect("refused");
    assert!(matches!(refused, Error::Newer { found: 99, .. }), "{refused}");
}

#[test]
fn a_database_without_a_version_is_migrated() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("state.db");
    Connection::open(&path).expect("opened").execute_batch(&old()).expect("made");
    for _ in 0..2 {
        check_old(&*open(path.to_str().expect("UTF-8")).expect("opened"));
    }
}

#[test]
fn a_newer_database_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("state.db");
    let target = path.to_str().expect("UTF-8");
    drop(open(target).expect("made"));
    let newer = Connection::open(&path).expect("opened");
    newer.execute("INSERT INTO schema_migrations (version) VALUES (99)", []).expect("written");
    check_newer(open(target));
}

/// Returns the error of opening a database.
fn refusal(target: &str) -> String {
    open(target).err().expect("refused").to_string()
}

#[test]
fn files_and_urls_that_are_not_databases_are_refused() {
    assert!(refusal("mysql://root:secret@localhost/x").starts_with("database: mysql:// is not a supported database"));
    assert!(!refusal("mysql://root:secret@localhost/x").contains("secret"));
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("text"), "This is no database, but a text of some length.").expect("written");
    assert!(refusal(dir.path().join("text").to_str().expect("UTF-8")).contains("it is not a database"));
    assert!(!refusal(dir.path().join("no/such/dir").to_str().expect("UTF-8")).is_empty());
    let foreign = dir.path().join("foreign.db");
    let made = "CREATE TABLE sessions (cookie TEXT); CREATE TABLE secret_plans (text TEXT)";
    Connection::open(&foreign).expect("opened").execute_batch(made).expect("made");
    let before = std::fs::read(&foreign).expect("read");
    assert_eq!(refusal(foreign.to_str().expect("UTF-8")), "the database cannot be used: it belongs to another program");
    assert_eq!(std::fs::read(&foreign).expect("read"), before, "nothing is written to it");
    if cfg!(not(feature = "postgres")) {
        assert!(refusal("postgres://u:secret@localhost/x").ends_with("build it with the feature `postgres`"));
    }
}

fn worktree(id: &str) -> WorktreeRow {
    let [git_dir, root] = ["git", "root"].map(|dir| format!("/{id}/{dir}"));
    WorktreeRow { id: id.to_owned(), git_dir, root, object_format: "sha1".to_owned(), store: String::new() }
}

#[test]
fn a_removed_file_is_used_again_once_it_is_back() {
    let dir = tempfile::tempdir().expect("a directory");
    let [path, away] = ["state.db", "away"].map(|name| dir.path().join(name));
    let store = open(path.to_str().expect("UTF-8")).expect("opened");
    store.put_worktree(&worktree("one"), 1).expect("written");
    std::fs::rename(&path, &away).expect("moved");
    let refused = store.worktrees().expect_err("it is not there").to_string();
    assert!(refused.contains("was removed or replaced"), "{refused}");
    assert!(!path.exists(), "no file is created in its place");
    // Another file in its place is not changed, because the log beside it belongs to the first one.
    std::fs::write(&path, "another").expect("written");
    assert!(store.worktrees().is_err());
    assert_eq!(std::fs::read(&path).expect("read"), b"another");
    std::fs::rename(&away, &path).expect("moved back");
    assert_eq!(store.worktrees().expect("read").len(), 1);
    store.put_worktree(&worktree("two"), 1).expect("written");
    assert_eq!(open(path.to_str().expect("UTF-8")).expect("opened").worktrees().expect("read").len(), 2);
}

#[test]
fn a_damaged_file_is_reported() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("state.db");
    let target = path.to_str().expect("UTF-8");
    open(target).expect("opened").put_worktree(&worktree("one"), 1).expect("written");
    let good = std::fs::read(&path).expect("read");
    assert!(!dir.path().join("state.db-wal").exists(), "the log is merged into the file");
    for (from, says) in [(0, "it is not a database, or it is damaged"), (100, "it is damaged")] {
        let mut bad = good.clone();
        bad[from..].fill(0xaa);
        std::fs::write(&path, bad).expect("written");
        assert_eq!(refusal(target), format!("the database cannot be used: {says}"));
    }
}

#[test]
fn a_file_locked_by_another_program_is_busy() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("state.db");
    let store = open(path.to_str().expect("UTF-8")).expect("opened");
    store.put_worktree(&worktree("one"), 1).expect("written");
    let other = Connection::open(&path).expect("opened");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    assert_eq!(store.worktrees().expect("read past it").len(), 1);
    let third = open(path.to_str().expect("UTF-8")).expect("opened beside it");
    assert_eq!(third.worktrees().expect("read past it").len(), 1);
    let refused = store.put_worktree(&worktree("two"), 1).expect_err("locked");
    assert!(matches!(refused, Error::Busy), "{refused}");
    other.execute_batch("ROLLBACK").expect("unlocked");
    store.put_worktree(&worktree("two"), 1).expect("written");
}

/// Fills a session with rows of many sizes that grow and vanish, so that they move between pages.
fn fill(path: &std::path::Path, seed: u64) {
    let mut state = seed;
    let mut below = |limit: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 33).unwrap_or_default() % limit
    };
    let mut connection = Connection::open(path).expect("opened");
    connection.pragma_update(None, "secure_delete", "ON").expect("set");
    let rows = connection.transaction().expect("begun");
    for number in 0..400_u32 {
        let length = [5, 50, 300, 900, 3000, 6000][below(6) as usize];
        let body = format!("quetzalcoatl {}", "p".repeat(length));
        let sql = "INSERT INTO messages (id, session_id, seq, role, status, body, created_at)
                   VALUES (?1, 's', ?2, 'user', 'complete', ?3, 1)";
        rows.execute(sql, rusqlite::params![format!("{number:04}"), number, body]).expect("inserted");
        let sql = "UPDATE messages SET outside = ?1 WHERE seq = ?2";
        let grown = "x".repeat(below(400) as usize);
        rows.execute(sql, rusqlite::params![grown, below(number + 1)]).expect("grown");
        if below(10) == 0 {
            rows.execute("DELETE FROM messages WHERE seq = ?1", [below(number + 1)]).expect("deleted");
        }
    }
    rows.commit().expect("committed");
}

#[test]
fn deleted_texts_are_nowhere_in_the_file() {
    let mut left = 0;
    for seed in 0..30 {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("state.db");
        let store = open(path.to_str().expect("UTF-8")).expect("opened");
        store.put_worktree(&worktree("one"), 1).expect("written");
        store.create_session(&"s".into(), "one", "t", 1).expect("made");
        fill(&path, seed);
        let found = || {
            let all = std::fs::read_dir(dir.path()).expect("read").map(|entry| entry.expect("read").path());
            let texts = all.map(|path| std::fs::read(path).expect("read"));
            texts.map(|bytes| bytes.windows(12).filter(|part| *part == b"quetzalcoatl").count()).sum::<usize>()
        };
        assert!(found() >= 200);
        // Another program has the database open.
        let other = open(path.to_str().expect("UTF-8")).expect("opened");
        assert!(other.worktrees().expect("read").len() == 1);
        assert!(store.clear_texts(&"s".into(), 0, i64::MAX).expect("cleared") > 200);
        let log = Connection::open(&path).expect("opened");
        log.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("merged");
        left += found();
        store.purge().expect("purged");
        assert_eq!(found(), 0, "{seed}");
    }
    assert!(left > 0, "the library overwrites all of them: no purge is needed");
}
