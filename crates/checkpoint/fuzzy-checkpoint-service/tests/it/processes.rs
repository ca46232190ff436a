//! Counts the git processes of an operation.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use fuzzy_checkpoint::{Detail, DiffOptions};
use fuzzy_checkpoint_service::{Checkpointer, CreateOptions};
use fuzzy_checkpoint_store::{RestoreOptions, Trim};

use crate::support::Place;

/// The most git processes of a restore, its safety capture included.
const MOST: usize = 8;
/// Those that an undo starts before: its plan captures the files, too.
const PLAN: usize = 3;

/// Returns a service that logs every git call, and a function that returns and clears the log.
fn counted(place: &Place) -> (Checkpointer, impl Fn() -> Vec<String> + use<>) {
    let log = place.0.join("calls");
    let service = place.service_that(&format!("echo \"$*\" >>'{}'", log.display()));
    let calls = move || {
        let text = fs::read_to_string(&log).unwrap_or_default();
        let _ = fs::remove_file(&log);
        text.lines().map(str::to_owned).collect()
    };
    (service, calls)
}

#[test]
fn a_restore_of_a_few_files_starts_few_processes() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let (service, calls) = counted(&place);
    let fill = |text: &str| (0..5).for_each(|number| place.write(&format!("dir/file{number}"), text));
    fill("then");
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    let then = place.files();
    fill("now");
    let now = place.files();
    calls();
    let options = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let done = service.restore(&session, &target, options, None).expect("restored");
    let (started, restored) = (calls(), place.files());
    service.undo(&done.restore_id.as_str().into(), None).expect("undone");
    let undone = calls();
    assert_eq!((restored, place.files()), (then, now));
    assert!(started.len() <= MOST, "a restore started {}: {started:#?}", started.len());
    assert!(undone.len() <= MOST + PLAN, "an undo started {}: {undone:#?}", undone.len());
}

#[test]
fn diffs_of_a_plan_and_of_a_running_turn_need_no_further_capture() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let (service, calls) = counted(&place);
    let session = service.create_session(&place.root(), "t").expect("created");
    let turn = service.begin_turn(&session, "go").expect("begun");
    place.write("a.txt", "changed\n");
    let patch = DiffOptions { paths: vec!["a.txt".into()], detail: Detail::Patch, renames: true };
    let captures = |calls: &[String]| calls.iter().filter(|call| call.starts_with("status ")).count();

    calls();
    let (changes, trees) = service.turn_changes_between(&session, &turn.id).expect("compared");
    let looked = calls();
    let so_far = service.diff_trees(&session, &trees.expect("both trees"), &patch).expect("compared");
    assert_eq!((captures(&looked), changes.running, changes.files.len()), (1, true, 1), "{looked:#?}");
    assert!(String::from_utf8_lossy(&so_far.patch).contains("\n+changed\n"));
    assert_eq!(captures(&calls()), 0);

    let options = RestoreOptions { force: true, ..RestoreOptions::default() };
    let id = turn.checkpoint.expect("taken").checkpoint.id;
    let (plan, trees) = service.preview_between(&session, &id, &options).expect("planned");
    let looked = calls();
    let back = service.diff_trees(&session, &trees.expect("both trees"), &patch).expect("compared");
    assert_eq!((captures(&looked), plan.files.len()), (1, 1), "{looked:#?}");
    assert!(String::from_utf8_lossy(&back.patch).contains("\n-changed\n"));
    let looked = calls();
    assert!(captures(&looked) == 0 && looked.len() <= 3, "{looked:#?}");
}

/// The changes: files created, deleted and with other modes, directories that become files and back, and ignore rules
/// of several directories.
#[test]
fn a_restore_of_every_kind_of_change_starts_few_processes() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let log = place.0.join("calls");
    let service = place.service_that(&format!("echo \"$*\" >>'{}'", log.display()));
    let path = |name: &str| place.root().join(name);
    let mode = |name: &str, bits| fs::set_permissions(path(name), fs::Permissions::from_mode(bits)).expect("set");
    for name in ["edited", "dir/file", "dir/deep/file", "was/a/directory", "was-a-file", "secret", "run"] {
        place.write(name, "then\n");
    }
    place.write("dir/.gitignore", "*.log\n");
    mode("secret", 0o600);
    mode("run", 0o755);
    fs::create_dir(path("empty")).expect("created");
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    let then = place.files();
    place.write("edited", "now\n");
    fs::remove_dir_all(path("was")).expect("removed");
    place.write("was", "a file now\n");
    fs::remove_file(path("was-a-file")).expect("removed");
    for name in ["was-a-file/new", "empty/new", "dir/deep/new", "late/new", "late/deep/new", "secret.txt"] {
        place.write(name, "now\n");
    }
    for name in ["secret", "dir/file"] {
        fs::remove_file(path(name)).expect("removed");
    }
    mode("run", 0o644);
    let now = place.files();
    let _ = fs::remove_file(&log);
    let options = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let done = service.restore(&session, &target, options, None).expect("restored");
    let started = fs::read_to_string(&log).expect("calls");
    let _ = fs::remove_file(&log);
    assert_eq!((place.files(), path("empty").is_dir()), (then, true));
    service.undo(&done.restore_id.as_str().into(), None).expect("undone");
    let undone = fs::read_to_string(&log).expect("calls");
    assert_eq!(place.files(), now);
    // One more if a second ended between the writing of `run` and its new mode: its time is older than its change then, and
    // git is asked for it again.
    for (started, most) in [(started, MOST + 1), (undone, MOST + PLAN + 1)] {
        assert!(started.lines().count() <= most, "{} were started:\n{started}", started.lines().count());
    }
}
