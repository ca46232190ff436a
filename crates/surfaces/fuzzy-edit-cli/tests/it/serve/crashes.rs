//! A server that is killed or stopped in the middle of a restore.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::{Server, command, reset, resets};
use crate::place::Place;

/// Polls until a restore is over.
fn over(server: &Server, restore: &str) -> Value {
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        let row = server.get(&format!("/api/restores/{restore}")).ok();
        if row["phase"] == json!("done") {
            return row;
        }
        assert!(Instant::now() < deadline, "{row}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// Kills the server in a restore at the point `stop`, and starts another one.
pub(crate) fn killed_at(place: &Place, stop: &str, reset_after: &[&str]) {
    let reset = reset(place);
    let mut failing = command(place, &["--reset", &reset]);
    failing.env("FUZZY_FAILPOINT_KILL", stop);
    let server = Server::run(failing);
    let session = server.session(place);
    let then = place.files();
    let (_, first) = server.turn(&session, "one", || place.write("a.txt", "changed\n"));
    server.turn(&session, "two", || place.write("new.txt", "new\n"));
    let route = format!("/api/sessions/{session}/checkpoints/{first}/restore");
    let key = [("Idempotency-Key", "a key")];
    assert!(server.request("POST", &route, &key, Some("{}")).is_err(), "{stop}: nobody answers");
    assert_eq!(server.wait().0.signal(), Some(9));
    assert_eq!(resets(place, &session), reset_after, "{stop}");

    let server = Server::start(place, &["--reset", &reset]);
    // Until another process takes the restore over, all other requests wait; then the key returns the answer.
    let pending = server.request("POST", &route, &key, Some("{}")).unwrap();
    let restore = match pending.status {
        200 => pending.text("restore_id"),
        _ => pending.refused(409, "restore_in_progress")["restore_id"].as_str().unwrap().to_owned(),
    };
    over(&server, &restore);
    let done = server.request("POST", &route, &key, Some("{}")).unwrap().ok();
    assert_eq!((&done["restore_id"], &done["messages_deleted"]), (&json!(restore), &json!(3)), "{stop}");
    assert_eq!((place.files(), server.transcript(&session)), (then, vec!["one".to_owned()]), "{stop}");
    let listed = server.get(&format!("/api/sessions/{session}")).ok();
    assert_eq!((&listed["state"], &listed["generation"]), (&json!("idle"), &json!(1)), "{stop}");
    // The agent is reset after the restore is done.
    let deadline = Instant::now() + Duration::from_mins(1);
    while resets(place, &session).is_empty() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(50));
    }
    assert!(resets(place, &session).iter().all(|generation| generation == "1"), "{stop}");
    server.terminate();
    let (status, output) = server.wait();
    assert!(status.success(), "{stop}: {output}");
    let expected = if reset_after.is_empty() && stop != "done" { "restore" } else { "its agent is being reset" };
    assert!(output.contains(expected), "{stop}: {output}");
}

/// A file that appears while no server runs is in no checkpoint. Recovery keeps it; only another restore captures and
/// removes it.
fn kept() {
    let place = Place::new();
    let mut failing = command(&place, &[]);
    failing.env("FUZZY_FAILPOINT_KILL", "safe");
    let server = Server::run(failing);
    let session = server.session(&place);
    place.write("x.txt", "then\n");
    let (_, first) = server.turn(&session, "one", || fs::remove_file(place.path("x.txt")).unwrap());
    let route = format!("/api/sessions/{session}/checkpoints/{first}/restore");
    assert!(server.request("POST", &route, &[], Some("{}")).is_err());
    drop(server);
    place.write(".git/info/exclude", "x.txt\n");
    place.write("x.txt", "in no checkpoint\n");

    let server = Server::start(&place, &[]);
    let deadline = Instant::now() + Duration::from_mins(2);
    let restores = format!("/api/sessions/{session}/restores");
    let recovered = loop {
        let row = server.get(&restores).ok()["restores"][0].clone();
        if row["phase"] == json!("done") {
            break row;
        }
        assert!(Instant::now() < deadline, "{row}");
        thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(recovered["result"]["kept"], json!(["x.txt"]));
    assert_eq!(place.read("x.txt"), b"in no checkpoint\n");
    let second = server.post(&route, &json!({})).ok();
    assert_eq!(place.read("x.txt"), b"then\n");
    server.undo(second["restore_id"].as_str().unwrap());
    assert_eq!(place.read("x.txt"), b"in no checkpoint\n");
}

#[test]
fn a_database_that_is_gone_is_an_error_of_the_next_request() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let database = place.dir.join("state/fuzzy-edit/state.db");
    std::fs::rename(&database, place.dir.join("away")).unwrap();
    server.get("/api/sessions").refused(500, "store");
    let turn = serde_json::json!({"message": "lost?"});
    server.post(&format!("/api/sessions/{session}/turns"), &turn).refused(500, "store");
    std::fs::write(&database, "another").unwrap();
    server.get("/api/sessions").refused(500, "store");
    std::fs::rename(place.dir.join("away"), &database).unwrap();
    server.post(&format!("/api/sessions/{session}/turns"), &turn).ok();
    assert_eq!(server.transcript(&session), ["lost?"]);
}

#[test]
fn a_killed_server_leaves_no_partial_restore() {
    thread::scope(|scope| {
        scope.spawn(kept);
        for (stop, resets) in
            [("begun", &[][..]), ("safe", &[]), ("files", &[]), ("index", &[]), ("done", &[]), ("reset", &["1"])]
        {
            scope.spawn(move || killed_at(&Place::new(), stop, resets));
        }
    });
}

#[test]
fn a_stopped_server_finishes_its_requests() {
    let place = Place::new();
    let (here, go) = (place.dir.join("here"), place.dir.join("go"));
    let script = format!("touch {}; until test -e {}; do sleep 0.05; done", here.display(), go.display());
    let server = Server::start(&place, &["--stop", &format!("sh -c '{script}'")]);
    let session = server.session(&place);
    let begun = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "one"})).ok();
    place.write("a.txt", "changed\n");
    let route = format!("/api/sessions/{session}/checkpoints/{}/restore", begun["checkpoint_id"].as_str().unwrap());
    let done = thread::scope(|scope| {
        let pending = scope.spawn(|| server.post(&route, &json!({"force": true})).ok());
        while !here.exists() && !pending.is_finished() {
            thread::sleep(Duration::from_millis(10));
        }
        server.terminate();
        fs::write(&go, "").unwrap();
        pending.join().unwrap()
    });
    assert_eq!(done["worktree_reset"], json!(true));
    assert_eq!(place.read("a.txt"), b"alpha\n");
    let (status, output) = server.wait();
    assert!(status.success() && output.contains("current requests are finished first"), "{output}");
}
