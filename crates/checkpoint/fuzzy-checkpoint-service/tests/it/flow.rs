//! Turns, restores and undos from a user's point of view.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use fuzzy_checkpoint_service::{Backend, CreateOptions, ProcessBackend, Side, Stopped};
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, ListFilter, MessageStatus, RestoreOptions, Retention, SessionId, SessionState, Trim, ulid,
};

use super::new_place;
use crate::support::{self, Place, bodies, turn};

fn place() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    (dir, place)
}

fn id(turn: &fuzzy_checkpoint_service::Turn) -> CheckpointId {
    turn.checkpoint.as_ref().expect("taken").checkpoint.id.clone()
}

#[test]
fn a_restore_resets_files_transcript_and_backend_and_its_undo_reverts_it() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "a title").expect("created");
    turn(&service, &session, "one", || place.write("one.txt", "1\n"));
    let before = place.files();
    let second = turn(&service, &session, "two", || {
        place.write("a.txt", "changed\n");
        fs::remove_file(place.root().join("dir/b.txt")).expect("removed");
    });
    turn(&service, &session, "three", || place.write("three.txt", "3\n"));
    let after = place.files();
    let outcome = service.restore(&session, &id(&second), RestoreOptions::default(), Some("key")).expect("restored");
    assert_eq!(place.files(), before);
    assert_eq!((outcome.messages_deleted, outcome.worktree_reset, outcome.backend_reset), (3, true, true));
    assert_eq!((outcome.files_written, outcome.files_deleted), (2, 1));
    assert_eq!((outcome.index.as_str(), outcome.head.as_str(), outcome.generation), ("unchanged", "kept", 1));
    assert_eq!(bodies(&service, &session), ["one", "done", "two"]);
    assert_eq!(place.notes(), ["reset 1"]);
    let again = service.restore(&session, &id(&second), RestoreOptions::default(), Some("key")).expect("the same");
    assert_eq!(again, outcome, "the same key is the same restore");
    assert_eq!(place.notes().len(), 1);

    let undone = service.undo(&outcome.restore_id.as_str().into(), None).expect("undone");
    assert_eq!(place.files(), after);
    assert_eq!((undone.messages_deleted, undone.generation), (3, 2));
    assert_eq!(bodies(&service, &session).len(), 6);
    let again = service.undo(&undone.restore_id.as_str().into(), None).expect("done again");
    assert_eq!((place.files(), again.messages_deleted), (before, 3));
}

#[test]
fn setuid_bits_are_dropped_and_reported() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let mode = |name: &str| fs::symlink_metadata(place.root().join(name)).expect("there").permissions().mode() & 0o7777;
    let files = [("run", 0o4755), ("shared", 0o2640), ("kept", 0o1644), ("plain", 0o600), ("edited", 0o4711)];
    for (name, bits) in files {
        place.write(name, "then\n");
        fs::set_permissions(place.root().join(name), fs::Permissions::from_mode(bits)).expect("set");
    }
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    for (name, _) in &files[..4] {
        fs::remove_file(place.root().join(name)).expect("removed");
    }
    place.write("edited", "now\n");
    let edited_mode = mode("edited");
    let options = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let plan = service.preview(&session, &target, &options).expect("planned");
    let outcome = service.restore(&session, &target, options, None).expect("restored");
    let dropped: Vec<String> = outcome.bits_dropped.iter().map(ToString::to_string).collect();
    assert_eq!(dropped, ["kept", "run", "shared"]);
    assert_eq!(plan.bits_dropped, outcome.bits_dropped);
    assert_eq!(files[..4].iter().map(|(name, _)| mode(name)).collect::<Vec<_>>(), [0o755, 0o640, 0o644, 0o600]);
    assert_eq!(
        (fs::read(place.root().join("edited")).expect("there"), mode("edited")),
        (b"then\n".to_vec(), edited_mode)
    );
}

