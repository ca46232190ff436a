//! Restores that cannot finish: they can be aborted, and no file is lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fuzzy_checkpoint::{CaptureOptions, Engine, Limits};
use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, NoBackend, Settings};
use fuzzy_checkpoint_store::{
    BeginOutcome, CheckpointId, Kind, ListFilter, NewRestore, Phase, RestoreOptions, Retention, SessionId,
    SessionState, open_file,
};
use fuzzy_safe_write::{Fault, inject, meanwhile, passed};

use crate::support::{Place, bodies, turn};

fn place() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    (dir, place)
}

fn phase(service: &Checkpointer, session: &SessionId) -> Phase {
    let worktree = service.store().session(session).expect("read").expect("there").worktree_id;
    service.store().restores_of(&worktree).expect("listed").last().expect("a restore").phase
}

fn idle(service: &Checkpointer, session: &SessionId) -> bool {
    service.store().session(session).expect("read").expect("there").state == SessionState::Idle
}

/// Runs a turn that changes files; returns its checkpoint.
fn one_turn(place: &Place, service: &Checkpointer, session: &SessionId) -> CheckpointId {
    let first = turn(service, session, "one", || {
        place.write("a.txt", "agent\n");
        place.write("new.txt", "new\n");
        fs::remove_dir_all(place.root().join("dir")).expect("removed");
    });
    first.checkpoint.expect("taken").checkpoint.id
}

#[test]
fn an_interrupted_restore_is_finished_by_the_next_operation() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let then = place.files();
    let target = one_turn(&place, &service, &session);
    let restore = || service.restore(&session, &target, RestoreOptions::default(), Some("k"));
    let failed = place.halfway("a.txt", restore).expect_err("broken");
    assert_eq!((failed.code().as_str(), phase(&service, &session)), ("io", Phase::Safe));
    service.begin_turn(&session, "two").expect("the restore is finished first");
    assert_eq!((place.files(), phase(&service, &session)), (then, Phase::Done));
    assert_eq!(bodies(&service, &session), ["one", "two"]);
}

/// For example, a new container has the repository and the database, but not the state directory.
#[test]
fn a_missing_store_is_reported_and_its_restore_finished_once_it_is_back() {
    for aborts in [false, true] {
        let (_dir, place) = place();
        let service = place.service();
        let session = service.create_session(&place.root(), "t").expect("created");
        let then = place.files();
        let target = one_turn(&place, &service, &session);
        let now = place.files();
        let restore = || service.restore(&session, &target, RestoreOptions::default(), Some("k"));
        place.halfway("a.txt", restore).expect_err("broken");
        assert!(!beside(&place.root()).is_empty());
        drop(service);
        let [state, away] = ["state", "old state"].map(|name| place.0.join(name));
        fs::rename(&state, &away).expect("moved");
        let service = place.service();
        let open = service.store().open_restores().expect("listed").remove(0).id;
        let refused = service.recover().expect("answered").remove(0).error.expect("no store");
        assert!(refused.contains("/state/store/"), "{refused}");
        let refused = service.create(&session, &CreateOptions::default()).expect_err("a restore is open");
        assert_eq!(refused.code().as_str(), "restore_in_progress");
        assert_eq!(service.abort(&open).expect_err("no store").code().as_str(), "store_missing");
        assert_eq!(service.find_session(&place.root(), "t").expect_err("no store").code().as_str(), "store_missing");
        if state.exists() {
            fs::remove_dir_all(&state).expect("removed");
        }
        fs::rename(&away, &state).expect("moved back");
        if aborts {
            service.abort(&open).expect("aborted");
        } else {
            service.recover().expect("recovered");
        }
        assert_eq!(place.files(), if aborts { now } else { then }, "{aborts}");
        assert_eq!(beside(&place.root()), Vec::<String>::new());
        assert!(service.doctor(None, false).expect("checked").is_well());
        place.write("dir/.fuzzy-edit-01-0", "left by an older program\n");
        let health = service.doctor(None, false).expect("checked");
        assert_eq!(health.worktrees[0].left_beside, ["dir/.fuzzy-edit-01-0".into()]);
        assert!(!health.is_well());
    }
}

