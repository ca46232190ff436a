//! Kills a restore at every phase, every git call and every write, then recovers: files equal the target's, the
//! transcript is trimmed once, and the backend starts one new generation.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, ListFilter, Phase, RestoreId, RestoreOptions, SessionId, SessionState,
};

use super::new_place;
use crate::support::{Place, bodies, turn};

/// A place just before a restore, and its expected contents afterwards.
pub(crate) struct Scene {
    pub(crate) place: Place,
    pub(crate) session: SessionId,
    pub(crate) target: CheckpointId,
    then: BTreeMap<PathBuf, Vec<u8>>,
    now: BTreeMap<PathBuf, Vec<u8>>,
    status: String,
}

pub(crate) fn scene(dir: &Path) -> Scene {
    let place = new_place(dir);
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    place.write("staged.txt", "staged\n");
    place.git(&["add", "staged.txt"]);
    let (then, status) = (place.files(), place.git(&["status", "--porcelain"]));
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "agent\n");
        fs::remove_dir_all(place.root().join("dir")).expect("removed");
        place.write("dir", "a file now\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-qm", "by the agent"]);
        place.write("new/x", "new\n");
        place.git(&["add", "-A"]);
    });
    turn(&service, &session, "two", || place.write("new/y", "new\n"));
    let target = first.checkpoint.expect("taken").checkpoint.id;
    let now = place.files();
    Scene { place, session, target, then, now, status }
}

pub(crate) fn options() -> RestoreOptions {
    RestoreOptions { head: HeadMode::Restore, ..RestoreOptions::default() }
}

/// Opens the place of another process.
pub(crate) fn place(dir: PathBuf) -> Place {
    Place::made(dir)
}

/// Runs in a separate process, which the other tests kill; does nothing without its variables.
#[test]
#[ignore = "the process that the other tests kill"]
fn child() {
    let Some(dir) = std::env::var_os("KILL_DIR") else { return };
    let text = |name: &str| std::env::var(name).expect("set");
    let service = place(dir.into()).service();
    if let Ok(open) = std::env::var("KILL_ABORT") {
        return service.abort(&open.as_str().into()).expect("aborted");
    }
    let restored = service.restore(
        &text("KILL_SESSION").as_str().into(),
        &text("KILL_TARGET").as_str().into(),
        options(),
        Some("k"),
    );
    restored.expect("restored");
}

/// Restores in another process that dies at failpoint number `kill`, or aborts the restore `abort` there; returns
/// whether it was killed.
fn elsewhere(scene: &Scene, abort: Option<&RestoreId>, kill: usize, log: &Path) -> bool {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    // The module's path without the crate's name.
    let child =
        module_path!().split_once("::").map_or_else(|| "child".to_owned(), |(_, path)| format!("{path}::child"));
    command.args(["--ignored", "--exact", &child]).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .env("KILL_DIR", &scene.place.0)
        .env("KILL_SESSION", scene.session.as_str())
        .env("KILL_TARGET", scene.target.as_str());
    if let Some(open) = abort {
        command.env("KILL_ABORT", open.as_str());
    }
    let status = command
        .env("FUZZY_FAILPOINT_LOG", log)
        .env("FUZZY_FAILPOINT_KILL", kill.to_string())
        .status()
        .expect("it runs");
    assert!(status.success() || status.signal() == Some(9), "{status}");
    status.signal() == Some(9)
}

/// Recovers, after the dead owner's lease has expired.
fn recover(service: &Checkpointer) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let recovered = service.recover().expect("recovered");
        assert!(recovered.iter().all(|one| one.error.is_none()), "{recovered:?}");
        if service.store().open_restores().expect("listed").is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "the lease never expired");
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn check(scene: &Scene, name: &str, began: bool) {
    let service = scene.place.service();
    recover(&service);
    let session = service.store().session(&scene.session).expect("read").expect("there");
    assert_eq!(session.state, SessionState::Idle, "{name}");
    assert!(service.store().undelivered_resets().expect("listed").is_empty(), "{name}");
    assert!(!scene.place.root().join(".git/index.lock").exists(), "{name}: our lock is gone");
    if !began {
        assert_eq!(
            (scene.place.files(), bodies(&service, &scene.session).len()),
            (scene.now.clone(), 4),
            "{name}: nothing began"
        );
        return;
    }
    assert_eq!(scene.place.files(), scene.then, "{name}: files");
    assert_eq!(scene.place.git(&["status", "--porcelain"]), scene.status, "{name}: index and head");
    assert_eq!(bodies(&service, &scene.session), ["one"], "{name}: transcript");
    assert_eq!(session.generation, 1, "{name}: one new generation");
    let notes = scene.place.notes();
    assert!(!notes.is_empty() && notes.iter().all(|note| note == "reset 1"), "{name}: {notes:?}");
    // A repeated request with the same key returns the finished restore, which can be undone.
    let again = service.restore(&scene.session, &scene.target, options(), Some("k")).expect("done");
    assert_eq!((again.messages_deleted, again.backend_reset, again.worktree_reset), (3, true, true), "{name}");
    let journal = service.store().restore(&again.restore_id.as_str().into()).expect("read").expect("there");
    assert_eq!(journal.phase, Phase::Done, "{name}");
    service.undo(&journal.id, None).expect("undone");
    assert_eq!(scene.place.files(), scene.now, "{name}: undone");
    assert_eq!(bodies(&service, &scene.session).len(), 4, "{name}: undone");
    for row in service.list(&scene.session, ListFilter { retired: true }).expect("listed") {
        let pinned = service.show(&scene.session, &row.id).expect("found").pinned;
        assert!(pinned, "{name}: every row has a ref");
    }
}

