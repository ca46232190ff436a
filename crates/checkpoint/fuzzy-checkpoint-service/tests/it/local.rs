//! The session of manual checkpoints, its database, and plans that fail in the same cases as the restore.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, MANUAL, NoBackend, Settings};
use fuzzy_checkpoint_store::{HeadMode, ListFilter, RestoreOptions};

use crate::support::Place;

#[test]
fn concurrent_callers_get_one_manual_session() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let root = place.root();
    assert_eq!(place.service().find_session(&root, MANUAL).expect("answered"), None);
    let found: Vec<_> = std::thread::scope(|scope| {
        let open = || place.service().session_titled(&root, MANUAL).expect("made");
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        threads.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    assert!(found.iter().all(|id| *id == found[0]), "{found:?}");
    assert_eq!(place.service().find_session(&root.join("dir"), MANUAL).expect("answered").as_ref(), Some(&found[0]));
}

#[test]
fn the_state_directory_is_private_and_shared_by_all_its_services() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let state = place.0.join("deep/state");
    let open = || Checkpointer::open(&state, None, Arc::new(NoBackend), Settings::default()).expect("opened");
    let session = open().session_titled(&place.root(), MANUAL).expect("made");
    let taken = open().create(&session, &CreateOptions::default()).expect("taken");
    let listed = open().list(&session, ListFilter::default()).expect("listed");
    assert_eq!(listed.iter().map(|row| &row.id).collect::<Vec<_>>(), [&taken.checkpoint.id]);
    let mode = std::fs::metadata(&state).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    assert!(state.join("state.db").is_file());
}

#[test]
fn a_plan_fails_in_the_same_cases_as_the_restore() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("made");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    let options = RestoreOptions { head: HeadMode::Restore, ..RestoreOptions::default() };
    service.plan(&session, &target, &options).expect("nothing is in the way");
    place.git(&["checkout", "-q", "-b", "other"]);
    place.git(&["commit", "-q", "--allow-empty", "-m", "on it"]);
    // The branch of the checkpoint moves, too.
    place.git(&["branch", "-q", "-f", "@{-1}", "HEAD"]);
    let code =
        |options: &RestoreOptions| service.plan(&session, &target, options).expect_err("refused").code().as_str();
    assert_eq!(code(&options), "head_mismatch");
    let _turn = service.begin_turn(&session, "one").expect("begun");
    assert_eq!(code(&RestoreOptions::default()), "agent_running");
    let forced = RestoreOptions { force: true, ..RestoreOptions::default() };
    service.plan(&session, &target, &forced).expect("it would be stopped");
}
