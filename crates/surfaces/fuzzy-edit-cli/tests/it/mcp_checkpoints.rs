//! `mcp`: the checkpoint tools, in real worktrees.

use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fuzzy_checkpoint::Engine;
use fuzzy_checkpoint_service::{Checkpointer, NoBackend, Settings};
use fuzzy_testkit::programs;
use serde_json::{Value, json};

use crate::mcp::Server;
use crate::support::Place;

/// Makes a worktree with `file.txt`, next to the state directory of the server.
fn worktree(text: &str) -> Place {
    let place = Place::new();
    add(&place, "tree", text);
    place
}

/// Makes a worktree with `file.txt` in a place.
fn add(place: &Place, tree: &str, text: &str) {
    fs::create_dir(place.path(tree)).unwrap();
    place.write(&format!("{tree}/file.txt"), text);
    programs::read(programs::git(&place.path(tree)).args(["init", "--quiet"]));
}

fn start(place: &Place, arguments: &[&str]) -> Server {
    let mut command = place.command(&[&["mcp", "--structured", "--root", "tree"], arguments].concat());
    command.env("XDG_STATE_HOME", place.path("state"));
    Server::start(command)
}

/// Calls a tool, which must succeed, and returns its data.
fn call(server: &mut Server, tool: &str, arguments: &Value) -> Value {
    let result = server.call(tool, arguments);
    assert_eq!(result["isError"], false, "{result}");
    result["structuredContent"].clone()
}

fn edit(old: &str, new: &str) -> Value {
    json!({"file_path": "file.txt", "old_string": old, "new_string": new})
}

