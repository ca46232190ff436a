//! No event of a turn is lost: what cannot be recorded is kept, tried again, and listed.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::scene::{Scene, event};
use crate::place::text;

impl Scene {
    /// Runs a hook with the bytes of an event, and waits until the queue is empty.
    fn raw(&self, verb: &str, event: &[u8]) {
        use std::io::Write;
        let mut child = self.command(&["hook", "claude-code", verb]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(event).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(0), Vec::new(), Vec::new()));
        self.idle();
    }

    fn failed(&self) -> Vec<Value> {
        self.json(&[])["failed_events"].as_array().cloned().unwrap_or_default()
    }
}

#[test]
fn odd_events_are_recorded() {
    let scene = Scene::new();
    let root = scene.place.root();
    let with = |prompt: &str, more: &str| {
        format!(r#"{{"session_id":"s1","cwd":{},"prompt":"{prompt}"{more}}}"#, json!(root)).into_bytes()
    };
    let deep = format!(",\"more\":{}{}", "[".repeat(300), "]".repeat(300));
    let mut wrong = with("wrong \u{1}", "");
    let at = wrong.iter().position(|byte| *byte == 1).unwrap();
    wrong[at] = 0xff;
    let cases = [
        (with(r"half \ud83d", ""), "half \u{fffd}"),
        (wrong, "wrong \u{fffd}"),
        ([b"\xef\xbb\xbf".to_vec(), with("mark", "")].concat(), "mark"),
        (with("large", ",\"cost\":1e999"), "large"),
        (with("deep", &deep), "deep"),
    ];
    for (event, _) in &cases {
        scene.raw("turn-begin", event);
        scene.end("s1");
    }
    let prompts: Value = cases.iter().map(|case| case.1).collect();
    assert_eq!((scene.column("prompt"), scene.failed()), (prompts, Vec::new()));
    assert!(scene.list().iter().all(|turn| turn["checkpoint"].is_string() && turn["state"] == "done"));
}

#[test]
fn an_event_that_cannot_be_read_is_kept_and_listed() {
    let scene = Scene::new();
    let whole = event(&scene.place.root(), "s1", "Cut.");
    for (sent, why) in [
        (&whole.as_bytes()[..whole.len() - 3], "not JSON"),
        (br#"{"prompt":"x"}"#, "no session"),
        (br#"{"session_id":"a\u0007","prompt":"x"}"#, "control characters"),
        (b"", "not JSON"),
    ] {
        scene.raw("turn-begin", sent);
        let failed = scene.failed().pop().unwrap();
        assert!(text(&failed, "why").contains(why) && failed["retried"] == false, "{failed}");
        let kept: Value = serde_json::from_str(&fs::read_to_string(text(&failed, "file")).unwrap()).unwrap();
        assert_eq!(kept["text"].as_str().unwrap().as_bytes(), sent);
    }
    let listed = scene.turns(&[]).text();
    assert!(
        listed.contains("not recorded: turn-begin of claude-code") && listed.contains("it is kept in "),
        "{listed}"
    );
    let unknown = scene.command(&["hook", "later", "turn-end"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(0));
    assert_eq!(text(scene.failed().last().unwrap(), "host"), "later");
    for failed in scene.failed() {
        fs::remove_file(text(&failed, "file")).unwrap();
    }
    assert_eq!(scene.failed(), Vec::<Value>::new());
}

#[test]
fn events_wait_for_a_locked_database() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let database = Connection::open(scene.state().join("state.db")).unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            // Longer than one attempt of the process that records the event.
            thread::sleep(Duration::from_secs(12));
            database.execute_batch("COMMIT").unwrap();
        });
        Scene::send(scene.command(&["hook", "claude-code", "turn-begin"]), &event(&scene.place.root(), "s1", "Two."));
    });
    scene.idle();
    scene.end("s1");
    assert_eq!((scene.column("prompt"), scene.failed()), (json!(["One.", "Two."]), Vec::new()));
    assert_eq!(scene.column("state"), json!(["done", "done"]));
}

#[test]
fn events_of_a_database_that_is_away_are_tried_again() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    // No database is at this address.
    let away = "postgres://nobody@127.0.0.1:1/none";
    for (verb, prompt) in [("turn-begin", "Two."), ("turn-end", "")] {
        let mut hook = scene.command(&["hook", "claude-code", verb]);
        hook.env("FUZZY_EDIT_DATABASE", away);
        Scene::send(hook, &event(&scene.place.root(), "s1", prompt));
        scene.idle();
    }
    let kept = || fs::read_dir(scene.state().join("turns-failed")).map_or(0, Iterator::count);
    assert_eq!(kept(), 2);
    // The next listing with a database records them.
    let list = scene.list();
    assert_eq!((list.len(), kept()), (2, 0), "{list:?}");
    assert_eq!((&list[1]["prompt"], &list[1]["state"]), (&json!("Two."), &json!("done")), "{list:?}");
    let why = text(&list[1], "no_checkpoint");
    assert!(why.starts_with("it could not be recorded in time: store: "), "{why}");
}

#[test]
fn events_during_an_unfinished_restore_are_tried_again() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let mut undo = scene.command(&["turns", "revert", "--yes"]);
    undo.env("FUZZY_FAILPOINT_KILL", "safe").output().unwrap();
    scene.begin("s1", "Two.");
    assert_eq!(scene.command(&["checkpoint", "recover"]).output().unwrap().status.code(), Some(0));
    assert_eq!((scene.column("prompt"), scene.failed()), (json!(["One.", "Two."]), Vec::new()));
}

#[test]
fn the_end_of_a_turn_may_come_from_another_directory() {
    let scene = Scene::new();
    let home = scene.place.dir.join("home");
    let elsewhere = scene.place.dir.join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    for (number, directory) in [home, elsewhere, scene.place.dir.join("missing")].iter().enumerate() {
        scene.begin("s1", &format!("{number}"));
        scene.shell(&format!("echo {number} > {number}.txt"));
        scene.hook("turn-end", &event(directory, "s1", ""));
    }
    assert_eq!((scene.column("state"), scene.column("files")), (json!(["done", "done", "done"]), json!([1, 1, 1])));
}

#[test]
fn a_damaged_event_in_the_queue_is_kept() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let queue = fs::read_dir(scene.state().join("turns")).unwrap().next().unwrap().unwrap().path();
    fs::write(queue.join("000000000000001-1.json"), "{\"host\":").unwrap();
    scene.turn("s1", "Two.", "echo 2 > two.txt");
    let files: Vec<_> = fs::read_dir(scene.state().join("turns-failed")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    assert!(fs::read_to_string(files[0].path()).unwrap().contains("was damaged"));
    assert_eq!(scene.column("prompt"), json!(["One.", "Two."]));
}
