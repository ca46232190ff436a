//! Refused requests, with their status codes.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::support::Server;
use crate::place::Place;

#[test]
fn a_checkpoint_of_another_session_is_unknown() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let (session, other) = (server.session(&place), server.session(&place));
    let theirs = server.post(&format!("/api/sessions/{other}/checkpoints"), &json!({"label": "theirs"})).text("id");
    let absent = "01KAN3F2000000000000000000";
    let mut bodies = Vec::new();
    for (session, checkpoint) in
        [(&session[..], &theirs[..]), (&session, absent), (absent, &theirs), (&session, "x"), ("%ff", "..%2f..")]
    {
        let route = format!("/api/sessions/{session}/checkpoints/{checkpoint}");
        for (method, below) in [("POST", "/restore"), ("POST", "/plan"), ("GET", ""), ("GET", "/diff")] {
            let answer = server.request(method, &format!("{route}{below}"), &[], None).unwrap();
            answer.refused(404, "not_in_session");
            bodies.push(answer.body);
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    for route in ["", "/messages", "/checkpoints"] {
        assert_eq!(server.get(&format!("/api/sessions/{absent}{route}")).body, bodies[0]);
    }
    let compared = server.get(&format!("/api/sessions/{other}/checkpoints/{theirs}/diff?to={theirs}")).ok();
    assert_eq!(compared["files"], json!([]));
    for to in [absent, "x"] {
        let route = format!("/api/sessions/{other}/checkpoints/{theirs}/diff?to={to}");
        server.get(&route).refused(404, "not_in_session");
    }
    for restore in [absent, "x", &theirs] {
        server.get(&format!("/api/restores/{restore}")).refused(404, "not_found");
        server.post(&format!("/api/restores/{restore}/abort"), &Value::Null).refused(404, "not_found");
    }
}

#[test]
fn lost_checkpoints_and_obstacles_are_named() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let checkpoints = format!("/api/sessions/{session}/checkpoints");
    let lost = server.post(&checkpoints, &Value::Null).text("id");
    place.write("dir/b.txt", "changed\n");
    let other = server.post(&checkpoints, &json!({"label": "kept"})).text("id");
    place.lose(&lost);
    server.terminate();
    assert!(server.wait().0.success());

    let server = Server::start(&place, &[]);
    for what in ["restore", "plan"] {
        server.post(&format!("{checkpoints}/{lost}/{what}"), &json!({})).refused(410, "lost");
    }
    assert_eq!(server.get(&format!("{checkpoints}/{lost}")).ok()["size_bytes"], json!(0));
    // An ignored file in the place of a directory of the checkpoint.
    std::fs::remove_dir_all(place.path("dir")).unwrap();
    place.write(".git/info/exclude", "dir\n");
    place.write("dir", "in no checkpoint\n");
    let refused = server.post(&format!("{checkpoints}/{other}/restore"), &json!({})).refused(409, "obstructed");
    assert_eq!(refused["paths"], json!(["dir"]));
    let plan = server.post(&format!("{checkpoints}/{other}/plan"), &json!({})).ok();
    assert_eq!(plan["obstructed"], json!(["dir"]));
    assert_eq!(place.read("dir"), b"in no checkpoint\n");
}

#[test]
fn a_session_needs_a_worktree_and_a_turn_needs_no_checkpoint() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let empty = place.dir.join("home");
    server.post("/api/sessions", &json!({"worktree": empty})).refused(422, "not_a_worktree");
    let session = server.session(&place);
    std::fs::rename(place.root(), place.dir.join("away")).unwrap();
    let begun = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "one"})).ok();
    assert_eq!(begun["checkpoint_id"], Value::Null);
    let why = begun["uncheckpointed"].as_str().unwrap();
    let messages = server.get(&format!("/api/sessions/{session}/messages")).ok();
    assert_eq!(messages["messages"][0]["uncheckpointed"], json!(why));
    assert!(why.contains("repo"), "{why}");
}

#[test]
fn nothing_outside_the_roots_is_served() {
    let place = Place::new();
    for dir in ["inside", "outside", "repo/below"] {
        std::fs::create_dir_all(place.dir.join(dir)).unwrap();
    }
    for dir in ["inside", "outside"] {
        place.git_in(&place.dir.join(dir), &["init", "-q"]);
    }
    symlink(place.dir.join("outside"), place.dir.join("inside/link")).unwrap();
    let everywhere = Server::start(&place, &[]);
    let session = everywhere.post("/api/sessions", &json!({"worktree": place.dir.join("outside")})).text("id");
    let server = Server::start(&place, &["--root", "inside", "--root", "repo/below"]);
    let inside = server.post("/api/sessions", &json!({"worktree": place.dir.join("inside")})).text("id");
    for outside in ["outside", "inside/link", "inside/../outside", "absent", "repo/below", "."] {
        let named = json!({"worktree": place.dir.join(outside)});
        server.post("/api/sessions", &named).refused(403, "outside_root");
    }
    // A file `.git` may also lead outside.
    std::fs::create_dir(place.dir.join("inside/stranger")).unwrap();
    let leads = format!("gitdir: {}\n", place.dir.join("outside/.git").display());
    std::fs::write(place.dir.join("inside/stranger/.git"), leads).unwrap();
    let named = json!({"worktree": place.dir.join("inside/stranger")});
    server.post("/api/sessions", &named).refused(403, "outside_root");
    for odd in ["", "inside", "/", "\u{0}", "~"] {
        server.post("/api/sessions", &json!({"worktree": odd})).refused(403, "outside_root");
    }
    server.get(&format!("/api/sessions/{session}")).refused(404, "not_in_session");
    server.get(&format!("/api/sessions/{inside}")).ok();
    let listed = server.get("/api/sessions").ok();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(everywhere.get("/api/sessions").ok()["sessions"].as_array().unwrap().len(), 2);
}
