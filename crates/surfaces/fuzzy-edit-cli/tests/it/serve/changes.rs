//! Data that a client needs to display a session: the changes of each turn, partial restores, their history, and
//! events.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::support::Server;
use crate::place::Place;

#[test]
fn a_turn_has_its_changes() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    place.write("long.txt", "a line\n".repeat(50));
    let (first, begin) = server.turn(&session, "one", || {
        place.write("a.txt", "beta\n");
        fs::rename(place.path("long.txt"), place.path("longer.txt")).unwrap();
    });
    place.write("mine.txt", "1\n2\n");
    let (second, _) = server.turn(&session, "two", || ());
    let messages = server.get(&format!("/api/sessions/{session}/messages")).ok();
    let prompt = |at: usize| messages["messages"][at].clone();
    assert_eq!(prompt(0)["changes"]["from"], json!(begin));
    let counts = |changes: &Value| ["files", "insertions", "deletions"].map(|key| changes[key].as_u64());
    assert_eq!(counts(&prompt(0)["changes"]), [Some(2), Some(1), Some(1)]);
    assert_eq!(prompt(0)["outside"], Value::Null);
    assert_eq!(counts(&prompt(2)["changes"]), [Some(0), Some(0), Some(0)]);
    assert_eq!(counts(&prompt(2)["outside"]), [Some(1), Some(2), Some(0)]);
    assert_eq!(prompt(1)["changes"], Value::Null, "no prompt");

    let turns = format!("/api/sessions/{session}/turns");
    let changes = server.get(&format!("{turns}/{first}/changes")).ok();
    assert_eq!(
        changes["files"],
        json!([
            {"path": "a.txt", "change": "changed", "insertions": 1, "deletions": 1},
            {"path": "longer.txt", "change": "renamed", "renamed_from": "long.txt", "insertions": 0, "deletions": 0},
        ])
    );
    assert_eq!(server.get(&format!("{turns}/{second}/changes")).ok()["outside"][0]["path"], json!("mine.txt"));
    let diff = server.get(&format!("{turns}/{first}/diff?path=a.txt")).ok();
    assert!(diff["patch"].as_str().unwrap().ends_with("-alpha\n+beta\n"), "{diff}");
    assert_eq!(diff["files"].as_array().unwrap().len(), 1);
    let diff = server.get(&format!("{turns}/{second}/diff?path=mine.txt&outside=true")).ok();
    assert!(diff["patch"].as_str().unwrap().ends_with("+1\n+2\n"), "{diff}");
    assert_eq!(server.get(&format!("{turns}/{second}/diff?outside=true")).ok()["patch"], Value::Null);
    server.get(&format!("{turns}/{first}/diff?path=nowhere")).refused(422, "missing");
    server.get(&format!("{turns}/{first}/diff?path=.git/config")).refused(400, "bad_input");
    server.get(&format!("{turns}/01KAN3F2000000000000000000/changes")).refused(404, "not_found");
}