#[test]
fn a_restore_that_cannot_finish_can_be_aborted() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = one_turn(&place, &service, &session);
    let before = place.files();
    let restore = || service.restore(&session, &target, RestoreOptions::default(), Some("k"));
    place.halfway("a.txt", restore).expect_err("broken");
    // An ignored file now occupies the path of a directory to be restored.
    fs::write(place.root().join(".git/info/exclude"), "/dir\n").expect("written");
    place.write("dir", "ignored and precious\n");
    let recovered = service.recover().expect("checked");
    assert!(recovered[0].error.as_ref().is_some_and(|error| error.contains("in the way")), "{recovered:?}");
    assert_eq!(phase(&service, &session), Phase::Safe);
    assert_eq!(service.begin_turn(&session, "no").expect_err("it is open").code().as_str(), "restore_in_progress");
    let open = service.store().open_restores().expect("listed").remove(0).id;
    service.abort(&open).expect("aborted");
    let mut expected = before;
    expected.insert(place.root().join("dir"), b"ignored and precious\n".to_vec());
    assert_eq!(place.files(), expected);
    assert_eq!((phase(&service, &session), idle(&service, &session)), (Phase::RolledBack, true));
    assert_eq!(bodies(&service, &session), ["one", "done"], "the transcript is whole");
    assert!(place.notes().is_empty(), "no backend was reset");
    assert_eq!(service.abort(&open).expect_err("it is over").code().as_str(), "restore_in_progress");
    let again = service.restore(&session, &target, RestoreOptions::default(), Some("k")).expect_err("aborted");
    assert_eq!(again.code().as_str(), "refused");
    fs::remove_file(place.root().join("dir")).expect("removed");
    service.restore(&session, &target, RestoreOptions::default(), None).expect("nothing is in the way");
}

/// Generates incompressible bytes.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

/// Returns the names of temporary files beside the worktree's files.
fn beside(root: &Path) -> Vec<String> {
    let names = fs::read_dir(root).expect("a directory").flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with(fuzzy_safe_write::ASIDE)).collect()
}

/// The disk has room for two new files at once: deleted and smaller files make room for the rest.
#[test]
fn without_room_for_all_files_at_once_they_are_written_one_by_one() {
    let (_dir, place) = place();
    let worktree = place.engine().open(&place.root()).expect("a worktree");
    let locked = worktree.lock().expect("locked");
    place.write("grows", &"then\n".repeat(500));
    place.write("shrinks", "then\n");
    place.write("back", "then\n");
    let target = locked.capture(&CaptureOptions::default()).expect("captured");
    let then = place.files();
    place.write("a.txt", "omega\n");
    place.write("grows", "now\n");
    place.write("shrinks", &"now\n".repeat(500));
    place.write("new", "now\n");
    fs::remove_file(place.root().join("back")).expect("removed");
    let from = locked.capture(&CaptureOptions::before(&target)).expect("captured");
    let plan = locked.plan(&from, &target, &[]).expect("a plan");

    let (root, wanted, done) = (place.root(), then.clone(), Arc::new(Mutex::new(Vec::new())));
    let (seen, count) = (Arc::clone(&done), Arc::new(AtomicUsize::new(0)));
    let refused = Arc::clone(&count);
    meanwhile(Some(Box::new(move |step| {
        let is_full = beside(&root).len() >= 2;
        refused.fetch_add(usize::from(is_full), Ordering::SeqCst);
        inject(if is_full { Fault::FullAt(step) } else { Fault::None }, true);
        let mut seen = seen.lock().expect("alone");
        for name in ["a.txt", "back", "grows", "new", "shrinks"] {
            let is_done = fs::read(root.join(name)).ok() == wanted.get(&root.join(name)).cloned();
            if is_done && !seen.contains(&name) {
                seen.push(name);
            }
        }
    })));
    let applied = locked.apply_pressed(&from, &target, &plan);
    meanwhile(None);
    inject(Fault::None, true);
    applied.expect("applied");
    assert_eq!(count.load(Ordering::SeqCst), 1, "writing all at once was tried and failed");
    assert_eq!(place.files(), then);
    // The last file is complete only after the last step.
    assert_eq!(*done.lock().expect("alone"), ["new", "shrinks", "a.txt", "back", "grows"]);
    assert_eq!(beside(&place.root()), [""; 0]);
    let again = locked.capture(&CaptureOptions::default()).expect("captured");
    assert_eq!(again.tree, target.tree, "the warm index includes the written files");
}

