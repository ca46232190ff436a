//! The main flow: turns, a restore to each, and its undo.

use std::fs;
use std::thread;

use serde_json::{Value, json};

use super::support::{Server, reset, resets};
use crate::place::Place;

fn restore_route(session: &str, checkpoint: &str) -> String {
    format!("/api/sessions/{session}/checkpoints/{checkpoint}/restore")
}

#[test]
fn restore_and_undo_cover_files_transcript_and_agent() {
    restore_and_undo(&Place::new());
}

pub(crate) fn restore_and_undo(place: &Place) {
    let server = Server::with_agent(place);
    let session = server.session(place);
    let first_files = place.files();
    let (old_turn, first) = server.turn(&session, "one", || {
        place.write("new.txt", "made\n");
        place.write("a.txt", "spoilt\n");
    });
    let (_, second) = server.turn(&session, "two", || fs::remove_file(place.path("dir/b.txt")).unwrap());
    server.turn(&session, "three", || place.write("third.txt", "3\n"));
    let (last_files, messages) = (place.files(), server.transcript(&session));
    assert_eq!(messages, ["one", "did one", "two", "did two", "three", "did three"]);

    let checkpoint = format!("/api/sessions/{session}/checkpoints/{first}");
    let plan = server.post(&format!("{checkpoint}/plan"), &json!({})).ok();
    assert_eq!(plan["files_to_write"], json!(["a.txt", "dir/b.txt"]));
    assert_eq!(plan["files_to_delete"], json!(["new.txt", "third.txt"]));
    assert_eq!((&plan["messages_to_trim"], &plan["trim_from"]), (&json!(5), &json!(2)));
    assert_eq!(plan["checkpoints_to_hide"].as_array().unwrap().len(), 5);
    assert_eq!(place.files(), last_files, "a plan changes nothing");

    let done = server.post(&restore_route(&session, &first), &json!({})).ok();
    assert_eq!(done["checkpoint_id"], json!(first));
    assert_eq!(done["messages_deleted"], json!(5));
    assert_eq!((&done["worktree_reset"], &done["backend_reset"]), (&json!(true), &json!(true)));
    assert_eq!((&done["files_written"], &done["files_deleted"]), (&json!(2), &json!(2)));
    assert_eq!(place.files(), first_files);
    assert_eq!(server.transcript(&session), ["one"]);
    assert_eq!(resets(place, &session), ["1"]);
    let left = server.get(&format!("/api/sessions/{session}/checkpoints")).ok();
    let left: Vec<&Value> = left["checkpoints"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert_eq!(left, [&json!("turn"), &json!("safety")]);
    let all = server.get(&format!("/api/sessions/{session}/checkpoints?all=true")).ok();
    assert_eq!(all["checkpoints"].as_array().unwrap().len(), 7);
    server.post(&restore_route(&session, &second), &json!({})).refused(409, "retired");

    // Late output belongs to a turn that was discarded.
    let late = json!({"turn": old_turn, "role": "assistant", "body": "late"});
    server.post(&format!("/api/sessions/{session}/messages"), &late).refused(409, "turn_over");

    let restore = done["restore_id"].as_str().unwrap();
    let undone = server.undo(restore);
    assert_eq!(undone["messages_deleted"], json!(5), "brought back");
    assert_eq!((place.files(), server.transcript(&session)), (last_files, messages));
    assert_eq!(resets(place, &session), ["1", "2"]);

    let done = server.post(&restore_route(&session, &first), &json!({"trim": "from"})).ok();
    assert_eq!(done["prompt"], json!("one"), "to be edited and sent again");
    let begun = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "anew"})).ok();
    assert_eq!(begun["generation"], json!(3), "the next turn starts fresh");
    assert_eq!(server.transcript(&session), ["anew"]);
}