#[test]
fn some_files_are_planned_and_restored() {
    let place = Place::new();
    let server = Server::with_agent(&place);
    let session = server.session(&place);
    let (_, checkpoint) = server.turn(&session, "one", || {
        for at in 0..10 {
            place.write(format!("dir/{at}.txt"), "new\n");
        }
        place.write("a.txt", "beta\n");
    });
    let route = format!("/api/sessions/{session}/checkpoints/{checkpoint}");
    let paths = json!({"paths": ["dir/3.txt", "dir/5.txt", "a.txt"]});
    let plan = server.post(&format!("{route}/plan"), &paths).ok();
    assert_eq!(
        (&plan["files_to_write"], &plan["files_to_delete"]),
        (&json!(["a.txt"]), &json!(["dir/3.txt", "dir/5.txt"]))
    );
    assert_eq!(plan["files"][0], json!({"path": "a.txt", "change": "changed", "insertions": 1, "deletions": 1}));
    assert_eq!(plan["messages_to_trim"], json!(0), "files alone");
    for odd in [json!(["nowhere"]), json!(["a.txt", "dir/99.txt"])] {
        for what in ["plan", "restore"] {
            let refused = server.post(&format!("{route}/{what}"), &json!({"paths": odd})).refused(422, "missing");
            assert_eq!(refused["paths"].as_array().unwrap().last(), odd.as_array().unwrap().last());
        }
    }
    for odd in [json!([""]), json!(["/"]), json!(["../x"]), json!([".git/config"]), json!([[0]]), json!("a.txt")] {
        server.post(&format!("{route}/plan"), &json!({"paths": odd})).refused(400, "bad_input");
    }
    let done = server.post(&format!("{route}/restore"), &paths).ok();
    assert_eq!((&done["files_written"], &done["files_deleted"]), (&json!(1), &json!(2)));
    assert_eq!((place.read("a.txt"), fs::read_dir(place.path("dir")).unwrap().count()), (b"alpha\n".to_vec(), 9));
    let all = server.post(&format!("{route}/restore"), &json!({"paths": ["dir/"], "trim": "none"})).ok();
    assert_eq!(all["files_deleted"], json!(8));

    let history = server.get(&format!("/api/sessions/{session}/restores?limit=3")).ok();
    let phases: Vec<&Value> = history["restores"].as_array().unwrap().iter().map(|row| &row["phase"]).collect();
    assert_eq!(phases, ["done", "done", "refused"]);
    let rest = history["next"].as_str().unwrap();
    let rest = server.get(&format!("/api/sessions/{session}/restores?before={rest}")).ok();
    assert_eq!((rest["restores"].as_array().unwrap().len(), &rest["next"]), (1, &Value::Null));
    server.get(&format!("/api/sessions/{session}/restores?limit=101")).refused(400, "bad_input");
    let first = done["restore_id"].as_str().unwrap();
    let did = server.get(&format!("/api/restores/{first}/changes")).ok();
    let files: Vec<&Value> = did["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(files, ["a.txt", "dir/3.txt", "dir/5.txt"]);
    assert_eq!(did["restore"]["phase"], json!("done"));
    let did = server.get(&format!("/api/restores/{first}/changes?path=a.txt")).ok();
    assert!(did["patch"].as_str().unwrap().ends_with("-beta\n+alpha\n"), "{did}");
}

/// Reads the next event of a stream.
fn event(stream: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    while stream.read_line(&mut line).unwrap() > 0 {
        if let Some(data) = line.trim_end().strip_prefix("data: ") {
            return Some(serde_json::from_str(data).unwrap());
        }
        line.clear();
    }
    None
}

#[test]
fn events_are_sent_as_they_happen_and_the_server_ends_in_time() {
    let place = Place::new();
    let server = Server::with_agent(&place);
    let session = server.session(&place);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let head = format!("GET /api/sessions/{session}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut stream = BufReader::new(stream);
    let first = event(&mut stream).unwrap();
    assert_eq!((&first["state"], &first["next_seq"], &first["turn"]), (&json!("idle"), &json!(1), &Value::Null));
    let until = |stream: &mut BufReader<TcpStream>, seen: &dyn Fn(&Value) -> bool| {
        while !event(stream).is_some_and(|event| seen(&event)) {}
    };
    let begun = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "one"})).ok();
    until(&mut stream, &|event| event["turn"] == begun["id"] && event["checkpoint_id"] == begun["checkpoint_id"]);
    let message = json!({"turn": begun["id"], "role": "assistant", "body": "half"});
    server.post(&format!("/api/sessions/{session}/messages"), &message).ok();
    until(&mut stream, &|event| event["next_seq"] == 3);
    let (turn, checkpoint) = (begun["id"].as_str().unwrap(), begun["checkpoint_id"].as_str().unwrap());
    server.post(&format!("/api/sessions/{session}/turns/{turn}/end"), &Value::Null).ok();
    until(&mut stream, &|event| event["state"] == "idle" && event["checkpoint_id"] != begun["checkpoint_id"]);
    let route = format!("/api/sessions/{session}/checkpoints/{checkpoint}/restore");
    let done = server.post(&route, &json!({})).ok();
    until(&mut stream, &|event| {
        event["restore_id"] == done["restore_id"] && event["restore_phase"] == "done" && event["generation"] == 1
    });
    server.get("/api/sessions/01KAN3F2000000000000000000/events").refused(404, "not_in_session");
    server.terminate();
    assert_eq!(event(&mut stream), None, "an answer without end would keep the server");
    assert!(server.wait().0.success());
}

#[test]
fn event_streams_beyond_the_limit_are_refused_until_one_ends() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let head = format!("GET /api/sessions/{session}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let open = || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut stream = BufReader::new(stream);
        event(&mut stream).unwrap();
        stream
    };
    let mut streams: Vec<_> = (0..64).map(|_| open()).collect();
    let refused = server.get(&format!("/api/sessions/{session}/events"));
    assert_eq!(refused.headers.get("retry-after").and_then(|value| value.to_str().ok()), Some("5"));
    refused.refused(503, "busy");
    streams.pop();
    // The server notices the end of a stream when it next writes to it.
    server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": "one"})).ok();
    let route = format!("/api/sessions/{session}/events");
    while server.request("HEAD", &route, &[], None).unwrap().status == 503 {
        std::thread::sleep(Duration::from_millis(20));
    }
}
