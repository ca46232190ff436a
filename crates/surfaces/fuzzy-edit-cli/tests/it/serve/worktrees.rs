//! The turns of a worktree over HTTP: listed, shown, blamed, planned and taken back.

use std::fs;

use serde_json::{Value, json};

use super::support::Server;
use crate::place::Place;

fn route(server: &Server, session: &str) -> String {
    format!("/api/worktrees/{}", server.get(&format!("/api/sessions/{session}")).text("worktree_id"))
}

#[test]
fn turns_are_listed_planned_and_taken_back() {
    let place = Place::new();
    let server = Server::with_agent(&place);
    let session = server.session(&place);
    server.turn(&session, "one", || place.write("a.txt", "one\n"));
    server.turn(&session, "two", || place.write("b.txt", "two\n"));
    place.write("mine.txt", "mine\n");
    let worktree = route(&server, &session);
    let known = server.get("/api/worktrees").ok();
    assert!(worktree.ends_with(known["worktrees"][0]["id"].as_str().unwrap()), "{known}");

    let numbers = |route: &str| -> Vec<Value> {
        let listed = server.get(route).ok();
        listed["turns"].as_array().unwrap().iter().map(|turn| turn["number"].clone()).collect()
    };
    assert_eq!(numbers(&format!("{worktree}/turns")), [1, 2]);
    assert_eq!(numbers(&format!("{worktree}/turns?path=b.txt")), [2]);
    assert_eq!(numbers(&format!("{worktree}/turns?session={session}")), [1, 2]);
    let shown = server.get(&format!("{worktree}/turns/1?path=a.txt")).ok();
    assert!(shown["patch"].as_str().unwrap().contains("+one"), "{shown}");
    let transcript = server.get(&format!("/api/sessions/{session}/messages")).ok();
    assert_eq!((&transcript["messages"][0]["number"], &transcript["messages"][2]["number"]), (&json!(1), &json!(2)));
    let blame = server.get(&format!("{worktree}/blame?path=a.txt")).ok();
    assert_eq!(blame["lines"][0]["origin"], json!({"by": "turn", "turns": [1]}));

    let request = json!({"verb": "revert", "turns": [1], "later": true});
    let plan = server.post(&format!("{worktree}/turns/plan"), &request).ok();
    assert_eq!((&plan["turns"], &plan["left"][0]["path"]), (&json!([1, 2]), &json!("mine.txt")));
    let seen = json!({"verb": "revert", "turns": [1], "later": true, "seen": plan["tree"]});
    let done = server.post(&format!("{worktree}/turns/take-back"), &seen).ok();
    assert_eq!(done["restore"]["files_written"], 1, "{done}");
    assert!(place.path("mine.txt").exists() && !place.path("b.txt").exists());
    assert_eq!(place.read("a.txt"), b"alpha\n");
    server.post(&format!("{worktree}/turns/take-back"), &seen).refused(409, "plan_changed");
    server.post(&format!("{worktree}/turns/take-back"), &json!({"verb": "undo"})).ok();
    assert_eq!((place.read("a.txt"), place.path("b.txt").exists()), (b"one\n".to_vec(), true));

    fs::write(place.path("a.txt"), "mine\n").unwrap();
    let plan = server.post(&format!("{worktree}/turns/plan"), &json!({"verb": "revert", "turns": [1]})).ok();
    assert_eq!((&plan["conflicts"][0]["path"], &plan["conflicts"][0]["lines"]), (&json!("a.txt"), &json!([[1, 1]])));
    let refused = server.post(&format!("{worktree}/turns/take-back"), &json!({"verb": "revert", "turns": [1]}));
    assert_eq!(refused.refused(409, "conflict")["paths"], json!(["a.txt"]));
}

#[test]
fn unknown_worktrees_numbers_and_requests_are_refused() {
    let place = Place::new();
    let server = Server::with_agent(&place);
    let session = server.session(&place);
    server.turn(&session, "one", || place.write("a.txt", "one\n"));
    let worktree = route(&server, &session);
    for unknown in ["/api/worktrees/0000000000000000/turns", "/api/worktrees/x/turns"] {
        server.get(unknown).refused(404, "not_found");
    }
    for unknown in ["7", "0", "x", "01"] {
        let answer = server.get(&format!("{worktree}/turns/{unknown}"));
        if unknown == "01" {
            answer.ok();
        } else {
            answer.refused(404, "not_found");
        }
    }
    let take_back = format!("{worktree}/turns/take-back");
    server.post(&take_back, &json!({"verb": "revert", "turns": [9]})).refused(404, "not_found");
    server.post(&take_back, &json!({"verb": "destroy"})).refused(400, "bad_input");
    let hunks = json!([{"path": "a.txt", "hunks": [0]}]);
    server.post(&take_back, &json!({"verb": "revert", "turns": [1], "hunks": hunks})).refused(400, "bad_input");
    let hunks = json!([{"path": "a.txt", "hunks": [1]}]);
    server
        .post(&take_back, &json!({"verb": "revert", "turns": [1], "later": true, "hunks": hunks}))
        .refused(400, "bad_input");
    for lines in [json!([]), json!([[0, 1]]), json!([[2, 1]])] {
        let lines = json!([{"path": "a.txt", "lines": lines}]);
        server.post(&take_back, &json!({"verb": "revert", "turns": [1], "lines": lines})).refused(400, "bad_input");
    }
    let lines = json!([{"path": "a.txt", "lines": [[9, 9]]}]);
    server.post(&take_back, &json!({"verb": "revert", "turns": [1], "lines": lines})).refused(422, "missing");
    let lines = json!([{"path": "a.txt", "lines": [[1, 1]]}]);
    server
        .post(&take_back, &json!({"verb": "revert", "turns": [1], "later": true, "lines": lines}))
        .refused(400, "bad_input");
    server.post(&take_back, &json!({"verb": "revert", "turns": [1], "lines": lines})).ok();
    assert_eq!(place.read("a.txt"), b"alpha\n");
    server.post(&take_back, &json!({"verb": "undo"})).ok();
    server.get(&format!("{worktree}/blame?path=none.txt")).refused(422, "missing");
    let begun = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "two"})).text("id");
    let ended = server.post(&format!("{worktree}/turns/2/end"), &json!({})).ok();
    assert_eq!((&ended["id"], &ended["state"]), (&json!(begun), &json!("interrupted")));
}