#[test]
fn undo_after_a_new_message_is_files_only() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "agent\n"));
    let after = place.files();
    let outcome = service.restore(&session, &id(&first), RestoreOptions::default(), None).expect("restored");
    turn(&service, &session, "instead", || ());
    let undone = service.undo(&outcome.restore_id.as_str().into(), None).expect("undone");
    assert_eq!(place.files(), after);
    assert!(!undone.backend_reset && undone.messages_deleted == 0);
    assert_eq!(bodies(&service, &session), ["one", "instead", "done"]);
}

#[test]
fn files_and_transcript_can_be_restored_separately() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "agent\n");
        place.write("dir/b.txt", "agent\n");
    });
    let target = id(&first);
    let some = RestoreOptions { paths: vec!["dir".into()], ..RestoreOptions::default() };
    let outcome = service.restore(&session, &target, some, None).expect("restored");
    assert!(!outcome.backend_reset && outcome.messages_deleted == 0 && outcome.files_written == 1);
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"agent\n");
    let files_only = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    assert!(!service.restore(&session, &target, files_only, None).expect("restored").backend_reset);
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"alpha\n");
    place.write("a.txt", "mine\n");
    let transcript_only = RestoreOptions { files: false, trim: Trim::From, ..RestoreOptions::default() };
    let outcome = service.restore(&session, &target, transcript_only, None).expect("restored");
    assert_eq!((outcome.worktree_reset, outcome.prompt.as_deref()), (false, Some("one")));
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"mine\n");
    service.undo(&outcome.restore_id.as_str().into(), None).expect("undone");
    assert_eq!(bodies(&service, &session), ["one", "done"]);
    let nothing = RestoreOptions { files: false, trim: Trim::None, ..RestoreOptions::default() };
    assert_eq!(service.restore(&session, &target, nothing, None).expect_err("nothing").code().as_str(), "invalid");
}

#[test]
fn head_and_index_are_restored_on_request() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let (head, status) = (place.git(&["rev-parse", "HEAD"]), place.git(&["status", "--porcelain"]));
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "agent\n");
        place.git(&["commit", "-qam", "by the agent"]);
        place.write("b.txt", "agent\n");
        place.git(&["add", "-A"]);
    });
    let (later, later_status) = (place.git(&["rev-parse", "HEAD"]), place.git(&["status", "--porcelain"]));
    let options = RestoreOptions { head: HeadMode::Restore, ..RestoreOptions::default() };
    let outcome = service.restore(&session, &id(&first), options, None).expect("restored");
    assert_eq!((outcome.head.as_str(), outcome.index.as_str(), outcome.commits_since), ("restored", "restored", 0));
    assert_eq!((place.git(&["rev-parse", "HEAD"]), place.git(&["status", "--porcelain"])), (head, status));
    service.undo(&outcome.restore_id.as_str().into(), None).expect("undone");
    assert_eq!((place.git(&["rev-parse", "HEAD"]), place.git(&["status", "--porcelain"])), (later, later_status));
}

#[test]
fn refusals_change_nothing() {
    let (_dir, place) = place();
    let service = place.service_with(Stopped::No);
    let session = service.create_session(&place.root(), "t").expect("created");
    let other = service.create_session(&place.root(), "another").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "agent\n"));
    let target = id(&first);
    let files = place.files();
    let plain = RestoreOptions::default;
    let refused = |session: &SessionId, target: &CheckpointId, options| {
        service.restore(session, target, options, None).expect_err("refused").code().as_str()
    };
    assert_eq!(refused(&other, &target, plain()), "not_in_session");
    assert_eq!(refused(&session, &ulid().as_str().into(), plain()), "not_in_session");
    let running = service.begin_turn(&session, "two").expect("begun");
    assert_eq!(refused(&session, &target, plain()), "agent_running");
    assert_eq!(refused(&session, &target, RestoreOptions { force: true, ..plain() }), "agent_running");
    assert_eq!(service.store().session(&session).expect("read").expect("there").state, SessionState::Running);
    assert_eq!(service.begin_turn(&session, "three").expect_err("one at a time").code().as_str(), "agent_running");
    service.end_turn(&session, &running.id, MessageStatus::Complete).expect("ended");
    place.git(&["checkout", "-q", "-b", "elsewhere"]);
    place.git(&["commit", "-q", "--allow-empty", "-m", "on it"]);
    // The branch of the checkpoint moves, too.
    place.git(&["branch", "-q", "-f", "@{-1}", "HEAD"]);
    assert_eq!(refused(&session, &target, RestoreOptions { head: HeadMode::Restore, ..plain() }), "head_mismatch");
    assert_eq!(service.store().session(&session).expect("read").expect("there").state, SessionState::Idle);
    assert_eq!((place.files(), bodies(&service, &session).len()), (files, 3));
    assert!(service.store().open_restores().expect("listed").is_empty());
}

