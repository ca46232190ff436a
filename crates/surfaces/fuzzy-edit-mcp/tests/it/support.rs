//! A client that sends and receives raw JSON, so that no SDK hides details of the messages.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use fuzzy_edit::{Editor, Patience, Root, State, Workspace};
use fuzzy_edit_mcp::{Roots, Server, Settings, serve};
use fuzzy_pipeline::{Pipeline, ladder};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

/// A temporary directory that is the root of a server.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    /// Makes a place with files of these names and texts.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            fs::write(place.path(name), text).unwrap();
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn settings(&self) -> Settings {
        // Keeps the journals of the tests apart from those of the user who runs them, which they would displace.
        let workspace = Workspace::default().with_state(State::at(concat!(env!("CARGO_TARGET_TMPDIR"), "/state")));
        let editor = Editor::new(workspace, Pipeline::new(ladder::adaptive()));
        Settings {
            editor,
            roots: Roots::new(self.root(), Vec::new()),
            patience: Patience::default(),
            log: None,
            checkpoints: None,
            structured: true,
        }
    }

    pub(crate) fn root(&self) -> Root {
        Root::open(self.0.path()).unwrap()
    }

    pub(crate) fn server(&self) -> Server {
        Server::new(self.settings()).unwrap()
    }
}

/// A client at the other end of a pipe.
pub(crate) struct Client {
    input: BufReader<ReadHalf<DuplexStream>>,
    output: WriteHalf<DuplexStream>,
    server: JoinHandle<std::io::Result<()>>,
    last: u64,
    /// The `_meta` of every request.
    meta: Value,
    /// Messages without a request, such as notifications.
    pub(crate) notes: VecDeque<Value>,
}

impl Client {
    /// Connects without a handshake.
    pub(crate) fn silent(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(serve(server, input, output));
        let (input, output) = tokio::io::split(ours);
        Self { input: BufReader::new(input), output, server, last: 0, meta: json!({}), notes: VecDeque::new() }
    }

    /// Connects with a handshake, for the protocol up to 2025-11-25.
    pub(crate) async fn connect(server: Server) -> Self {
        let mut client = Self::silent(server);
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        client.request("initialize", params).await;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    /// Connects for the protocol from 2026-07-28: every request has its version.
    pub(crate) fn modern(server: Server) -> Self {
        let mut client = Self::silent(server);
        client.meta = modern_meta();
        client
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes()).await;
    }

    pub(crate) async fn send_raw(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).await.unwrap();
    }

    /// Closes the client's output.
    pub(crate) async fn close_output(&mut self) {
        self.output.shutdown().await.unwrap();
    }

    /// Sends a request and returns its id.
    pub(crate) async fn send_request(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let mut params = params;
        let meta = params.as_object_mut().unwrap().entry("_meta").or_insert_with(|| json!({}));
        meta.as_object_mut().unwrap().extend(self.meta.as_object().unwrap().clone());
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    /// Returns the next message, or `None` if the server closed.
    pub(crate) async fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.input.read_line(&mut line).await.unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    /// Returns the whole answer to a request, and stores the messages before it. Answers may arrive in another order
    /// than the requests.
    pub(crate) async fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.notes.iter().position(|message| message["id"] == id) {
            return self.notes.remove(at).expect("a message");
        }
        loop {
            let message = self.read().await.expect("an answer");
            if message["id"] == id {
                return message;
            }
            self.notes.push_back(message);
        }
    }

    /// Sends a request and returns its result.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params).await;
        let answer = self.answer(id).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// Sends a request and returns the error of the protocol.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params).await;
        let answer = self.answer(id).await;
        assert!(answer.get("result").is_none(), "{answer}");
        answer["error"].clone()
    }

    /// Calls a tool, and validates its answer against the tool's schema.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Called {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
        let tools = self.request("tools/list", json!({})).await;
        let described = tools["tools"].as_array().unwrap().iter().find(|known| known["name"] == tool).unwrap();
        let structured = &result["structuredContent"];
        let validator = jsonschema::validator_for(&described["outputSchema"]).unwrap();
        if let Err(error) = validator.validate(structured) {
            panic!("{error}: {structured}");
        }
        let [content] = &result["content"].as_array().unwrap()[..] else { panic!("one text: {result}") };
        Called {
            is_error: result["isError"].as_bool().unwrap(),
            text: content["text"].as_str().unwrap().to_owned(),
            data: structured.clone(),
        }
    }

    /// Closes the pipe and waits until the server ends.
    pub(crate) async fn close(self) {
        let Self { input, output, server, .. } = self;
        drop(input.into_inner().unsplit(output));
        server.await.unwrap().unwrap();
    }
}

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) is_error: bool,
    pub(crate) text: String,
    pub(crate) data: Value,
}

impl Called {
    /// Returns the data of a call that succeeded.
    pub(crate) fn success(self) -> Value {
        assert!(!self.is_error, "{self:?}");
        self.data
    }

    /// Returns the data of a call that failed with this code.
    pub(crate) fn failure(self, code: &str) -> Value {
        assert!(self.is_error, "{self:?}");
        assert!(self.text.starts_with(&format!("{code}: ")), "{self:?}");
        assert_eq!(self.data["code"], code, "{self:?}");
        assert_eq!(self.data["status"], "failed");
        assert!(!self.data["next_step"].as_str().unwrap().is_empty());
        self.data
    }
}

/// Returns the `_meta` of requests of the protocol from 2026-07-28.
pub(crate) fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    })
}
