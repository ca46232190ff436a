//! The conformance suite on every database, and tests of single databases.

mod conformance;
#[cfg(feature = "postgres")]
mod postgres;

use std::sync::Arc;

use rusqlite::Connection;

use fuzzy_checkpoint_store::{CheckpointStore, Error, WorktreeRow, in_memory, open};

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

/// Checks that a database of another version is refused, and that the message names both.
fn check_other(refused: Result<Arc<dyn CheckpointStore>, Error>, version: i64) {
    let refused = refused.err().expect("refused");
    assert!(matches!(refused, Error::OtherVersion { found, .. } if found == version), "{refused}");
    let says = format!("the database has version {version}, and this program uses version 14");
    assert_eq!(refused.to_string(), says);
}

#[test]
fn a_database_of_another_version_is_refused_and_not_changed() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("state.db");
    let target = path.to_str().expect("UTF-8");
    drop(open(target).expect("made"));
    for version in [11, 99] {
        let other = Connection::open(&path).expect("opened");
        other.execute("UPDATE schema_migrations SET version = ?1", [version]).expect("written");
        drop(other);
        let before = std::fs::read(&path).expect("read");
        check_other(open(target), version);
        assert_eq!(std::fs::read(&path).expect("read"), before);
    }
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