fn names(server: &mut Server) -> Vec<String> {
    let tools = server.request("tools/list", &json!({}))["tools"].clone();
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_checkpoint_is_taken_listed_compared_and_restored() {
    let place = worktree("one\n");
    let mut server = start(&place, &["--allow-restore"]);
    let created = call(&mut server, "checkpoint_create", &json!({"label": "before"}));
    let id = created["checkpoint"]["id"].as_str().unwrap().to_owned();
    call(&mut server, "edit", &edit("one", "two"));

    let listed = call(&mut server, "checkpoint_list", &json!({}));
    assert_eq!((&listed["checkpoints"][0]["id"], &listed["checkpoints"][0]["label"]), (&json!(id), &json!("before")));
    let differing = server.call("checkpoint_diff", &json!({"from": id}));
    assert_eq!(differing["structuredContent"]["files"], json!([{"path": "file.txt", "change": "changed"}]));
    assert!(differing["content"][0]["text"].as_str().unwrap().contains("-one\n+two\n"), "{differing}");

    let plan = call(&mut server, "checkpoint_restore", &json!({"checkpoint": id}));
    assert_eq!((&plan["status"], &plan["files_to_write"]), (&json!("dry_run"), &json!(["file.txt"])));
    assert_eq!(place.text("tree/file.txt"), "two\n");
    let restored = call(&mut server, "checkpoint_restore", &json!({"checkpoint": id, "dry_run": false}));
    assert_eq!(restored["status"], "restored");
    assert_eq!(place.text("tree/file.txt"), "one\n");

    let absent = server.call("checkpoint_diff", &json!({"from": "absent"}));
    assert_eq!(absent["isError"], true);
    assert_eq!(absent["structuredContent"]["code"], "not_in_session");
    server.end();
}

#[test]
fn restoring_needs_an_option_of_the_server() {
    let place = worktree("one\n");
    let mut server = start(&place, &[]);
    let names = names(&mut server);
    assert!(names.iter().any(|name| name == "checkpoint_create"), "{names:?}");
    assert!(!names.iter().any(|name| name == "checkpoint_restore"), "{names:?}");
    assert_eq!(server.call("checkpoint_restore", &json!({"checkpoint": "x"})), Value::Null);
    server.end();
}

#[test]
fn a_checkpoint_precedes_the_first_write_of_a_session() {
    let place = worktree("one\n");
    let mut server = start(&place, &["--checkpoint", "--session", "of the test"]);
    server.call("edit", &edit("absent from it all", "x"));
    assert_eq!(call(&mut server, "checkpoint_list", &json!({}))["checkpoints"], json!([]));
    let first = call(&mut server, "edit", &edit("one", "two"));
    assert!(first["note"].as_str().unwrap().contains("was taken before this edit"), "{first}");
    let second = call(&mut server, "edit", &edit("two", "three"));
    assert_eq!(second["note"], Value::Null);
    let listed = call(&mut server, "checkpoint_list", &json!({}));
    let [taken] = &listed["checkpoints"].as_array().unwrap()[..] else { panic!("one checkpoint: {listed}") };
    let differing = server.call("checkpoint_diff", &json!({"from": taken["id"]}));
    assert!(differing["content"][0]["text"].as_str().unwrap().contains("-one\n+three\n"), "{differing}");
    server.end();

    // Another session has its own checkpoints.
    let mut other = start(&place, &[]);
    assert_eq!(call(&mut other, "checkpoint_list", &json!({}))["checkpoints"], json!([]));
    other.end();
}

#[test]
fn an_edit_without_a_checkpoint_is_applied_with_a_note() {
    let place = worktree("one\n");
    fs::remove_dir_all(place.path("tree/.git")).unwrap();
    let mut server = start(&place, &["--checkpoint"]);
    let done = call(&mut server, "edit", &edit("one", "two"));
    assert!(done["note"].as_str().unwrap().starts_with("no checkpoint: not_a_worktree: "), "{done}");
    assert_eq!(place.text("tree/file.txt"), "two\n");
    let refused = server.call("checkpoint_create", &json!({}));
    assert_eq!(refused["structuredContent"]["code"], "not_a_worktree");
    assert!(refused["content"][0]["text"].as_str().unwrap().starts_with("not_a_worktree: "), "{refused}");
    server.end();
}

#[test]
fn every_root_has_a_checkpoint_from_before_its_first_write() {
    let place = worktree("one\n");
    add(&place, "other", "one\n");
    let mut server = start(&place, &["--root", "other", "--checkpoint", "--session", "of both"]);
    let file = place.path("other").canonicalize().unwrap().join("file.txt");
    let there = |old: &str, new: &str| json!({"file_path": file, "old_string": old, "new_string": new});
    let mut notes = Vec::new();
    for arguments in [edit("one", "two"), there("one", "two"), edit("two", "three"), there("two", "three")] {
        notes.push(call(&mut server, "edit", &arguments)["note"].clone());
    }
    server.end();
    assert!(notes[..2].iter().all(|note| note.as_str().unwrap().contains("was taken before this edit")), "{notes:?}");
    assert_eq!(notes[2..], [Value::Null, Value::Null]);
    // Each worktree has its own session of that name.
    for tree in ["tree", "other"] {
        let mut command = place.command(&["mcp", "--structured", "--root", tree, "--session", "of both"]);
        command.env("XDG_STATE_HOME", place.path("state"));
        let mut server = Server::start(command);
        let listed = call(&mut server, "checkpoint_list", &json!({}));
        let [taken] = &listed["checkpoints"].as_array().unwrap()[..] else { panic!("one of {tree}: {listed}") };
        let differing = server.call("checkpoint_diff", &json!({"from": taken["id"]}));
        assert!(differing["content"][0]["text"].as_str().unwrap().contains("-one\n+three\n"), "{differing}");
        server.end();
    }
}

#[test]
fn an_id_that_is_no_session_of_the_worktree_is_refused_at_the_start() {
    let place = worktree("one\n");
    add(&place, "other", "one\n");
    let state = place.path("state/fuzzy-edit");
    let service = Checkpointer::open(&state, None, Arc::new(NoBackend), Settings::default()).unwrap();
    let session = service.session_titled(&place.path("other"), "theirs").unwrap().0;
    let refused = |session: &str, why: &str| {
        let mut command = place.command(&["mcp", "--root", "tree", "--session", session]);
        let output = command.env("XDG_STATE_HOME", place.path("state")).stdin(Stdio::null()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.starts_with(&format!("fuzzy-edit: bad_input: --session: {why}")), "{err}");
        assert!(err.contains("Name a session of this worktree"), "{err}");
    };
    refused(&session, &format!("`{session}` is a session of another worktree"));
    refused("01ARZ3NDEKTSV4RRFFQ69G5FAV", "there is no session `01ARZ3NDEKTSV4RRFFQ69G5FAV`");
    let own = service.session_titled(&place.path("tree"), "ours").unwrap().0;
    start(&place, &["--session", &own]).end();
}

#[test]
fn the_effects_of_a_cancelled_request_are_in_the_next_answer() {
    let place = worktree("one\n");
    let mut server = start(&place, &[]);
    call(&mut server, "checkpoint_list", &json!({}));
    let worktree = Engine::new(place.path("state/fuzzy-edit")).open(&place.path("tree")).unwrap();
    let create = json!({"name": "checkpoint_create", "arguments": {"label": "unheard of"}});
    // A request that is cancelled before it begins is not carried out, so each attempt waits longer.
    let listed = (0..10)
        .map(|attempt| {
            let locked = worktree.lock().unwrap();
            let id = format!("lost {attempt}");
            server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": create}));
            thread::sleep(Duration::from_millis(20 << attempt));
            server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
            server.request("ping", &json!({}));
            drop(locked);
            server.call("checkpoint_list", &json!({}))
        })
        .find(|listed| listed["structuredContent"]["checkpoints"] != json!([]))
        .expect("one of ten is begun");
    let taken = &listed["structuredContent"]["checkpoints"][0];
    assert_eq!(taken["label"], "unheard of", "{listed}");
    let expected = format!("A cancelled request had already finished: checkpoint {}", taken["id"].as_str().unwrap());
    let text = |answer: &Value| answer["content"][0]["text"].as_str().unwrap().to_owned();
    // A call may run between the checkpoint and its note; then a later answer has the note.
    let later = (0..10).map(|_| text(&server.call("checkpoint_list", &json!({}))));
    let noted = [text(&listed)].into_iter().chain(later).find(|text| text.contains("cancelled"));
    assert!(noted.as_ref().is_some_and(|text| text.contains(&expected)), "{noted:?}");
    let again = server.call("checkpoint_list", &json!({}));
    assert!(!again["content"][0]["text"].as_str().unwrap().contains("cancelled"), "{again}");
    server.end();
}
