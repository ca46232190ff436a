//! Restores follow their plans and leave the turns of other sessions alone.

use std::fs;

use fuzzy_checkpoint_service::{CreateOptions, Error};
use fuzzy_checkpoint_store::{MessageStatus, RestoreId, RestoreOptions, TurnId, ulid};
use fuzzy_report::Surface;

use super::new_place;
use crate::support::{Place, turn};

fn place() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    (dir, place)
}

#[test]
fn a_file_saved_after_the_plan_prevents_the_restore() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    place.write("a.txt", "agent\n");
    place.write("dir/b.txt", "agent\n");
    let plan = |options: &RestoreOptions| service.preview(&session, &target, options).expect("planned");
    let seen = RestoreOptions { seen: plan(&RestoreOptions::default()).tree, ..RestoreOptions::default() };
    assert!(seen.seen.is_some());
    place.write("a.txt", "saved while the plan was read\n");
    let files = place.files();
    let refused = service.restore(&session, &target, seen.clone(), None).expect_err("it is another plan");
    let failure = refused.failure(Surface::Server);
    assert_eq!((failure.code.as_str(), failure.details.paths), ("plan_changed", vec!["a.txt".into()]));
    assert_eq!(place.files(), files);
    let elsewhere = RestoreOptions { paths: vec!["dir".into()], ..seen };
    service.restore(&session, &target, elsewhere, None).expect("dir is unchanged");
    let again = RestoreOptions { seen: plan(&RestoreOptions::default()).tree, ..RestoreOptions::default() };
    service.restore(&session, &target, again, None).expect("nothing changed");
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"alpha\n");
}

#[test]
fn a_running_agent_of_another_session_is_named_and_its_turn_goes_on() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let other = service.create_session(&place.root(), "another").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    place.write("a.txt", "before the other's turn\n");
    let running = service.begin_turn(&other, "work").expect("begun");
    let whole = RestoreOptions::default();
    let plan = service.preview(&session, &target, &whole).expect("planned");
    assert_eq!(plan.agents_running, std::slice::from_ref(&other));
    let refused = service.restore(&session, &target, whole.clone(), None).expect_err("it may be writing");
    assert!(matches!(&refused, Error::AgentRunning { session } if *session == other), "{refused:?}");
    let forced = RestoreOptions { force: true, ..whole };
    service.restore(&session, &target, forced, None).expect("restored");
    place.write("dir/b.txt", "by the agent\n");
    service.end_turn(&other, &running.id, MessageStatus::Complete).expect("ended");
    let changes = service.turn_changes(&other, &running.id).expect("answered");
    let names: Vec<String> = changes.files.iter().map(|file| file.path.to_string()).collect();
    assert_eq!((names, changes.uncompared), (vec!["dir/b.txt".to_owned()], None), "not what the restore changed");
}

#[test]
fn files_that_only_restores_captured_are_dropped_once_ignored() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    place.write(".gitignore", "*.ignored\nmodules/\n.env\n");
    for name in ["modules/a", "modules/b", ".env"] {
        place.write(name, "precious\n");
    }
    let restore = || service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    let precious = || ["modules/a", "modules/b", ".env"].iter().all(|name| place.root().join(name).exists());
    for round in 0..3_u8 {
        let done = restore();
        assert!(precious() && done.files_deleted == 0, "{round}: {done:?}");
        let undone = service.undo(&RestoreId(done.restore_id), None).expect("undone");
        assert!(precious() && undone.files_deleted == 0, "{round}: {undone:?}");
        let first = [".env".into()];
        assert_eq!(
            undone.secrets,
            first[..usize::from(round == 0)],
            "{round}: the first safety capture has it, because its rule is gone"
        );
    }
    // A file of a requested checkpoint is still captured.
    restore();
    service.create(&session, &CreateOptions::default()).expect("taken");
    place.write(".gitignore", "*.ignored\nmodules/\n.env\n");
    fs::remove_file(place.root().join("modules/a")).expect("removed");
    let later = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    place.write("modules/a", "new\n");
    let done = service.restore(&session, &later, RestoreOptions::default(), None).expect("restored");
    assert!(!place.root().join("modules/a").exists(), "{done:?}");
}

