//! Malformed and huge requests: each gets an answer, and the server continues.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::support::Server;
use crate::place::Place;

/// Sends bytes and returns all bytes that the server sends.
fn raw(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    // The server may answer and close the connection before all bytes are sent.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn bodies_of_another_shape_are_refused() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let turns = format!("/api/sessions/{session}/turns");
    let checkpoints = format!("/api/sessions/{session}/checkpoints");
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""] {
        for (route, body) in [(&turns, r#"{"message":"one"}"#), (&checkpoints, "{}"), (&checkpoints, "")] {
            let answer = server.request("POST", route, &[("Content-Type", kind)], Some(body)).unwrap();
            answer.refused(415, "wrong_type");
        }
    }
    for (body, word) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("[]", "not a JSON object"),
        (r#" ["one"]"#, "not a JSON object"),
        ("null", "not a JSON object"),
        ("\u{feff}{}", "not a JSON object"),
        (r#"{"message":"one","message":"two"}"#, "duplicate field `message`"),
        (r#"{"message":3}"#, "neither a text"),
        (r#"{"message":"a\ud800"}"#, "hex escape"),
        ("{}", "missing field `message`"),
        (r#"{"message":"one"} more"#, "trailing"),
    ] {
        let refused = server.request("POST", &turns, &[], Some(body)).unwrap().refused(400, "bad_input");
        assert!(refused["message"].as_str().unwrap().contains(word), "{body}: {refused}");
    }
    let deep = "[".repeat(100_000);
    server.request("POST", &turns, &[], Some(&deep)).unwrap().refused(400, "bad_input");
    let nested = |depth: usize| format!(r#"{{"message":{}"[{{"{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1));
    let refused = server.request("POST", &turns, &[], Some(&nested(201))).unwrap().refused(400, "bad_input");
    assert!(refused["message"].as_str().unwrap().contains("more than 200 deep"), "{refused}");
    let restore = format!("{checkpoints}/01KAN3F2000000000000000000/restore");
    let refused = server.post(&restore, &json!({"trim": "before"})).refused(400, "bad_input");
    assert!(refused["message"].as_str().unwrap().contains("unknown variant `before`"), "{refused}");
    let refused = server.post(&restore, &json!({"path": []})).refused(400, "bad_input");
    assert!(refused["message"].as_str().unwrap().contains("unknown field `path`"), "{refused}");
    let refused = server.post(&restore, &json!({"paths": []})).refused(400, "bad_input");
    assert_eq!(refused["message"], json!("paths: it is empty"));
    // As an object without keys, this body would start a restore.
    server.post(&restore, &json!([])).refused(400, "bad_input");
    for key in ["", "\u{e9}", &"k".repeat(256)] {
        let answer = server.request("POST", &restore, &[("Idempotency-Key", key)], Some("{}"));
        answer.unwrap().refused(400, "bad_input");
    }
    let messages = format!("/api/sessions/{session}/messages");
    for body in [json!(null), json!(3), json!(true)] {
        let message = json!({"turn": "01KAN3F2000000000000000000", "role": "assistant", "body": body});
        server.post(&messages, &message).refused(400, "bad_input");
    }
    for turn in ["", "x", "01KAN3F2000000000000000000\u{0}"] {
        server.post(&messages, &json!({"turn": turn, "role": "a", "body": "b"})).refused(404, "not_found");
    }
    assert_eq!(server.transcript(&session), Vec::<String>::new());
    let typed = [("Content-Type", "Application/JSON; charset=utf-8")];
    server.request("POST", &turns, &typed, Some(&nested(200))).unwrap().ok();
}

#[test]
fn unknown_routes_methods_and_parameters_are_named() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    for route in ["/api", "/api/", "/api/none", "/api/sessions/", "/api/sessions/a/b/c/d", "/api//sessions"] {
        server.get(route).refused(404, "not_found");
    }
    for (method, route) in [("DELETE", "/api/sessions"), ("PUT", &format!("/api/sessions/{session}")[..])] {
        let answer = server.request(method, route, &[], None).unwrap();
        answer.refused(405, "wrong_method");
        assert!(answer.headers.contains_key("allow"), "{answer:?}");
    }
    let messages = format!("/api/sessions/{session}/messages");
    for (query, word) in [("afterr=1", "afterr"), ("after=x", "after"), ("limit=0", "limit"), ("limit=1001", "limit")] {
        let refused = server.get(&format!("{messages}?{query}")).refused(400, "bad_input");
        assert!(refused["message"].as_str().unwrap().contains(word), "{refused}");
    }
    let head = server.request("HEAD", "/api/sessions", &[], None).unwrap();
    assert_eq!((head.status, &head.body[..]), (200, ""));
}

#[test]
fn a_long_transcript_is_paged() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let long = "\u{0}".to_owned() + &"é<script>\n".repeat(300_000);
    let turn = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": long})).text("id");
    let messages = format!("/api/sessions/{session}/messages");
    for number in 0..9 {
        let body = if number < 5 { long.clone() } else { number.to_string() };
        server.post(&messages, &json!({"turn": turn, "role": "tool", "body": body})).ok();
    }
    let (mut after, mut seen, mut parts) = (0, Vec::new(), 0);
    loop {
        let part = server.get(&format!("{messages}?after={after}&limit=4")).ok();
        seen.extend(part["messages"].as_array().unwrap().iter().map(|it| it["body"].as_str().unwrap().to_owned()));
        parts += 1;
        match part["next"].as_i64() {
            Some(next) => after = next,
            None => break,
        }
    }
    assert_eq!((seen.len(), parts), (10, 3));
    assert!(seen[..6].iter().all(|body| *body == long), "every byte is there");
    // Six of these exceed 16 MiB.
    let part = server.get(&messages).ok();
    assert_eq!(part["next"], json!(6));
    let large = "x".repeat(4 << 20);
    server.post(&messages, &json!({"turn": turn, "role": "tool", "body": large})).refused(413, "body_too_large");
    let chunk = format!("{:x}\r\n{}\r\n", large.len(), large);
    let request = format!(
        "POST {messages} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n",
        server.address
    );
    assert!(raw(&server, &request).starts_with("HTTP/1.1 413 "));
}

#[test]
fn malformed_http_is_answered_or_closed() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let host = &server.address;
    let long = "x".repeat(200 << 10);
    let many = "X-Header: 1\r\n".repeat(200);
    for (request, status) in [
        ("\u{0}\u{1}\u{2}\r\n\r\n".to_owned(), "HTTP/1.1 400 "),
        ("GET /api/sessions HTTP/1.1\r\n\r\n".to_owned(), "HTTP/1.1 403 "),
        (
            format!("GET /api/sessions HTTP/1.1\r\nHost: {host}\r\nHost: evil\r\nConnection: close\r\n\r\n"),
            "HTTP/1.1 403 ",
        ),
        (
            format!("GET http://evil.example/api/sessions HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            "HTTP/1.1 403 ",
        ),
        (format!("GET /api/sessions HTTP/1.1\r\nHost: {host}\r\nX-Long: {long}\r\n\r\n"), "HTTP/1.1 431 "),
        (format!("GET /api/sessions HTTP/1.1\r\nHost: {host}\r\n{many}\r\n"), "HTTP/1.1 431 "),
        (format!("GET /api/{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"), "HTTP/1.1 4"),
        (format!("POST /api/sessions HTTP/1.1\r\nHost: {host}\r\nContent-Length: x\r\n\r\n"), "HTTP/1.1 400 "),
        (
            format!(
                "POST /api/sessions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 99999999999999999999\r\n\r\n"
            ),
            "HTTP/1.1 4",
        ),
    ] {
        let request = if request.contains("Connection") {
            request
        } else {
            request.replacen("Host:", "Connection: close\r\nHost:", 1)
        };
        let sent: String = request.chars().take(80).collect();
        let answer = if request.starts_with("GET /api/sessions HTTP/1.1\r\n\r\n") {
            raw(&server, "GET /api/sessions HTTP/1.0\r\n\r\n")
        } else {
            raw(&server, &request)
        };
        assert!(answer.replace("HTTP/1.0", "HTTP/1.1").starts_with(status), "{sent}: {answer}");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let head = head.to_ascii_lowercase();
        assert!(head.contains("\r\ncontent-type: application/json"), "{sent}: {answer}");
        assert!(head.contains(&format!("\r\ncontent-length: {}", body.len())), "{sent}: {answer}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert!(body["code"].is_string() && body["next_step"].is_string(), "{sent}: {answer}");
    }
    // A client that disconnects in the middle of a body.
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /api/sessions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    )
    .unwrap();
    drop(stream);
    server.get("/api/sessions").ok();
    server.post("/api/sessions", &Value::Null).refused(415, "wrong_type");
}

#[test]
fn roles_and_titles_are_checked() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let new = |title: &str| server.post("/api/sessions", &json!({"worktree": place.root(), "title": title}));
    new(&"t".repeat(1001)).refused(400, "invalid");
    let session = new(&"t".repeat(1000)).text("id");
    let turn = server.post(&format!("/api/sessions/{session}/turns"), &json!({"message": ""})).text("id");
    let message = |role: &str| {
        let message = json!({"turn": turn, "role": role, "body": "b"});
        server.post(&format!("/api/sessions/{session}/messages"), &message)
    };
    for role in ["", "Assistant", "robot", "user "] {
        message(role).refused(400, "invalid");
    }
    for role in ["user", "assistant", "tool", "system"] {
        message(role).ok();
    }
}

#[test]
fn a_body_is_refused_at_the_size_that_is_documented() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let head = format!("POST /api/sessions HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n", server.address);
    let chunk = format!("{:x}\r\n{}\r\n", (4 << 20) + 1, "x".repeat((4 << 20) + 1));
    // The announced length is greater than the body.
    for request in [
        format!("{head}Content-Length: {}\r\n\r\n{{", (4 << 20) + 1),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunk}"),
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the end of the connection");
        assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    }
}