#[test]
fn the_options_of_a_restore_are_its_body() {
    let place = Place::new();
    let server = Server::with_agent(&place);
    let session = server.session(&place);
    let then = place.git(&["rev-parse", "HEAD"]);
    let (_, first) = server.turn(&session, "one", || {
        place.write("a.txt", "changed\n");
        place.git(&["commit", "-qam", "second"]);
    });
    let route = restore_route(&session, &first);
    let done = server.post(&route, &json!({"trim": "none"})).ok();
    assert_eq!((&done["messages_deleted"], &done["backend_reset"]), (&json!(0), &json!(false)));
    assert_eq!((&done["head"], &done["commits_since"]), (&json!("kept"), &json!(1)));
    assert_eq!(place.read("a.txt"), b"alpha\n");
    assert_eq!(resets(&place, &session), Vec::<String>::new());
    place.write("a.txt", "changed\n");
    let done = server.post(&route, &json!({"files": false})).ok();
    assert_eq!((&done["worktree_reset"], &done["backend_reset"]), (&json!(false), &json!(true)));
    assert_eq!((place.read("a.txt"), server.transcript(&session)), (b"changed\n".to_vec(), vec!["one".to_owned()]));
    let done = server.post(&route, &json!({"head": "restore"})).ok();
    assert_eq!((&done["head"], place.git(&["rev-parse", "HEAD"])), (&json!("restored"), then));
    for odd in [json!({"files": false, "trim": "none"}), json!({"files": false, "head": "restore"})] {
        server.post(&route, &odd).refused(400, "invalid");
        server.post(&route.replace("/restore", "/plan"), &odd).refused(400, "invalid");
    }
    server.post(&route, &Value::Null).ok();
}

#[test]
fn a_key_names_one_restore_however_often_it_is_sent() {
    one_key(&Place::new());
}

pub(crate) fn one_key(place: &Place) {
    let (server, other) = (Server::with_agent(place), Server::with_agent(place));
    let session = server.session(place);
    let (_, first) = server.turn(&session, "one", || place.write("a.txt", "changed\n"));
    let (_, second) = server.turn(&session, "two", || {});
    let route = restore_route(&session, &first);
    let done: Vec<String> = thread::scope(|scope| {
        let request = |at: usize| [&server, &other][at % 2].post_by(&route, "a key", &json!({})).text("restore_id");
        let pending: Vec<_> = (0..6).map(|at| scope.spawn(move || request(at))).collect();
        pending.into_iter().map(|pending| pending.join().unwrap()).collect()
    });
    assert!(done.iter().all(|restore| *restore == done[0]), "{done:?}");
    assert_eq!(resets(place, &session), ["1"]);
    let restored = String::from_utf8(place.read("a.txt")).unwrap();
    place.write("a.txt", "changed again\n");
    assert_eq!(server.post_by(&route, "a key", &json!({})).text("restore_id"), done[0]);
    assert_eq!(place.read("a.txt"), b"changed again\n", "nothing is done twice");
    server.post_by(&route, "a key", &json!({"trim": "from"})).refused(422, "key_reused");
    server.post_by(&restore_route(&session, &second), "a key", &json!({})).refused(422, "key_reused");
    // The file that changed since conflicts with the undo.
    let (undo, body) = (server.undoing(&done[0]), json!({"verb": "undo", "restore": done[0]}));
    server.post_by(&undo, "too early", &body).refused(409, "conflict");
    place.write("a.txt", &restored);
    let undone = server.post_by(&undo, "another", &body).ok()["restore"]["restore_id"].clone();
    let undone = undone.as_str().unwrap();
    assert_eq!(other.post_by(&undo, "another", &body).ok()["restore"]["restore_id"], undone);
    server.post_by(&undo, "a key", &body).refused(422, "key_reused");
    let row = other.get(&format!("/api/restores/{undone}")).ok();
    assert_eq!((&row["phase"], &row["options"]["undo_of"]), (&json!("done"), &json!(done[0])));
    let again = server.undo(undone);
    assert_eq!(again["messages_deleted"], json!(3), "the undo of an undo restores again");
    server.post(&format!("/api/restores/{undone}/abort"), &json!({})).refused(409, "invalid");
}

#[test]
fn a_running_agent_is_a_refusal_until_it_is_stopped() {
    running_agent(&Place::new());
}

