//! A process that records an event is stopped, as by `kill -STOP`, or its disk is gone: no verb waits for it for long, and
//! it is named.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::scene::{Scene, event};

/// The time after which something that has to happen is missed.
const LIMIT: Duration = Duration::from_mins(1);

/// Waits for something.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < LIMIT, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A stopped process, which goes on when the value is dropped.
struct Stopped(Pid);

impl Stopped {
    fn new(process: i32) -> Self {
        let process = Pid::from_raw(process).unwrap();
        kill_process(process, Signal::STOP).unwrap();
        Self(process)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::CONT);
    }
}

#[test]
fn a_stopped_recorder_is_named_and_blocks_no_verb() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let [worktree] =
        &fs::read_dir(scene.state().join("wt")).unwrap().map(|it| it.unwrap().path()).collect::<Vec<_>>()[..]
    else {
        panic!("one worktree")
    };
    // The recorder waits for the worktree, and has the lock of its queue.
    let lock = File::options().write(true).open(worktree.join("lock")).unwrap();
    lock.lock().unwrap();
    Scene::send(scene.command(&["hook", "claude-code", "turn-begin"]), &event(&scene.place.root(), "s1", "Two."));
    let queue: PathBuf = until("the event", || {
        let queues = fs::read_dir(scene.state().join("turns")).unwrap().flatten().map(|queue| queue.path());
        queues
            .into_iter()
            .find(|queue| fs::read_dir(queue).unwrap().flatten().any(|file| file.path().extension().is_some()))
    });
    let process =
        until("the number of the process", || fs::read_to_string(queue.join("lock")).ok()?.trim().parse().ok());
    let kinds = until("the begin of its work", || {
        let files = fs::read_dir(&queue).unwrap().flatten().map(|file| file.path());
        let kinds: Vec<OsString> = files.filter_map(|file| Some(file.extension()?.to_owned())).collect();
        kinds.contains(&"begun".into()).then_some(kinds)
    });
    assert!(kinds.contains(&"json".into()), "others find the event under its name: {kinds:?}");
    let recorder = Stopped::new(process);
    lock.unlock().unwrap();

    let listed = scene.json(&[]);
    assert_eq!(listed["turns"].as_array().unwrap().len(), 1, "{listed}");
    let failed = &listed["failed_events"][0];
    assert_eq!((&failed["prompt"], &failed["retried"]), (&json!("Two."), &json!(true)), "{listed}");
    assert!(failed["why"].as_str().unwrap().contains(&format!("process {process} records it")), "{listed}");
    let refused = scene.turns(&["revert", "1", "--yes", "--json"]);
    assert_eq!((refused.code, refused.json()["code"].as_str()), (1, Some("locked")), "{}", refused.err);
    let refused = refused.json();
    assert!(refused["message"].as_str().unwrap().contains(&process.to_string()), "{refused}");
    assert!(scene.place.path("one.txt").exists());

    drop(recorder);
    scene.idle();
    assert_eq!(scene.column("prompt"), json!(["One.", "Two."]));
}

/// Starts a search whose command runs until it is killed, and returns it with the directory for temporary files.
fn searching(scene: &Scene) -> (Child, PathBuf) {
    let temporary = scene.place.dir.join("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let line = format!("echo $$ > {}; exec sleep 600", scene.place.dir.join("command").display());
    let mut command: Command = scene.command(&["turns", "bisect", "--", "sh", "-c", &line]);
    let child = command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    (child, temporary)
}

#[test]
fn an_interrupted_bisect_leaves_no_temporary_files() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let (mut child, temporary) = searching(&scene);
        let note = scene.place.dir.join("command");
        let command: i32 = until("the command", || fs::read_to_string(&note).ok()?.trim().parse().ok());
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1);
        kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), signal).unwrap();
        assert!(!child.wait().unwrap().success());
        until("the removal of the files", || (fs::read_dir(&temporary).unwrap().count() == 0).then_some(()));
        kill_process(Pid::from_raw(command).unwrap(), Signal::KILL).unwrap();
        fs::remove_file(note).unwrap();
    }
    assert!(scene.place.path("one.txt").exists());
}
