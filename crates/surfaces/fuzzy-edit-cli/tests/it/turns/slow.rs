//! Captures that take longer than a host waits.

use std::fs;
use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use super::scene::{Scene, event};

impl Scene {
    /// Runs a hook whose capture ends only when [`Scene::open`] is called.
    fn held_up(&self, verb: &str) {
        let mut command = self.command(&["hook", "claude-code", verb]);
        command.env("FUZZY_FAILPOINT_WAIT", "captured").env("FUZZY_FAILPOINT_DIR", &self.place.dir);
        Self::send(command, &event(&self.place.root(), "s1", "One."));
    }

    fn open(&self) {
        fs::write(self.place.dir.join("go"), "").unwrap();
    }
}

#[test]
fn a_slow_capture_continues_and_the_next_verb_waits_for_it() {
    let scene = Scene::new();
    // The hook returns although its capture is blocked.
    scene.held_up("turn-begin");
    let mut listing = scene.command(&["turns", "--json"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(listing.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "fuzzy-edit: waiting for the checkpoint of a turn\n");
    assert!(listing.try_wait().unwrap().is_none());
    scene.open();
    let listed = listing.wait_with_output().unwrap();
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let turn = &listed["turns"][0];
    assert!(turn["checkpoint"].is_string() && turn["state"] == "running", "{turn}");
}

#[test]
fn the_end_of_a_turn_waits_for_its_begin() {
    let scene = Scene::new();
    scene.held_up("turn-begin");
    scene.held_up("turn-end");
    scene.open();
    let list = scene.list();
    assert_eq!((list.len(), &list[0]["state"], &list[0]["files"]), (1, &json!("done"), &json!(0)), "{list:?}");
}

#[test]
fn a_killed_process_leaves_a_turn_with_the_reason() {
    let scene = Scene::new();
    for (session, point) in [("s1", "captured"), ("s2", "checkpoint pinned")] {
        let mut hook = scene.command(&["hook", "claude-code", "turn-begin"]);
        hook.env("FUZZY_FAILPOINT_KILL", point);
        Scene::send(hook, &event(&scene.place.root(), session, "One."));
    }
    scene.shell("echo 1 > one.txt");
    // The list records the event of the other session.
    let end = scene.command(&["hook", "claude-code", "turn-end"]);
    Scene::send(end, &event(&scene.place.root(), "s1", ""));
    let list = scene.list();
    assert_eq!(list.len(), 2, "{list:?}");
    for (turn, state) in list.iter().zip(["done", "running"]) {
        assert_eq!((&turn["checkpoint"], &turn["state"]), (&json!(null), &json!(state)));
        assert_eq!(turn["no_checkpoint"], "its process was killed", "{list:?}");
    }
    scene.turn("s1", "Two.", "echo 2 > two.txt");
    assert_eq!(scene.column("files"), json!([null, null, 1]));
}
