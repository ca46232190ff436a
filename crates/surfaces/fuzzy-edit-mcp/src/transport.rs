//! One message per line, as in the SDK's transport, except that a malformed line is answered with an error that has its
//! id.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The bytes at the start of a too long line in which its id is searched.
const HEAD: usize = 64 << 10;

/// The number of messages that are read ahead.
const AHEAD: usize = 16;

type Output<W> = Arc<Mutex<W>>;

/// The connection to one client over a pair of streams.
pub(crate) struct Lines<W> {
    messages: Receiver<RxJsonRpcMessage<RoleServer>>,
    output: Output<W>,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Lines<W> {
    /// Begins to read lines of at most `longest` bytes.
    pub(crate) fn new<R: AsyncRead + Send + Unpin + 'static>(input: R, output: W, longest: usize) -> Self {
        let output = Arc::new(Mutex::new(output));
        let (sender, messages) = channel(AHEAD);
        tokio::spawn(read_all(BufReader::new(input), Arc::clone(&output), sender, longest));
        Self { messages, output }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(&output, &item).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.messages.close();
        self.output.lock().await.shutdown().await
    }
}

async fn write<W: AsyncWrite + Unpin>(output: &Output<W>, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

/// Passes on every message until the client closes its stream, or the receiver is dropped.
async fn read_all<R, W>(
    mut input: BufReader<R>,
    output: Output<W>,
    messages: Sender<RxJsonRpcMessage<RoleServer>>,
    longest: usize,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = match read_line(&mut input, &mut line, longest).await {
            Ok(Some(is_whole)) => parse(&line, is_whole),
            Ok(None) | Err(_) => return,
        };
        let done = match read {
            Read::Message(message) => messages.send(*message).await.is_ok(),
            Read::Nothing => true,
            Read::Error(error, id) => write(&output, &error_message(&error, id.as_ref())).await.is_ok(),
        };
        if !done {
            return;
        }
    }
}

/// Reads a line; of a too long line only the head. Returns whether the line is whole, or `None` at the end.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    longest: usize,
) -> io::Result<Option<bool>> {
    let mut is_whole = true;
    loop {
        let available = input.fill_buf().await?;
        if available.is_empty() {
            // An unfinished line is no message.
            return Ok(None);
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if is_whole && line.len() + part.len() > longest {
            is_whole = false;
            line.truncate(HEAD);
            line.shrink_to_fit();
        }
        if is_whole {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(is_whole));
        }
    }
}

/// Returns an error of the protocol as it is sent. An unknown id is `null`, which the SDK would omit.
pub(crate) fn error_message(error: &ErrorData, id: Option<&RequestId>) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// A message that was read.
pub(crate) enum Read {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// A blank line, or an unknown notification.
    Nothing,
    Error(ErrorData, Option<RequestId>),
}

/// Parses a message, or the head of one that is too long.
pub(crate) fn parse(line: &[u8], is_whole: bool) -> Read {
    if line.trim_ascii().is_empty() {
        return Read::Nothing;
    }
    if !is_whole {
        return Read::Error(ErrorData::invalid_request("the message is longer than the limit", None), id_in(line));
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("the message is not JSON: {error}");
            return Read::Error(ErrorData::parse_error(message, None), id_in(line));
        }
    };
    match serde_json::from_slice(line) {
        Ok(message) => Read::Message(Box::new(message)),
        // A notification gets no answer, even if it is unknown.
        Err(_) if value.get("method").is_some_and(Value::is_string) && value.get("id").is_none() => Read::Nothing,
        Err(_) => {
            let id = value.get("id").and_then(id_of);
            Read::Error(ErrorData::invalid_request("the message is not a request of JSON-RPC 2.0", None), id)
        }
    }
}

fn id_of(value: &Value) -> Option<RequestId> {
    serde_json::from_value(value.clone()).ok()
}

/// Returns the id of a message that is not valid JSON: the value of `"id"` in the outermost object.
fn id_in(line: &[u8]) -> Option<RequestId> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < line.len() {
        match line[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = end_of_string(line, at)?;
                let rest = line[end..].trim_ascii_start();
                if depth == 1 && &line[at..end] == b"\"id\"" && rest.first() == Some(&b':') {
                    let value = rest[1..].trim_ascii_start();
                    let length = match value.first()? {
                        b'"' => end_of_string(value, 0)?,
                        _ => value.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'-')?,
                    };
                    return id_of(&serde_json::from_slice(&value[..length]).ok()?);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the end of the string that begins at `start`, after its closing quote.
fn end_of_string(line: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while at < line.len() {
        match line[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}