/// The disk is full at each step of the writer in turn: the restore can be aborted, and can be resumed.
#[test]
fn a_disk_full_at_any_step_loses_nothing() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let then = place.files();
    let target = one_turn(&place, &service, &session);
    let (now, mut phases) = (place.files(), std::collections::BTreeSet::new());
    for step in 0.. {
        inject(Fault::FullAt(step), true);
        let restored = service.restore(&session, &target, RestoreOptions::default(), None);
        let is_over = passed() <= step;
        inject(Fault::None, true);
        let id = match restored {
            Ok(done) => done.restore_id.as_str().into(),
            Err(failed) => {
                assert_eq!(failed.code().as_str(), "disk_full", "{step}: {failed}");
                let phase = phase(&service, &session);
                phases.insert(phase.as_str().to_owned());
                let open = service.store().open_restores().expect("listed").pop();
                let Some(open) = open else {
                    assert_eq!((phase, place.files()), (Phase::Refused, now.clone()), "{step}: nothing began");
                    continue;
                };
                if step % 2 == 0 {
                    service.abort(&open.id).expect("aborted");
                    assert_eq!(place.files(), now, "{step}: aborted");
                    continue;
                }
                let recovered = service.recover().expect("recovered");
                assert!(recovered[0].error.is_none(), "{step}: {recovered:?}");
                open.id
            }
        };
        assert_eq!(place.files(), then, "{step}: restored");
        assert_eq!(beside(&place.root()), [""; 0], "{step}");
        service.undo(&id, None).expect("undone");
        assert_eq!(place.files(), now, "{step}: undone");
        if is_over {
            break;
        }
    }
    assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["files", "refused", "safe"], "the disk was full in each phase");
}

/// A separate file system of a given size; only root can create one.
struct Small(PathBuf);

impl Small {
    fn new(dir: &Path, size: &str) -> Option<Self> {
        fs::create_dir(dir).expect("created");
        let options = format!("size={size},mode=755");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "none"]).arg(dir).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self(dir.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

/// No file is overwritten before there is room for all: the restore is refused, and leaves no temporary files.
#[test]
fn a_restore_on_a_full_disk_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let base = dir.path().canonicalize().expect("a real path");
    let Some(small) = Small::new(&base.join("small"), "4m") else {
        println!("left out: only root can create a small file system; the test above covers the same case");
        return;
    };
    let place = Place::new(&small.0);
    let root = place.root();
    fs::write(root.join(".git/info/exclude"), "pad\n").expect("written");
    let limits = Limits { min_free_bytes: 1, ..Limits::default() };
    let engine = Engine::new(base.join("state")).with_limits(limits);
    let store = open_file(&base.join("state.db")).expect("opened");
    let settings = Settings { lease: Duration::from_millis(300), ..Settings::default() };
    let service = Checkpointer::new(engine, store, Arc::new(NoBackend), settings);
    let noise = noise(1 << 20, 1);
    fs::write(root.join("big"), &noise).expect("written");
    place.write("small", "then\n");
    let session = service.create_session(&root, "t").expect("created");
    let then = place.files();
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    fs::remove_file(root.join("big")).expect("removed");
    place.write("small", "now\n");
    place.write("zzz", "untracked\n");
    let now = place.files();
    let space = rustix::fs::statvfs(&small.0).expect("answered");
    let free = usize::try_from(space.f_bavail * space.f_frsize).expect("fits");
    fs::write(root.join("pad"), vec![1; free - 300_000]).expect("room for all but 300 kB");
    let failed = service.restore(&session, &target, RestoreOptions::default(), None).expect_err("full");
    assert_eq!(failed.code().as_str(), "disk_full", "{failed}");
    assert_eq!((phase(&service, &session), beside(&root)), (Phase::Refused, Vec::new()));
    fs::remove_file(root.join("pad")).expect("removed");
    assert_eq!(place.files(), now);
    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("there is room");
    assert_eq!(place.files(), then);
    service.undo(&done.restore_id.as_str().into(), None).expect("undone");
    assert_eq!(place.files(), now);
}

