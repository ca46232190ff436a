//! A blocked worktree does not delay the others.

use std::fs::{self, File};
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

use super::support::Server;
use crate::place::Place;

/// Makes another worktree, and a session there.
fn another(place: &Place, server: &Server) -> Value {
    let dir = place.dir.join("another");
    fs::create_dir(&dir).unwrap();
    place.git_in(&dir, &["init", "-q"]);
    server.post("/api/sessions", &json!({"worktree": dir})).ok()["id"].clone()
}

#[test]
fn requests_that_wait_for_a_worktree_use_no_worker() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let other = another(&place, &server);
    let checkpoints = |session: &str| format!("/api/sessions/{session}/checkpoints");
    let worktree = server.post(&checkpoints(&session), &json!({})).ok()["worktree_id"].as_str().unwrap().to_owned();
    let lock = File::open(place.dir.join("state/fuzzy-edit/wt").join(worktree).join("lock")).unwrap();
    lock.lock().unwrap();
    thread::scope(|scope| {
        let waiting: Vec<_> =
            (0..12).map(|_| scope.spawn(|| server.post(&checkpoints(&session), &json!({})).status)).collect();
        // There are more of these requests than worker threads.
        thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(server.post(&checkpoints(other.as_str().unwrap()), &json!({})).status, 200);
        assert!(waiting.iter().all(|one| !one.is_finished()), "the worktree is still locked");
        lock.unlock().unwrap();
        for one in waiting {
            assert_eq!(one.join().unwrap(), 200);
        }
    });
}

#[test]
fn a_server_starts_although_a_worktree_cannot_be_recovered() {
    let place = Place::new();
    place.unchecked();
    let session = {
        let server = Server::start(&place, &[]);
        let session = server.session(&place);
        server.post(&format!("/api/sessions/{session}/checkpoints"), &json!({})).ok();
        session
    };
    fs::remove_file(place.path(".git/HEAD")).unwrap();
    // Older programs wrote the other file.
    for name in [".git/fuzzy-edit-worktree", ".git/HEAD"] {
        assert!(Command::new("mkfifo").arg(place.path(name)).status().unwrap().success());
    }
    let server = Server::start(&place, &[]);
    assert_eq!(server.get(&format!("/api/sessions/{session}")).status, 200);
    let other = another(&place, &server);
    server.post(&format!("/api/sessions/{}/checkpoints", other.as_str().unwrap()), &json!({})).ok();
    drop(server);
    // A git process that still waits reads nothing, and exits.
    drop(File::options().read(true).write(true).open(place.path(".git/HEAD")).unwrap());
}