#[test]
fn force_stops_the_agent_and_late_output_is_dropped() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let other = service.create_session(&place.root(), "in the same worktree").expect("created");
    let running = service.begin_turn(&session, "one").expect("begun");
    let options = RestoreOptions { force: true, ..RestoreOptions::default() };
    let outcome = service.restore(&session, &id(&running), options, None).expect("restored");
    assert_eq!(outcome.other_sessions_affected, [other]);
    assert_eq!(place.notes(), ["stop", "reset 1"]);
    let late = service.append_message(&session, &running.id, "assistant", "late");
    assert_eq!(late.expect_err("dropped").code().as_str(), "turn_over");
    service.end_turn(&session, &running.id, MessageStatus::Complete).expect("ignored");
    assert_eq!(bodies(&service, &session), ["one"]);
}

#[test]
fn retired_and_lost_checkpoints_are_refused() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "1\n"));
    let second = turn(&service, &session, "two", || place.write("a.txt", "2\n"));
    service.restore(&session, &id(&first), RestoreOptions::default(), None).expect("restored");
    let refused = service.restore(&session, &id(&second), RestoreOptions::default(), None);
    assert_eq!(refused.expect_err("hidden").code().as_str(), "retired");
    let worktree = service.store().worktrees().expect("listed").remove(0).id;
    let name = format!("refs/fuzzy-edit/checkpoints/{worktree}/{}", id(&first));
    let commit = place.kept_git(&["rev-parse", &name]).trim().to_owned();
    place.kept_git(&["update-ref", "-d", &name]);
    service.recover().expect("recovered");
    assert_eq!(place.kept_git(&["rev-parse", &name]).trim(), commit, "its files are there, so it is pinned again");
    // It is lost while its objects are gone, and only then.
    let rows = || service.list(&session, ListFilter { retired: true }).expect("listed");
    let known = rows();
    let store = fs::read_dir(place.0.join("state/store")).expect("stores").flatten().next().expect("one").path();
    let object = store.join("objects").join(&commit[..2]).join(&commit[2..]);
    fs::rename(&object, place.0.join("away")).expect("moved");
    for _ in 0..2 {
        let refused = service.restore(&session, &id(&first), RestoreOptions::default(), None);
        assert_eq!(refused.expect_err("gone").code().as_str(), "lost");
        assert_eq!(rows(), known, "it is not recorded");
        service.recover().expect("recovered");
    }
    fs::rename(place.0.join("away"), &object).expect("moved back");
    service.restore(&session, &id(&first), RestoreOptions::default(), None).expect("it is there again");
}

#[test]
fn an_obstructed_restore_changes_nothing() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    place.write("conf/x", "captured\n");
    let first = turn(&service, &session, "one", || {
        fs::remove_dir_all(place.root().join("conf")).expect("removed");
        place.write(".gitignore", "conf\n");
    });
    turn(&service, &session, "two", || place.write("conf", "ignored and precious\n"));
    let files = place.files();
    let refused = service.restore(&session, &id(&first), RestoreOptions::default(), None).expect_err("in the way");
    assert_eq!(refused.code().as_str(), "obstructed");
    assert_eq!(place.files(), files);
    let plan = service.plan(&session, &id(&first), &RestoreOptions::default()).expect("a plan");
    assert_eq!(plan.obstructed, ["conf".into()]);
    assert_eq!(bodies(&service, &session).len(), 4);
}

