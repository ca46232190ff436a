//! `mcp`: the server as a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::Place;

/// The variable that holds the token.
pub(crate) const TOKEN: &str = "FUZZY_EDIT_MCP_TOKEN";

/// The server as a child process, over its standard input and output.
pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Self { child, input, output, last: 0 };
        let info = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
        server.request("initialize", &params);
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    /// Sends a notification, or a request without waiting for its answer.
    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(answer["id"], self.last, "{answer}");
        answer["result"].clone()
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Closes the pipe; the server exits without further output.
    pub(crate) fn end(self) {
        let Self { mut child, input, mut output, .. } = self;
        drop(input);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn edits_over_standard_input_and_output_until_they_close() {
    let place = Place::with("one\ntwo\n");
    let mut server = Server::start(place.command(&["mcp"]));
    let edit = json!({"file_path": "file.txt", "old_string": "two", "new_string": "2"});
    let result = server.call("edit", &edit);
    assert_eq!(result["content"], json!([{"type": "text", "text": "applied file.txt 2"}]), "{result}");
    assert_eq!(place.text("file.txt"), "one\n2\n");
    let absent = json!({"file_path": "../outside.txt", "old_string": "two", "new_string": "2"});
    assert_eq!(server.call("edit", &absent)["structuredContent"]["code"], "outside_root");
    server.end();
}

#[test]
fn root_and_search_are_options_of_the_server() {
    let place = Place::new();
    std::fs::create_dir(place.path("below")).unwrap();
    place.write("below/file.txt", "total  =  1\n");
    let mut server =
        Server::start(place.command(&["mcp", "--root", "below", "--ladder", "opencode", "--max-bytes", "20"]));
    let edit = json!({"file_path": "file.txt", "old_string": "total = 1", "new_string": "total = 2"});
    let failure = server.call("edit", &edit)["structuredContent"].clone();
    assert_eq!(failure["code"], "not_found", "{failure}");
    assert_eq!(failure["tried"][0], "exact");
    place.write("below/file.txt", "total = 1 # a long comment\n");
    assert_eq!(server.call("edit", &edit)["structuredContent"]["cause"], "too_large");
    server.end();
}

#[test]
fn a_server_that_cannot_start_is_an_error() {
    let place = Place::with("one\n");
    for arguments in [
        ["--root", "absent"],
        ["--root", "file.txt"],
        ["--ladder", "absent"],
        ["--http", "host:1"],
        ["--http", "0.0.0.0:0"],
    ] {
        let answer = place.run(&["mcp", arguments[0], arguments[1]]);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.starts_with("fuzzy-edit: bad_input: "), "{answer:?}");
        assert_eq!(answer.out, "");
    }
}

/// The server as a child process that listens; it is killed at the end of the test.
pub(crate) struct Listening {
    child: Child,
    address: String,
    stderr: BufReader<std::process::ChildStderr>,
}

impl Listening {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("fuzzy-edit: listening at http://").and_then(|it| it.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Self { child, address, stderr }
    }

    /// Opens a session with this token and returns the first line of the answer.
    pub(crate) fn initialize(&self, token: &str) -> String {
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len(),
        )
        .unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn over_http_the_token_is_read_from_the_environment_or_generated() {
    let place = Place::with("one\n");
    let mut command = place.command(&["mcp", "--http", "0"]);
    command.env(TOKEN, "a-token-of-our-own");
    let server = Listening::start(command);
    assert_eq!(server.initialize("a-token-of-our-own"), "HTTP/1.1 200 OK\r\n");
    assert_eq!(server.initialize("another-token-then"), "HTTP/1.1 401 Unauthorized\r\n");

    let mut command = place.command(&["mcp", "--http", "127.0.0.1:0"]);
    command.env_remove(TOKEN);
    let mut server = Listening::start(command);
    let mut line = String::new();
    server.stderr.read_line(&mut line).unwrap();
    let token = line.trim_end().trim_end_matches('`').rsplit(' ').next().unwrap().to_owned();
    assert_eq!(token.len(), 64, "{line}");
    assert_eq!(server.initialize(&token), "HTTP/1.1 200 OK\r\n");

    let mut command = place.command(&["mcp", "--http", "0"]);
    let output = command.env(TOKEN, "short").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