pub(crate) fn running_agent(place: &Place) {
    let stopped = place.dir.join("stopped");
    let script = |word: &str| format!("sh -c '{word} > {}'", stopped.display());
    let reset = reset(place);
    let server = Server::start(place, &["--stop", &script("echo $FUZZY_EDIT_SESSION"), "--reset", &reset]);
    let session = server.session(place);
    let turns = format!("/api/sessions/{session}/turns");
    let begun = server.post(&turns, &json!({"message": "one"})).ok();
    place.write("a.txt", "changed\n");
    let route = restore_route(&session, begun["checkpoint_id"].as_str().unwrap());
    for route in [&route, &route.replace("/restore", "/plan")] {
        server.post(route, &json!({})).refused(409, "agent_running");
    }
    server.post(&turns, &json!({"message": "two"})).refused(409, "agent_running");
    assert_eq!((stopped.exists(), place.read("a.txt")), (false, b"changed\n".to_vec()));

    // An agent that does not stop.
    let deaf = Server::start(place, &["--stop", &script("exit 1; echo"), "--reset", &reset]);
    deaf.post(&route, &json!({"force": true})).refused(409, "agent_running");
    assert_eq!(place.read("a.txt"), b"changed\n");
    let messages = json!({"turn": begun["id"], "role": "assistant", "body": "still here"});
    server.post(&format!("/api/sessions/{session}/messages"), &messages).ok();

    server.post(&route, &json!({"force": true})).ok();
    assert_eq!(fs::read_to_string(&stopped).unwrap().trim(), session);
    assert_eq!((place.read("a.txt"), server.transcript(&session)), (b"alpha\n".to_vec(), vec!["one".to_owned()]));
    server.post(&format!("/api/sessions/{session}/messages"), &messages).refused(409, "turn_over");
    let session_now = server.get(&format!("/api/sessions/{session}")).ok();
    assert_eq!(
        (&session_now["state"], &session_now["turn"], &session_now["generation"]),
        (&json!("idle"), &Value::Null, &json!(1))
    );
    let end = server.post(&format!("{turns}/{}/end", begun["id"].as_str().unwrap()), &Value::Null).ok();
    assert_eq!(end["ended"], json!(false));
}

#[test]
fn two_servers_on_one_database_see_one_session() {
    two_servers(&Place::new());
}

pub(crate) fn two_servers(place: &Place) {
    let (server, other) = (Server::with_agent(place), Server::with_agent(place));
    let session = server.session(place);
    let begun = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "one"})).ok();
    let messages = json!({"turn": begun["id"], "role": "assistant", "body": [{"type": "text", "text": "parts"}]});
    other.post(&format!("/api/sessions/{session}/messages"), &messages).ok();
    other.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "two"})).refused(409, "agent_running");
    other.post(&format!("/api/sessions/{session}/turns/{}/end", begun["id"].as_str().unwrap()), &json!({})).ok();
    assert_eq!(server.transcript(&session), ["one", r#"[{"text":"parts","type":"text"}]"#]);
    let listed = other.get("/api/sessions").ok();
    assert_eq!(listed["sessions"][0]["id"], json!(session));
    place.write("a.txt", "changed\n");
    let route = restore_route(&session, begun["checkpoint_id"].as_str().unwrap());
    let codes: Vec<u16> = thread::scope(|scope| {
        let request = |at: usize| [&server, &other][at % 2].post(&route, &json!({})).status;
        let pending: Vec<_> = (0..4).map(|at| scope.spawn(move || request(at))).collect();
        pending.into_iter().map(|pending| pending.join().unwrap()).collect()
    });
    let done = codes.iter().filter(|code| **code == 200).count();
    assert!(done >= 1 && codes.iter().all(|code| matches!(code, 200 | 409)), "{codes:?}");
    assert_eq!(resets(place, &session).len(), done);
    assert_eq!((place.read("a.txt"), server.transcript(&session)), (b"alpha\n".to_vec(), vec!["one".to_owned()]));
}