#[test]
fn a_failed_capture_does_not_stop_the_turn_and_backs_off() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    place.spoil_git();
    for code in ["git", "git", "git", "backed_off"] {
        let turn = turn(&service, &session, "prompt", || ());
        assert_eq!(turn.checkpoint.expect_err("no repository").code().as_str(), code);
    }
    assert_eq!(bodies(&service, &session).len(), 8);
}

#[test]
fn diff_and_show() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let made =
        service.create(&session, &CreateOptions { label: "mine".into(), ..CreateOptions::default() }).expect("taken");
    place.write("a.txt", "changed\n");
    let sides = (Side::Checkpoint(made.checkpoint.id.clone()), Side::Worktree);
    let diff = service.diff(&session, &sides.0, &sides.1, &support::WHOLE).expect("compared");
    assert_eq!(diff.files.iter().map(|file| file.path.to_string()).collect::<Vec<_>>(), ["a.txt"]);
    assert!(String::from_utf8_lossy(&diff.patch).contains("+changed"));
    let details = service.show(&session, &made.checkpoint.id).expect("found");
    assert!(details.pinned && details.checkpoint.label == "mine");
    assert!(details.size_bytes > 0);
    assert_eq!(place.kept_git(&["rev-parse", &details.refs[0]]).trim(), made.checkpoint.commit_oid.as_str());
    assert_eq!(details.checkpoint.head_oid.expect("a head").as_str(), place.git(&["rev-parse", "HEAD"]).trim());
}

#[test]
fn doctor_reports_problems_and_changes_nothing() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let well = service.doctor(None, false).expect("checked");
    assert!(well.is_well() && well.git_version.starts_with("git version "), "{well:?}");
    place.write("sub/.env", "KEY=1\n");
    place.write("committed.pem", "a\n");
    place.git(&["add", "committed.pem"]);
    place.git(&["commit", "-qm", "the user's own business"]);
    let made = [(), ()].map(|()| service.create(&session, &CreateOptions::default()).expect("taken"));
    assert_eq!(made[0].secrets, ["sub/.env".into()]);
    let id = service.store().worktrees().expect("listed").remove(0).id;
    let refs = format!("refs/fuzzy-edit/checkpoints/{id}");
    place.kept_git(&["update-ref", "-d", &format!("{refs}/{}", made[0].checkpoint.id)]);
    place.kept_git(&["update-ref", &format!("{refs}/STRANGE"), made[1].checkpoint.commit_oid.as_str()]);
    let scratch = place.0.join("state/wt").join(&id).join("tmp/1-1");
    fs::create_dir(&scratch).expect("created");
    for _ in 0..2 {
        let health = service.doctor(None, false).expect("checked");
        assert!(!health.is_well());
        let [tree] = &health.worktrees[..] else { panic!("one worktree: {health:?}") };
        assert_eq!(tree.rows_without_refs, [made[0].checkpoint.id.clone()]);
        assert_eq!(tree.refs_without_rows, [format!("{refs}/STRANGE")]);
        assert_eq!(tree.stale_scratch, std::slice::from_ref(&scratch));
        assert_eq!(tree.secrets, ["sub/.env".into()], "committed secrets are not reported");
        assert!(tree.held_bytes > 0 && tree.error.is_none() && health.open_restores.is_empty());
    }
    fs::rename(place.root(), place.0.join("moved")).expect("moved");
    assert!(service.doctor(None, false).expect("checked").worktrees[0].error.is_some());
}

