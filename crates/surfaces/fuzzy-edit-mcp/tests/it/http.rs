//! Streamable HTTP: authentication, and separate sessions.

use std::fmt::Write as _;

use fuzzy_edit_mcp::{PATH, Token, serve_http};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{Place, modern_meta};

const TOKEN: &str = "a-token-for-tests";

/// Starts a server and returns its port; it ends with the test's runtime.
async fn start(place: &Place) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(serve_http(place.server(), listener, Token::chosen(TOKEN).unwrap()));
    port
}

/// An answer over HTTP.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    /// Returns the value of a header.
    fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name)))
            .map(|it| it.1)
    }

    /// Returns the one message in the body: the whole body, or the last event of a stream.
    fn json(&self) -> Value {
        let event = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .rfind(|data| !data.is_empty());
        serde_json::from_str(event.unwrap_or(&self.body)).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends one request with these headers.
async fn post(port: u16, headers: &[(&str, &str)], message: &Value) -> Answer {
    post_raw(port, headers, &message.to_string()).await
}

async fn post_raw(port: u16, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut request = format!("POST {PATH} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    let own = format!("127.0.0.1:{port}");
    let bearer = format!("Bearer {TOKEN}");
    let usual = [
        ("Host", own.as_str()),
        ("Authorization", &bearer),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let is_given = |name: &str| headers.iter().any(|(given, _)| *given == name);
    for (name, value) in
        usual.iter().filter(|(name, _)| !is_given(name)).chain(headers.iter().filter(|it| !it.1.is_empty()))
    {
        let _ = write!(request, "{name}: {value}\r\n");
    }
    request += "\r\n";
    request += body;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("an answer: {answer}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    Answer { status, head: head.to_owned(), body: if is_chunked { unchunked(body) } else { body.to_owned() } }
}

fn unchunked(body: &str) -> String {
    let (mut text, mut rest) = (String::new(), body);
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        text += &after[..size];
        rest = after[size..].strip_prefix("\r\n").unwrap();
    }
    text
}

fn initialize() -> Value {
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

fn call(arguments: &Value, meta: &Value) -> Value {
    let params = json!({"name": "edit", "arguments": arguments, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
}

/// Opens a session and returns its id.
async fn session(port: u16) -> String {
    let answer = post(port, &[], &initialize()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let session = answer.header("mcp-session-id").expect("a session").to_owned();
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(port, &[("Mcp-Session-Id", &session)], &note).await.status, 202);
    session
}

#[tokio::test]
async fn only_clients_with_the_token_are_served() {
    let place = Place::with(&[]);
    let port = start(&place).await;
    assert_eq!(post(port, &[], &initialize()).await.status, 200);
    assert_eq!(post(port, &[("Authorization", "bearer a-token-for-tests")], &initialize()).await.status, 200);
    for wrong in
        ["", "Bearer", "Bearer ", "Bearer a-token-for-test", "Bearer a-token-for-testsx", "Basic a-token-for-tests"]
    {
        let answer = post(port, &[("Authorization", wrong)], &initialize()).await;
        assert_eq!(answer.status, 401, "{wrong}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        assert!(!answer.body.contains("fuzzy"), "{}", answer.body);
    }
}

#[tokio::test]
async fn other_hosts_and_web_pages_are_refused() {
    let place = Place::with(&[]);
    let port = start(&place).await;
    let local = format!("localhost:{port}");
    let origin = format!("http://{local}");
    assert_eq!(post(port, &[("Host", &local), ("Origin", &origin)], &initialize()).await.status, 200);
    for host in
        ["evil.example", &format!("evil.example:{port}"), "127.0.0.1:1", &format!("localhost.evil.example:{port}")]
    {
        assert_eq!(post(port, &[("Host", host)], &initialize()).await.status, 403, "{host}");
    }
    for origin in ["http://evil.example", &format!("https://evil.example:{port}"), "null", "http://localhost:1"] {
        assert_eq!(post(port, &[("Origin", origin)], &initialize()).await.status, 403, "{origin}");
    }
}

#[tokio::test]
async fn both_generations_edit_over_http() {
    let place = Place::with(&[("a.txt", "one\ntwo\n")]);
    let port = start(&place).await;
    let session = session(port).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"});
    let answer = post(port, &[("Mcp-Session-Id", &session)], &call(&arguments, &json!({}))).await;
    assert_eq!(answer.json()["result"]["structuredContent"]["status"], "applied", "{}", answer.body);

    let modern = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "edit")];
    let arguments = json!({"file_path": "a.txt", "old_string": "two", "new_string": "2"});
    let answer = post(port, &modern, &call(&arguments, &modern_meta())).await;
    assert_eq!(answer.json()["result"]["structuredContent"]["status"], "applied", "{}", answer.body);
    assert_eq!(place.text("a.txt"), "1\n2\n");
}

#[tokio::test]
async fn a_call_without_a_session_or_of_an_unknown_one_is_refused() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let port = start(&place).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"});
    let answer = post(port, &[("Mcp-Session-Id", "nobody")], &call(&arguments, &json!({}))).await;
    assert_eq!(answer.status, 404, "{}", answer.body);
    assert_eq!(place.text("a.txt"), "one\n");
}

#[tokio::test]
async fn every_refused_message_is_answered_by_an_error_with_its_id() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let port = start(&place).await;
    let call = call(&json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"}), &json!({})).to_string();
    let half = call.replace("one", "\\ud800");
    for (headers, body, status, code, id) in [
        (&[][..], half.as_str(), 400, -32700, json!(2)),
        (&[], "not json", 400, -32700, json!(null)),
        (&[], "42", 400, -32600, json!(null)),
        (&[], r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#, 400, -32600, json!("x")),
        (&[("Mcp-Session-Id", "nobody")], &call, 404, -32600, json!(2)),
        (&[("Accept", "application/json")], &call, 406, -32600, json!(2)),
        (&[("Content-Type", "text/plain")], &call, 415, -32600, json!(2)),
        (&[("Host", "evil.example")], &call, 403, -32600, json!(2)),
        (&[("Authorization", "Bearer wrong")], &call, 401, -32600, json!(null)),
    ] {
        let answer = post_raw(port, headers, body).await;
        assert_eq!((answer.status, answer.header("content-type")), (status, Some("application/json")), "{body}");
        let answer = answer.json();
        assert_eq!((&answer["jsonrpc"], &answer["error"]["code"]), (&json!("2.0"), &json!(code)), "{answer}");
        assert_eq!(answer.get("id"), Some(&id), "{answer}");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty(), "{answer}");
    }
    assert_eq!(place.text("a.txt"), "one\n");
}

#[test]
fn weak_tokens_are_rejected() {
    assert!(Token::chosen("short").is_none());
    assert!(Token::chosen("with blanks in the middle").is_none());
    assert!(Token::chosen("with-a-line-break\n").is_none());
    let fresh = Token::fresh().unwrap();
    assert_eq!(fresh.as_str().len(), 64);
    assert_ne!(fresh.as_str(), Token::fresh().unwrap().as_str());
}

#[tokio::test]
async fn each_session_counts_its_own_failures() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let port = start(&place).await;
    let (first, second) = (session(port).await, session(port).await);
    let arguments = json!({"file_path": "a.txt", "old_string": "absent from the file", "new_string": "x"});
    let message = call(&arguments, &json!({}));
    let mut codes = Vec::new();
    for session in [&first, &second, &first, &second, &first] {
        let answer = post(port, &[("Mcp-Session-Id", session)], &message).await.json();
        codes.push(answer["result"]["structuredContent"]["repeats"].as_u64().unwrap_or_default());
    }
    assert_eq!(codes, [1, 1, 2, 2, 3].map(|count| if count == 1 { 0 } else { count }));

    // The newer protocol has no sessions over HTTP, so all its requests share one.
    let modern = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "edit")];
    let message = call(&arguments, &modern_meta());
    assert_eq!(post(port, &modern, &message).await.json()["result"]["structuredContent"]["code"], "not_found");
    let again = post(port, &modern, &message).await.json();
    assert_eq!(again["result"]["structuredContent"]["code"], "repeated_failure");
}
