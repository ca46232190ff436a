//! The forms of the page: valid ones as a browser sends them, and forged ones.

use serde_json::json;

use super::support::{Answer, Server};
use crate::place::Place;

/// Posts a form.
fn send(server: &Server, route: &str, form: &str) -> Answer {
    server.request("POST", route, &[("Content-Type", "application/x-www-form-urlencoded")], Some(form)).unwrap()
}

/// Returns the token in the forms of a page.
fn mark(server: &Server, page: &str) -> String {
    let page = server.get(page).body;
    let mark = page.split(r#"name="csrf" value=""#).nth(1).unwrap_or_else(|| panic!("no form: {page}"));
    mark.split('"').next().unwrap().to_owned()
}

#[test]
fn the_page_ends_a_turn_without_an_agent() {
    let place = Place::new();
    let (stops, deaf) = (place.dir.join("told"), place.dir.join("deaf"));
    let stop = format!("sh -c 'test ! -e {} && echo $FUZZY_EDIT_SESSION >> {}'", deaf.display(), stops.display());
    let server = Server::start(&place, &["--stop-command", &stop]);
    let session = server.session(&place);
    let turns = format!("/api/sessions/{session}/turns");
    let turn = server.post(&turns, &json!({"message": "one"})).text("id");
    let (page, end) = (format!("/sessions/{session}"), format!("/sessions/{session}/turns/{turn}/end"));
    assert!(server.get(&page).body.contains("End the turn"));
    let csrf = format!("csrf={}", mark(&server, &page));
    for (route, form, status) in [
        (&end, "", 400),
        (&end, "csrf=", 403),
        (&end, "csrf=guessed", 403),
        (&format!("/sessions/{session}/turns/x/end"), &csrf, 404),
        (&format!("/sessions/{session}/turns/01KAN3F2000000000000000000/end"), &csrf, 404),
        (&format!("/sessions/01KAN3F2000000000000000000/turns/{turn}/end"), &csrf, 404),
    ] {
        assert_eq!(send(&server, route, form).status, status, "{route} {form}");
    }
    std::fs::write(&deaf, "").unwrap();
    let refused = send(&server, &end, &csrf);
    assert!(refused.status == 409 && refused.body.contains("The agent did not stop"), "{refused:?}");
    assert_eq!(server.get(&format!("/api/sessions/{session}")).ok()["turn"], json!(turn), "it goes on");
    assert!(!stops.exists());

    std::fs::remove_file(&deaf).unwrap();
    let ended = send(&server, &end, &csrf);
    assert!(ended.status == 200 && ended.body.contains(">failed<"), "{ended:?}");
    assert!(!ended.body.contains("A turn is running"), "{ended:?}");
    assert_eq!(std::fs::read_to_string(&stops).unwrap(), format!("{session}\n"));
    let messages = server.get(&format!("/api/sessions/{session}/messages")).ok();
    assert_eq!(messages["messages"][0]["status"], json!("failed"));
    server.post(&turns, &json!({"message": "two"})).ok();
    assert_eq!(send(&server, &end, &csrf).status, 200, "the same again");
    assert_eq!(std::fs::read_to_string(&stops).unwrap(), format!("{session}\n"), "the next turn is not its business");
}

#[test]
fn forms_are_bounded_as_bodies_are() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let end = format!("/sessions/{session}/turns/01KAN3F2000000000000000000/end");
    for (form, status) in [(4 << 20, 413), (3 << 20, 403)] {
        let answer = send(&server, &end, &format!("csrf={}", "x".repeat(form)));
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
    }
    for kind in ["application/json", "text/plain", "multipart/form-data"] {
        let answer = server.request("POST", &end, &[("Content-Type", kind)], Some("{}")).unwrap();
        assert_eq!(answer.status, 400, "{answer:?}");
    }
}