#[test]
fn clients_without_a_token_make_room_for_others() {
    let place = Place::new();
    let token = place.dir.join("token");
    std::fs::write(&token, "a-token-of-our-own").unwrap();
    std::fs::set_permissions(&token, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let server = Server::start(&place, &["--token-file", token.to_str().unwrap()]);
    let connect = || {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    };
    let request = format!("GET /api/sessions HTTP/1.1\r\nHost: {}\r\n", server.address);
    let mut known = connect();
    let heard = |stream: &mut TcpStream| {
        stream.write_all(format!("{request}Authorization: Bearer a-token-of-our-own\r\n\r\n").as_bytes()).unwrap();
        let mut line = [0; 13];
        stream.read_exact(&mut line).unwrap();
        assert_eq!(&line, b"HTTP/1.1 200 ");
    };
    heard(&mut known);
    let mut strangers: Vec<TcpStream> = (0..40).map(|_| connect()).collect();
    for stranger in &mut strangers[..8] {
        // Neither its time nor its request has ended: the server closes it to make room for others.
        let mut rest = Vec::new();
        assert_eq!(stranger.read_to_end(&mut rest).unwrap(), 0);
    }
    heard(strangers.last_mut().unwrap());
    let mut rest = Vec::new();
    known.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
    assert!(known.read_to_end(&mut rest).is_err(), "who was heard stays");
}

#[test]
fn a_client_is_served_while_hundreds_hang() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let route = format!("/api/sessions/{session}/turns");
    let turn = server.post(&route, &json!({"message": "x".repeat(2 << 20)})).text("id");
    let host = &server.address;
    let body = "Content-Type: application/json\r\nContent-Length: 100";
    let hanging = [
        String::new(),
        format!("GET /api/sessions HTTP/1.1\r\nHost: {host}\r\nX-"),
        format!("POST {route} HTTP/1.1\r\nHost: {host}\r\n{body}\r\n\r\n{{"),
    ];
    // More than the system buffers for a client that reads nothing.
    let unread = format!("GET /api/sessions/{session}/messages HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(8);
    let clients: Vec<TcpStream> = std::iter::repeat_n(&hanging, 65)
        .flatten()
        .chain(std::iter::repeat_n(&unread, 5))
        .map(|request| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    server.post(&format!("{route}/{turn}/end"), &json!({})).ok();
    assert_eq!(server.transcript(&session).len(), 1);
    let (_, checkpoint) = server.turn(&session, "two", || place.write("a.txt", "changed\n"));
    server.post(&format!("/api/sessions/{session}/checkpoints/{checkpoint}/restore"), &json!({})).ok();
    assert_eq!(clients.len(), 200);
}