/// Calls `kill` for every failpoint, in three threads. On a server, only for the first and the last one of each name:
/// those in between differ in files and git, not in rows.
fn everywhere(names: &[String], kill: impl Fn(usize, &str) + Sync) {
    let is_tried = |(at, name): &(usize, &String)| {
        let is_other = |other: &String| other != *name;
        !module_path!().contains("postgres")
            || names[..*at].iter().all(is_other)
            || names[at + 1..].iter().all(is_other)
    };
    let points: Vec<_> = names.iter().enumerate().filter(is_tried).collect();
    println!("{} of {} failpoints", points.len(), names.len());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some((at, name)) = points.get(next.fetch_add(1, Ordering::SeqCst)) {
                    kill(at + 1, name);
                }
            });
        }
    });
}

fn lines(log: &Path) -> Vec<String> {
    fs::read_to_string(log).expect("a log").lines().map(str::to_owned).collect()
}

#[test]
fn recovery_finishes_a_restore_interrupted_anywhere() {
    let dir = tempfile::tempdir().expect("a directory");
    let whole = scene(dir.path());
    let log = dir.path().join("log");
    assert!(!elsewhere(&whole, None, 0, &log));
    let names = lines(&log);
    check(&whole, "uninterrupted", true);
    for phase in [
        "begun",
        "safe",
        "files",
        "index",
        "done",
        "reset",
        "checkpoint recorded",
        "index locked",
        "index installed",
        "before files",
        "write",
    ] {
        assert!(names.iter().any(|name| name == phase), "{phase} is a failpoint: {names:?}");
    }
    let begun = names.iter().position(|name| name == "begun").expect("it began") + 1;
    everywhere(&names, |kill, name| {
        let dir = tempfile::tempdir().expect("a directory");
        let scene = scene(dir.path());
        assert!(elsewhere(&scene, None, kill, &dir.path().join("log")), "{kill} {name}");
        check(&scene, &format!("{kill}: {name}"), kill >= begun);
    });
}

/// Returns a scene with a restore that failed halfway.
fn stuck(dir: &Path) -> (Scene, RestoreId) {
    let scene = scene(dir);
    let broken = scene.place.service();
    let restore = || broken.restore(&scene.session, &scene.target, options(), Some("k"));
    scene.place.halfway("a.txt", restore).expect_err("broken");
    assert_ne!(scene.place.files(), scene.now, "something was written");
    let open = broken.store().open_restores().expect("listed").remove(0);
    assert_eq!(open.phase, Phase::Safe);
    (scene, open.id)
}

/// Aborts until it succeeds, and checks that the state is the one before the restore.
fn check_aborted(scene: &Scene, open: &RestoreId, name: &str) {
    let service = scene.place.service();
    let phase = || service.store().restore(open).expect("read").expect("there").phase;
    let deadline = Instant::now() + Duration::from_secs(30);
    while phase() != Phase::RolledBack {
        match service.abort(open) {
            Err(error) if error.code().as_str() == "restore_in_progress" => {
                std::thread::sleep(Duration::from_millis(50));
            }
            done => done.unwrap_or_else(|error| panic!("{name}: {error}")),
        }
        assert!(Instant::now() < deadline, "{name}: the lease never expired");
    }
    assert_eq!(scene.place.files(), scene.now, "{name}: files");
    let session = service.store().session(&scene.session).expect("read").expect("there");
    assert_eq!((session.state, session.generation), (SessionState::Idle, 0), "{name}");
    assert_eq!(bodies(&service, &scene.session).len(), 4, "{name}: transcript");
    assert!(scene.place.notes().is_empty() && !scene.place.root().join(".git/index.lock").exists(), "{name}");
    assert!(service.recover().expect("nothing to do").is_empty(), "{name}");
}

#[test]
fn an_abort_can_be_interrupted_anywhere() {
    let dir = tempfile::tempdir().expect("a directory");
    let (whole, open) = stuck(dir.path());
    let log = dir.path().join("log");
    assert!(!elsewhere(&whole, Some(&open), 0, &log));
    check_aborted(&whole, &open, "uninterrupted");
    let names = lines(&log);
    assert!(names.iter().any(|name| name == "write"), "{names:?}");
    everywhere(&names, |kill, name| {
        let dir = tempfile::tempdir().expect("a directory");
        let (scene, open) = stuck(dir.path());
        assert!(elsewhere(&scene, Some(&open), kill, &dir.path().join("log")), "{kill} {name}");
        check_aborted(&scene, &open, &format!("{kill}: {name}"));
    });
}