#[test]
fn retention_then_gc_then_capture() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    place.write("steady.txt", "only ever in checkpoints\n");
    for number in 0..5 {
        turn(&service, &session, "prompt", || place.write("untracked.txt", &format!("{number}\n")));
    }
    let no_bytes = Retention { max_bytes: 0, ..Retention::default() };
    assert_eq!(service.prune(&no_bytes, None).expect("pruned").pruned.len(), 9, "the newest remains");
    let rest = service.list(&session, ListFilter { retired: true }).expect("listed");
    assert_eq!(rest.len(), 1);
    place.kept_git(&["update-ref", "-d", &service.show(&session, &rest[0].id).expect("found").refs[0]]);
    service.worktree_around(&place.root()).expect("opened").collect().expect("collected");
    let made = service.create(&session, &CreateOptions { kind: Kind::Manual, ..CreateOptions::default() });
    let made = made.expect("taken").checkpoint;
    place.kept_git(&["rev-list", "--objects", "--quiet", made.commit_oid.as_str()]);
    place.write("steady.txt", "lost?\n");
    let options = RestoreOptions { trim: fuzzy_checkpoint_store::Trim::None, ..RestoreOptions::default() };
    service.restore(&session, &made.id, options, None).expect("restored");
    assert_eq!(fs::read(place.root().join("steady.txt")).expect("there"), b"only ever in checkpoints\n");
}

#[test]
fn a_removed_worktree_is_pruned_by_its_session() {
    let (_dir, place) = place();
    let service = place.service();
    let linked = place.0.join("linked");
    place.git(&["worktree", "add", "-q", &linked.to_string_lossy(), "-b", "other"]);
    let session = service.create_session(&linked, "t").expect("created");
    for number in 0..4 {
        turn(&service, &session, "prompt", || fs::write(linked.join("n"), format!("{number}\n")).expect("written"));
    }
    place.git(&["worktree", "remove", "--force", &linked.to_string_lossy()]);
    let refs = || place.kept_git(&["for-each-ref", "refs/fuzzy-edit"]).lines().count();
    assert_eq!(refs(), 9, "start and end of four turns, and the newest capture");
    let report = service.prune(&Retention { turns: 1, ..Retention::default() }, None).expect("pruned");
    assert_eq!((report.pruned.len(), report.unreachable.len(), refs()), (6, 0, 3), "the newest remains");
    let all: Vec<CheckpointId> =
        service.list(&session, ListFilter::default()).expect("listed").into_iter().map(|row| row.id).collect();
    let worktree = service.session(&session).expect("read").worktree_id;
    service.store().delete_checkpoints(&worktree, &all[..1]).expect("deleted");
    fs::remove_dir_all(place.root()).expect("removed");
    let strict = Retention { turns: 0, ..Retention::default() };
    let report = service.prune(&strict, None).expect("pruned");
    assert_eq!((report.pruned.len(), report.gone.as_slice()), (0, &[worktree][..]), "the repository is gone");
    let report = service.prune(&Retention { gone: true, ..strict }, None).expect("pruned");
    assert_eq!((report.pruned.len(), report.unreachable.len()), (1, 0), "the store does not need the repository");
}

#[test]
fn checkpoints_of_a_lost_repository_do_not_grow_too_old() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = one_turn(&place, &service, &session);
    let worktree = service.session(&session).expect("read").worktree_id;
    let at_once = Retention { turns: 0, safety_ms: -1, other_ms: -1, ..Retention::default() };
    fs::remove_dir_all(place.root().join(".git")).expect("removed");
    for only in [None, Some(&*worktree)] {
        let report = service.prune(&at_once, only).expect("pruned");
        assert_eq!((report.pruned.len(), report.gone.as_slice()), (0, std::slice::from_ref(&worktree)));
    }
    service.restore(&session, &first, RestoreOptions::default(), None).expect("restored");
    assert_eq!(fs::read(place.root().join("a.txt")).expect("there"), b"alpha\n");
    // A new repository in the folder makes the user's decision clear.
    place.git(&["init", "-q", "-b", "main", "."]);
    assert!(!service.prune(&at_once, None).expect("pruned").pruned.is_empty());
}

