//! Messages are returned as they were sent, and can be deleted; sessions can be renamed and deleted.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::support::Server;
use crate::place::Place;

#[test]
fn json_is_returned_as_sent_with_unknown_keys() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let (turns, messages) = (format!("/api/sessions/{session}/turns"), format!("/api/sessions/{session}/messages"));
    let parts = r#"[{"type":"text","text":"look"},{"z":1,"a":1.50,"big":123456789012345678901234567890}]"#;
    let prompt = format!(r#"{{"message":{parts},"model":"m","at":{{"y":1,"b":[]}}}}"#);
    let turn = server.request("POST", &turns, &[], Some(&prompt)).unwrap().text("id");
    let object = r#"{"name":"read","path":"a.py","b":{"d":1,"c":2}}"#;
    for body in [object, r#""{\"a\": 1}""#] {
        let message = format!(r#"{{"turn":"{turn}","role":"tool","body":{body}}}"#);
        server.request("POST", &messages, &[], Some(&message)).unwrap().ok();
    }
    let read = server.get(&messages);
    read.ok();
    for sent in [parts, object, r#""{\"a\": 1}""#] {
        assert!(read.body.contains(&format!(r#""body":{sent}"#)), "{sent}: {}", read.body);
    }
    assert!(read.body.contains(r#""extra":{"at":{"y":1,"b":[]},"model":"m"}"#), "{}", read.body);
    for (route, body) in [(&turns, json!({"message": 1})), (&turns, json!({})), (&messages, json!({"turn": turn}))] {
        server.post(route, &body).refused(400, "bad_input");
    }
}

#[test]
fn sessions_and_texts_can_be_deleted() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let [session, other] = [server.session(&place), server.session(&place)];
    let (first, target) = server.turn(&session, "the password is hunter2", || place.write("a.txt", "1\n"));
    server.turn(&session, "go on", || place.write("a.txt", "2\n"));
    let route = format!("/api/sessions/{session}");
    let restore = format!("{route}/checkpoints/{target}/restore");
    let done = server.post(&restore, &json!({"trim": "from"})).ok();
    assert_eq!(done["prompt"], json!("the password is hunter2"));
    let cleared = server.request("DELETE", &format!("{route}/turns/{first}/text"), &[], None).unwrap().ok();
    assert!(cleared["messages"].as_u64().unwrap() >= 1, "{cleared}");
    server.undo(done["restore_id"].as_str().unwrap());
    let read = server.get(&format!("{route}/messages"));
    assert!(!read.body.contains("hunter2") && read.body.contains("go on"), "{}", read.body);
    let journal = server.get(&format!("/api/restores/{}", done["restore_id"].as_str().unwrap()));
    assert!(!journal.body.contains("hunter2"), "{}", journal.body);
    let second = read.ok()["messages"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    server.request("DELETE", &format!("{route}/messages/{second}"), &[], None).unwrap().ok();
    server
        .request("DELETE", &format!("/api/sessions/{other}/messages/{second}"), &[], None)
        .unwrap()
        .refused(404, "not_found");

    let renamed = server.request("PATCH", &route, &[], Some(r#"{"title":"another"}"#)).unwrap().ok();
    assert_eq!(renamed["title"], json!("another"));
    for title in ["", "  ", "a\u{7}"] {
        server
            .request("PATCH", &route, &[], Some(&json!({"title": title}).to_string()))
            .unwrap()
            .refused(400, if title.contains('a') { "invalid" } else { "bad_input" });
    }
    let begun = server.post(&format!("{route}/turns"), &json!({"message": "runs"})).text("id");
    server.request("DELETE", &route, &[], None).unwrap().refused(409, "agent_running");
    server.post(&format!("{route}/turns/{begun}/end"), &json!({})).ok();
    let pins = || place.kept_git(&["for-each-ref", "refs/fuzzy-edit/checkpoints"]).lines().count();
    assert!(pins() > 3);
    server.request("DELETE", &route, &[], None).unwrap().ok();
    assert_eq!(pins(), 0);
    server.get(&route).refused(404, "not_in_session");
    server.get(&format!("/api/sessions/{other}")).ok();
}

#[test]
fn lists_are_paged_and_unknown_parameters_are_refused() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let sessions: Vec<String> = (0..3).map(|_| server.session(&place)).collect();
    let part = server.get("/api/sessions?limit=2").ok();
    assert_eq!(part["next"], json!(sessions[1]));
    let rest = server.get(&format!("/api/sessions?limit=2&after={}", sessions[1])).ok();
    assert_eq!((&rest["sessions"][0]["id"], &rest["next"]), (&json!(sessions[0]), &json!(null)));
    server.get("/api/sessions?limit=0").refused(400, "bad_input");
    for unknown in ["?a=b".to_owned(), format!("/{}?fast", sessions[0]), format!("/{}/messages?a=b", sessions[0])] {
        server.get(&format!("/api/sessions{unknown}")).refused(400, "bad_input");
    }
    let begins = format!("/api/sessions/{}/turns?dry_run=true", sessions[0]);
    server.post(&begins, &json!({"message": "m"})).refused(400, "bad_input");
    let database = place.dir.join("state/fuzzy-edit/state.db");
    assert_eq!(fs::metadata(database).unwrap().permissions().mode() & 0o777, 0o600);
}