#[test]
fn prune_drops_refs_then_rows_and_keeps_foreign_refs_for_a_while() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    for number in 0..5 {
        turn(&service, &session, "prompt", || place.write("a.txt", &format!("{number}\n")));
    }
    let head = place.git(&["rev-parse", "HEAD"]);
    let worktree = service.store().worktrees().expect("listed").remove(0).id;
    for name in [ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV".into()] {
        place.kept_git(&["update-ref", &format!("refs/fuzzy-edit/checkpoints/{worktree}/{name}"), head.trim()]);
    }
    let retention = Retention { turns: 2, ..Retention::default() };
    let report = service.prune(&retention, None).expect("pruned");
    assert_eq!(report.pruned.len(), 6, "start and end of three turns");
    assert_eq!(service.list(&session, ListFilter::default()).expect("listed").len(), 4);
    let refs = place.kept_git(&["for-each-ref", "--format=%(refname)", "refs/fuzzy-edit/checkpoints"]);
    assert_eq!(refs.lines().count(), 5, "four of ours, and the younger of the two without rows: {refs}");
    let report = service.prune(&Retention { max_bytes: 0, ..Retention::default() }, None).expect("pruned");
    assert_eq!(report.pruned.len(), 3, "the newest remains");
    place.git(&["gc", "-q", "--prune=now"]);
    let left = service.list(&session, ListFilter::default()).expect("listed");
    place.write("a.txt", "spoilt\n");
    service.restore(&session, &left[0].id, RestoreOptions::default(), None).expect("restored");
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"4\n");
}

#[test]
fn two_services_do_not_restore_at_once() {
    let (_dir, place) = place();
    let services = [place.service(), place.service()];
    let session = services[0].create_session(&place.root(), "t").expect("created");
    let first = turn(&services[0], &session, "one", || place.write("a.txt", "agent\n"));
    let target = id(&first);
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let (session, target) = (&session, &target);
        let start = services.each_ref().map(|service| {
            scope.spawn(move || service.restore(session, target, RestoreOptions::default(), Some("one click")))
        });
        start.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for outcome in &outcomes {
        assert!(
            outcome.as_ref().is_ok_and(|done| done.messages_deleted == 1)
                || outcome.as_ref().is_err_and(|error| error.code().as_str() == "restore_in_progress"),
            "{outcome:?}"
        );
    }
    assert!(outcomes.iter().any(Result::is_ok));
    assert_eq!(place.notes(), ["reset 1"], "a double click is one restore");
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"alpha\n");
}

#[test]
fn commands_stop_and_reset_a_backend() {
    let (_dir, place) = place();
    let session = SessionId(ulid());
    let command = |words: &[&str]| words.iter().map(Into::into).collect::<Vec<std::ffi::OsString>>();
    let wait = std::time::Duration::from_mins(1);
    let good = ProcessBackend {
        stop: command(&["true"]),
        reset: command(&["touch", &place.0.join("was-reset").to_string_lossy()]),
    };
    assert_eq!(good.stop(&session, wait).expect("answered"), Stopped::Yes);
    good.reset(&session, 1).expect("reset");
    assert!(place.0.join("was-reset").exists());
    let script = format!("sleep 1000 & echo $! >'{}'; wait", place.0.join("pid").display());
    let bad = ProcessBackend { stop: command(&["sh", "-c", &script]), reset: command(&["false"]) };
    // On a busy machine the command may start slowly.
    let started = [1, 10, 100].into_iter().find_map(|seconds| {
        assert_eq!(bad.stop(&session, std::time::Duration::from_secs(seconds)).expect("answered"), Stopped::No);
        fs::read_to_string(place.0.join("pid")).ok().filter(|pid| pid.ends_with('\n'))
    });
    let started = started.expect("it started");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    // The process is gone, or a zombie that has not been reaped.
    let runs = || fs::read_to_string(format!("/proc/{}/stat", started.trim())).is_ok_and(|stat| !stat.contains(") Z "));
    while runs() {
        assert!(std::time::Instant::now() < deadline, "a child process of the command still runs");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(bad.reset(&session, 1).expect_err("failed").code().as_str(), "backend");
    let none = ProcessBackend { stop: command(&["/nonexistent/program"]), reset: Vec::new() };
    assert_eq!(none.stop(&session, wait).expect_err("no program").code().as_str(), "backend");
    none.reset(&session, 1).expect("nothing to do");
}