#[test]
fn a_service_that_lives_on_copies_what_a_checkpoint_borrows() {
    let (_dir, place) = place();
    for number in 0..2100 {
        place.write(&format!("many/{number}"), &format!("{number}\n"));
    }
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "many"]);
    let service = place.service().copying_borrowed();
    let session = service.create_session(&place.root(), "t").expect("created");
    let made = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint;
    let is_borrowing = || service.worktree_around(&place.root()).expect("opened").is_borrowing();
    while is_borrowing() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    fs::remove_dir_all(place.root().join(".git")).expect("removed");
    fs::remove_dir_all(place.root().join("many")).expect("removed");
    let options = RestoreOptions { trim: fuzzy_checkpoint_store::Trim::None, ..RestoreOptions::default() };
    service.restore(&session, &made.id, options, None).expect("restored");
    assert_eq!(fs::read(place.root().join("many/2099")).expect("there"), b"2099\n");
}

#[test]
fn the_worktrees_of_a_repository_share_its_cap() {
    let (_dir, place) = place();
    let service = place.service();
    let linked = place.0.join("linked");
    place.git(&["worktree", "add", "-q", &linked.to_string_lossy(), "-b", "other"]);
    let sessions =
        [place.root(), linked.clone()].map(|root| (service.create_session(&root, "t").expect("created"), root));
    for number in 0..4 {
        for (session, root) in &sessions {
            fs::write(root.join(format!("n{number}")), noise(50_000, number)).expect("written");
            service.create(session, &CreateOptions::default()).expect("taken");
        }
    }
    let held =
        service.doctor(None, false).expect("checked").worktrees.iter().map(|one| one.held_bytes).max().expect("two");
    let left = || sessions.each_ref().map(|(id, _)| service.list(id, ListFilter::default()).expect("listed").len());
    assert_eq!(service.prune(&Retention { max_bytes: held * 3, ..Retention::default() }, None).expect("ok").pruned, []);
    service.prune(&Retention { max_bytes: 1, ..Retention::default() }, None).expect("pruned");
    assert_eq!(left(), [1, 1], "the newest of each remains");
}

#[test]
fn nothing_is_pruned_while_a_restore_runs() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    one_turn(&place, &service, &session);
    let worktree = service.store().session(&session).expect("read").expect("there").worktree_id;
    let until = fuzzy_checkpoint_store::now_ms() + 60_000;
    assert!(service.store().take_lease(&worktree, "another owner", 0, until).expect("answered"));
    let everything = Retention { turns: 0, safety_ms: -1, other_ms: -1, max_bytes: 0, gone: false };
    let report = service.prune(&everything, None).expect("answered");
    assert_eq!((report.busy.len(), report.pruned.len()), (1, 0));
    // The other owner restores, so neither of these waits for it.
    let restore = NewRestore {
        id: "restore".into(),
        session_id: session.clone(),
        checkpoint_id: service.list(&session, ListFilter::default()).expect("listed")[0].id.clone(),
        request_key: "key".to_owned(),
        options: RestoreOptions::default(),
        batch: None,
        owner: "another owner".to_owned(),
        now: 1,
        lease_until: until,
    };
    assert_eq!(service.store().begin_restore(&restore).expect("answered"), BeginOutcome::Started);
    for refused in [service.prune(&everything, Some(&worktree)).err(), service.forget(&worktree, None).err()] {
        assert_eq!(refused.expect("busy").code().as_str(), "restore_in_progress");
    }
    assert_eq!(service.list(&session, ListFilter { retired: true }).expect("listed").len(), 2);
}

#[test]
fn a_restore_waits_for_another_process_that_prunes() {
    let (_dir, place) = place();
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let taken = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    let worktree = service.store().session(&session).expect("read").expect("there").worktree_id;
    let until = fuzzy_checkpoint_store::now_ms() + 60_000;
    assert!(service.store().take_lease(&worktree, "it prunes", 0, until).expect("answered"));
    std::thread::scope(|scope| {
        let restored = scope.spawn(|| place.service().restore(&session, &taken, RestoreOptions::default(), None));
        std::thread::sleep(Duration::from_millis(200));
        service.store().release_lease(&worktree, "it prunes").expect("released");
        restored.join().expect("no panic").expect("restored");
    });
}
