//! The conformance suite on a Postgres server, and connections that break.

use std::cell::RefCell;

use fuzzy_checkpoint_store::{Error, open};
use fuzzy_testkit::postgres::Schema;

use crate::{check_other, conformance, refusal};

#[test]
fn postgres_conforms() {
    let kept = RefCell::new(Vec::new());
    if Schema::new().is_none() {
        return;
    }
    conformance::all(&|| {
        let schema = Schema::new().expect("a schema");
        let store = open(&schema.url()).expect("opened");
        kept.borrow_mut().push(schema);
        store
    });
}

#[test]
fn postgres_conforms_when_two_services_share_it() {
    let Some(schema) = Schema::new() else { return };
    let open = || open(&schema.url()).expect("opened");
    conformance::opened_at_once(&open);
    conformance::two_at_once(&*open(), &*open());
}

#[test]
fn another_version_on_postgres_is_refused() {
    let Some(schema) = Schema::new() else { return };
    drop(open(&schema.url()).expect("made"));
    for version in [11, 99] {
        let sql = format!("UPDATE schema_migrations SET version = {version}");
        schema.client().batch_execute(&sql).expect("written");
        check_other(open(&schema.url()), version);
    }
}

#[test]
fn postgres_connections_that_broke_are_replaced() {
    let Some(schema) = Schema::new() else { return };
    let store = open(&schema.url()).expect("opened");
    assert_eq!(store.worktrees().expect("read").len(), 0);
    for _ in 0..3 {
        schema.cut();
        assert_eq!(store.worktrees().expect("an idle connection that broke is replaced").len(), 0);
    }
    // The connection breaks while a statement waits for a lock.
    conformance::one_worktree(&*store);
    let mut holder = schema.client();
    let mut held = holder.transaction().expect("begun");
    held.execute("SELECT id FROM worktrees FOR UPDATE", &[]).expect("locked");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| store.take_lease(conformance::TREE, "me", 1, 2));
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%'
                       AND application_name = current_setting('application_name')";
        let mut looks = schema.client();
        while looks.query_one(waiting, &[]).expect("answered").get::<_, i64>(0) == 0 {}
        drop(looks);
        let waiters = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                       AND application_name = current_setting('application_name')";
        held.execute(waiters, &[]).expect("cut");
        let lost = waits.join().expect("no panic").expect_err("its connection broke");
        assert!(lost.to_string().contains("the connection was lost"), "{lost}");
    });
    held.rollback().expect("let go");
    assert!(store.take_lease(conformance::TREE, "me", 1, 2).expect("the next one works"));
}

#[test]
fn postgres_limits_waits_and_reports_their_cause() {
    let Some(schema) = Schema::new() else { return };
    // Other tests may create their tables for longer than this one waits.
    drop(open(&schema.url()).expect("made"));
    let store = open(&format!("{}%20-clock_timeout%3D50ms", schema.url())).expect("opened");
    conformance::one_worktree(&*store);
    let mut holder = schema.client();
    let mut held = holder.transaction().expect("begun");
    held.execute("SELECT id FROM worktrees FOR UPDATE", &[]).expect("locked");
    let refused = store.take_lease(conformance::TREE, "me", 1, 2).expect_err("locked");
    assert!(refused.to_string().contains("another service has locked this worktree for too long"), "{refused}");
    // More threads than connections all succeed.
    std::thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| store.worktrees().expect("read"));
        }
    });
}

#[test]
fn a_full_disk_of_postgres_is_reported() {
    let Some(schema) = Schema::new() else { return };
    let store = open(&schema.url()).expect("opened");
    conformance::one_worktree(&*store);
    store.create_session(&"s".into(), conformance::TREE, "t", 1).expect("made");
    // A trigger raises the server's error for a full disk.
    let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER full_disk BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION full_disk();";
    schema.client().batch_execute(full).expect("made");
    assert!(matches!(store.begin_turn(&"s".into(), "one", 2), Err(Error::Full)));
    assert_eq!(store.messages(&"s".into()).expect("read"), [], "the statements before it are rolled back");
    schema.client().batch_execute("DROP TRIGGER full_disk ON sessions").expect("dropped");
    store.begin_turn(&"s".into(), "one", 2).expect("there is space again");
}

#[test]
fn postgres_has_no_text_of_forgotten_turns() {
    let Some(schema) = Schema::new() else { return };
    let store = open(&schema.url()).expect("opened");
    conformance::one_worktree(&*store);
    let word = "quetzalcoatl";
    store.create_session(&"s".into(), conformance::TREE, "t", 1).expect("made");
    conformance::told(&*store, &"s".into(), word);
    let columns = "SELECT table_name, column_name FROM information_schema.columns
                   WHERE table_schema = current_schema() AND data_type = 'text'";
    let with_word = || {
        let mut client = schema.client();
        let all = client.query(columns, &[]).expect("listed");
        let all = all.iter().map(|row| (row.get::<_, String>(0), row.get::<_, String>(1)));
        let count = |(table, column): &(String, String)| {
            let sql = format!("SELECT count(*) FROM {table} WHERE {column} LIKE '%{word}%'");
            client.query_one(&sql, &[]).expect("counted").get::<_, i64>(0) > 0
        };
        let mut found: Vec<String> = all.filter(count).map(|(table, column)| format!("{table}.{column}")).collect();
        found.sort();
        found
    };
    assert_eq!(with_word(), ["checkpoints.label", "messages.body", "messages.extra", "restores.result"]);
    let all = store.checkpoints_of(conformance::TREE).expect("listed").into_iter().map(|row| row.id);
    store.delete_checkpoints(conformance::TREE, &all.collect::<Vec<_>>()).expect("deleted");
    store.clear_texts(&"s".into(), 0, i64::MAX).expect("cleared");
    store.purge().expect("purged");
    assert_eq!(with_word(), [""; 0]);
}

/// Returns the error of opening a database, and checks that it does not contain the password.
fn refusal_without_secret(url: &str) -> String {
    let refusal = refusal(url);
    assert!(!refusal.contains("secret"), "{refusal}");
    refusal
}

#[test]
fn errors_do_not_contain_the_password_of_a_postgres_url() {
    assert!(
        refusal_without_secret("postgres://u:secret@127.0.0.1:1/name").contains("no connection to name on 127.0.0.1")
    );
    for unreadable in ["u:top@secret@127.0.0.1:1/name", "u:a@b/secret@127.0.0.1/name", "u:x@127.0.0.1:secret/name"] {
        assert!(refusal_without_secret(&format!("postgres://{unreadable}")).contains("cannot be read"));
    }
    assert!(refusal_without_secret("postgres://u:top#secret%zz@127.0.0.1:1/name?secret=1").contains("cannot be read"));
    assert!(refusal_without_secret("postgres://u:secret@203.0.113.1/name").contains("not encrypted"));
    assert!(matches!(open("postgres://"), Err(Error::Database(_))));
}
