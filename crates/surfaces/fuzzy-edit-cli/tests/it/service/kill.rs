//! `kill -9` of the server at every relevant point: the next one finishes the restore, once, before it serves.

use std::thread;
use std::time::Duration;

use serde_json::json;

use super::database::{Database, on_each_database};
use super::points::{Points, armed, dying, everywhere};
use super::scene::undo;
use super::server::{Server, until};
use crate::place::text;

on_each_database!(
    a_restore_is_finished,
    an_undo_is_finished,
    a_forced_restore_is_finished,
    a_recovery_is_finished,
    a_turn_that_was_begun_can_be_ended,
);

/// The named points of a restore; the others are calls of git or steps of the writer.
const PHASES: &[&str] = &[
    "begun",
    "checkpoint pinned",
    "checkpoint recorded",
    "safe",
    "before files",
    "files",
    "index locked",
    "index installed",
    "index",
    "done",
    "reset",
];

fn a_restore_is_finished(database: Database) {
    everywhere(database, &Points::new(PHASES), false, |scene, round, point| {
        let before = scene.talk(&scene.start());
        let key = format!("restore at {point}");
        let request = |server: &Server| scene.restore(server, &key, &json!({}));
        let died = dying(scene, point, request);
        let name = died.clone().unwrap_or_else(|_| "unharmed".into());
        let server = scene.start();
        scene.check_nothing_open(&name);
        let done = request(&server).expect("an answer").good();
        scene.check_restored(&server, &before, &done, &name);
        assert_eq!((&done["files_written"], &done["files_deleted"]), (&json!(3), &json!(3)), "{name}: {done}");
        assert_eq!(request(&server).expect("an answer").good(), done, "{name}: the same answer again");
        if round % 2 == 0 {
            let restored = scene.talk(&server);
            let undone = undo(&server, &text(&done, "restore_id"), &format!("undo {key}"));
            scene.check_undone(&server, &before, &restored, &undone.expect("an answer").good()["restore"], &name);
        } else {
            scene.check_goes_on(&server, &before, &name);
            scene.again(&server);
        }
        died.is_ok()
    });
}

fn an_undo_is_finished(database: Database) {
    everywhere(database, &Points::new(PHASES), false, |scene, _, point| {
        let (before, restored, restore) = {
            let server = scene.start();
            let before = scene.talk(&server);
            let done = scene.restore(&server, &format!("restore for {point}"), &json!({})).expect("an answer").good();
            (before, scene.talk(&server), text(&done, "restore_id"))
        };
        let request = |server: &Server| undo(server, &restore, &format!("undo at {point}"));
        let died = dying(scene, point, request);
        let name = died.clone().unwrap_or_else(|_| "unharmed".into());
        let server = scene.start();
        scene.check_nothing_open(&name);
        let done = request(&server).expect("an answer").good();
        scene.check_undone(&server, &before, &restored, &done["restore"], &name);
        assert_eq!(request(&server).expect("an answer").good(), done, "{name}: the same answer again");
        died.is_ok()
    });
}

fn a_forced_restore_is_finished(database: Database) {
    let points = Points::named(&["begun", "stopped", "safe", "files", "done"]);
    everywhere(database, &points, false, |scene, _, point| {
        let server = scene.start();
        let turn = scene.busy(&server);
        let before = scene.talk(&server);
        scene
            .restore(&server, &format!("unforced at {point}"), &json!({}))
            .expect("an answer")
            .refused(409, "agent_running");
        drop(server);
        let request = |server: &Server| scene.restore(server, &format!("forced at {point}"), &json!({"force": true}));
        let name = dying(scene, point, request).expect("killed");
        let server = scene.start();
        scene.check_nothing_open(&name);
        let done = request(&server).expect("an answer").good();
        scene.check_restored(&server, &before, &done, &name);
        let notes = &scene.notes()[before.notes.len()..];
        assert!(notes.contains(&format!("stop {}", scene.session)), "{name}: {notes:?}");
        scene.add_message(&server, &turn, "too late").refused(409, "turn_over");
        scene.check_goes_on(&server, &before, &name);
        scene.again(&server);
        true
    });
}

/// The server dies in the restore, and the next one during recovery.
fn a_recovery_is_finished(database: Database) {
    let points = Points::new(&["safe", "before files", "files", "index locked", "index", "done", "reset"]);
    everywhere(database, &points, true, |scene, round, point| {
        let before = scene.talk(&scene.start());
        let request = |server: &Server| scene.restore(server, &format!("restore {round} then {point}"), &json!({}));
        // After later points, less remains to do.
        let first = if point.parse::<u32>().is_ok() && round % 2 == 0 { "before files" } else { "begun" };
        dying(scene, first, request).expect("killed");
        let died = armed(scene, point).and_then(|mut server| {
            // It listens before a slow recovery is done, and dies in the recovery.
            let store = scene.database.store();
            let is_over = || {
                store.open_restores().expect("listed").is_empty()
                    && store.undelivered_resets().expect("listed").is_empty()
            };
            until("the end of the recovery", || (server.has_ended() || is_over()).then_some(()));
            // The last point follows shortly after that.
            thread::sleep(Duration::from_secs(1));
            if server.has_ended() { Err(point.to_owned()) } else { Ok(()) }
        });
        let name = format!("{first}, then {}", died.clone().err().unwrap_or_else(|| "unharmed".into()));
        let server = scene.start();
        scene.check_nothing_open(&name);
        let done = request(&server).expect("an answer").good();
        scene.check_restored(&server, &before, &done, &name);
        assert_eq!((&done["files_written"], &done["files_deleted"]), (&json!(3), &json!(3)), "{name}: {done}");
        let (restored, restore) = (scene.talk(&server), text(&done, "restore_id"));
        let undone = undo(&server, &restore, &format!("undo {name}")).expect("an answer").good();
        scene.check_undone(&server, &before, &restored, &undone["restore"], &name);
        died.is_err()
    });
}

fn a_turn_that_was_begun_can_be_ended(database: Database) {
    everywhere(database, &Points::new(&["checkpoint pinned", "checkpoint recorded"]), false, |scene, _, point| {
        let (before, worktree) = (scene.talk(&scene.start()), scene.worktree());
        let request = |server: &Server| server.request(&scene.at("/turns"), None, &json!({"message": "cut off"}));
        let died = dying(scene, point, request);
        let name = died.clone().unwrap_or_else(|_| "unharmed".into());
        assert_eq!(scene.worktree(), worktree, "{name}: a capture changes nothing");
        let server = scene.start();
        let session = server.get(&scene.at(""));
        if session["state"] == "running" {
            // A client that was disconnected reads the turn from the session.
            let turn = text(&session, "turn");
            scene.add_message(&server, &turn, "it works").good();
            server.post(&scene.at(&format!("/turns/{turn}/end")), &json!({"status": "failed"})).good();
        }
        let after = scene.talk(&server);
        assert_eq!(after.messages[..before.messages.len()], before.messages, "{name}: nothing is lost");
        let all = server.get(&scene.at("/checkpoints?all=true"));
        for checkpoint in all["checkpoints"].as_array().expect("checkpoints") {
            let id = text(checkpoint, "id");
            assert_eq!(server.get(&scene.at(&format!("/checkpoints/{id}")))["pinned"], true, "{name}: {checkpoint}");
        }
        let turn = scene.begin(&server, "the next");
        scene.end(&server, &turn);
        let before = scene.talk(&server);
        let done = scene.restore(&server, &name, &json!({})).expect("an answer").good();
        scene.check_restored(&server, &before, &done, &name);
        scene.again(&server);
        died.is_ok()
    });
}