#[test]
fn a_removed_turn_and_an_unknown_one_fail_differently() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "1\n"));
    let second = turn(&service, &session, "two", || place.write("a.txt", "2\n"));
    let target = first.checkpoint.expect("taken").checkpoint.id;
    service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    let refused = service.turn_changes(&session, &second.id).expect_err("it is gone");
    assert!(matches!(refused, Error::TakenBack { .. }), "{refused:?}");
    let refused = service.turn_changes(&session, &TurnId(ulid())).expect_err("it never was");
    assert!(matches!(refused, Error::Store(_)), "{refused:?}");
}

#[test]
fn lost_records_are_recreated_from_the_repository() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "agent\n"));
    let target = first.checkpoint.expect("taken").checkpoint;
    drop(service);
    fs::rename(place.0.join("state.db"), place.0.join("lost.db")).expect("moved");
    let service = place.service();
    let adopted = service.adopt_refs(&place.root()).expect("adopted");
    assert_eq!(adopted.len(), 2);
    assert!(service.doctor(None, false).expect("checked").is_well());
    assert!(service.adopt_refs(&place.root()).expect("again").is_empty());
    let session = service.sessions().expect("listed").remove(0).session.id;
    let found = service.show(&session, &target.id).expect("found").checkpoint;
    assert_eq!((found.tree_oid, found.head_oid), (target.tree_oid, target.head_oid));
    service.restore(&session, &target.id, RestoreOptions::default(), None).expect("restored");
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"alpha\n");
}

#[test]
fn single_hunks_are_restored_and_the_others_remain() {
    let (_dir, place) = place();
    let service = place.service();
    let lines = |change: &[(usize, &str)]| {
        let text = |number: usize| {
            change.iter().find(|(at, _)| *at == number).map_or_else(|| number.to_string(), |it| it.1.to_owned())
        };
        (0..40).map(|number| text(number) + "\n").collect::<String>()
    };
    place.write("long.txt", &lines(&[]));
    place.write("other.txt", "then\n");
    let session = service.create_session(&place.root(), "t").expect("created");
    let begun = turn(&service, &session, "one", || {
        place.write("long.txt", &lines(&[(2, "two"), (20, "twenty"), (38, "last")]));
        place.write("other.txt", "now\n");
        place.write("new.txt", "new\n");
    });
    let id = begun.checkpoint.expect("taken").checkpoint.id;
    let now = place.files();
    let plan = service.preview(&session, &id, &RestoreOptions::default()).expect("planned");
    let options = RestoreOptions { seen: plan.tree, paths: vec!["other.txt".into()], ..RestoreOptions::default() };
    let restore = |hunks: &[usize]| {
        service.restore_hunks(&session, &id, &[("long.txt".into(), hunks.to_vec())], options.clone(), Some("a key"))
    };
    assert_eq!(restore(&[3]).expect_err("there are three").code().as_str(), "missing");
    let done = restore(&[1]).expect("restored");
    assert_eq!(restore(&[1]).expect("the same again").restore_id, done.restore_id);
    let read = |name: &str| std::fs::read_to_string(place.root().join(name)).expect("read");
    assert_eq!(read("long.txt"), lines(&[(2, "two"), (38, "last")]));
    assert_eq!((read("other.txt"), read("new.txt")), ("then\n".to_owned(), "new\n".to_owned()));
    assert_eq!(service.messages(&session, 0).expect("listed").len(), 2, "the transcript is left alone");
    service.undo(&done.restore_id.as_str().into(), None).expect("undone");
    assert_eq!(place.files(), now);
    place.write("long.txt", "another save\n");
    let refused = service.restore_hunks(&session, &id, &[("long.txt".into(), vec![1])], options.clone(), None);
    assert_eq!(refused.expect_err("the file was saved").code().as_str(), "plan_changed");
    assert_eq!(read("long.txt"), "another save\n");
}
