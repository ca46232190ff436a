//! The way back of the conversation of a host, whose files were taken back.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The longest line of a transcript that is read, in bytes. A prompt with a file is shorter.
const MAX_LINE: usize = 64 << 20;

/// The host's own names of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostTurn {
    /// The id of the turn, or of its prompt.
    #[serde(default)]
    pub turn: String,
    /// The file with the conversation.
    #[serde(default)]
    pub transcript: PathBuf,
}

/// How to go back in a conversation. Nothing of it is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WayBack {
    /// What to do in the host.
    pub words: String,
    /// A command for scripts, if there is one; `PROMPT` in it stands for the next prompt.
    pub command: Option<String>,
}

/// Returns the commands of Claude Code: the transcript has the entry before the prompt.
pub(crate) fn claude_code(session: &str, HostTurn { turn, transcript }: &HostTurn) -> Option<String> {
    let entry = before_prompt(transcript, turn)?;
    let words = ["claude", "-p", "PROMPT", "--resume", session, "--resume-session-at", &entry];
    shlex::try_join(words).ok()
}

/// Returns the entry of a transcript that comes before a prompt; none for the first one.
fn before_prompt(transcript: &Path, prompt: &str) -> Option<String> {
    let mut lines = BufReader::new(File::open(transcript).ok().filter(|_| !prompt.is_empty())?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = std::io::Read::take(&mut lines, MAX_LINE as u64).read_until(b'\n', &mut line).ok()?;
        if read == 0 {
            return None;
        }
        let Ok(entry) = serde_json::from_slice::<Value>(&line) else { continue };
        // Its tools' results have the same id.
        if entry["promptId"] == prompt && entry["type"] == "user" {
            return Some(entry["parentUuid"].as_str()?.to_owned());
        }
    }
}

/// Returns the command of Codex: the calls of its server, which answers until its input ends.
pub(crate) fn codex(session: &str, HostTurn { turn, .. }: &HostTurn) -> Option<String> {
    let calls = [
        json!({ "id": 1, "method": "initialize", "params": { "clientInfo": { "name": "fuzzy-edit", "version": "1" } } }),
        json!({ "method": "initialized" }),
        json!({ "id": 2, "method": "thread/resume", "params": { "threadId": session } }),
        json!({ "id": 3, "method": "thread/revert", "params": { "threadId": session, "beforeTurnId": turn } }),
    ];
    let calls = calls.map(|call| call.to_string());
    let calls = shlex::try_join(calls.iter().map(String::as_str)).ok().filter(|_| !turn.is_empty())?;
    Some(format!("(printf '%s\\n' {calls}; sleep 10) | codex app-server"))
}

/// Returns the command of opencode: a request to its server.
pub(crate) fn opencode(session: &str, HostTurn { turn, .. }: &HostTurn) -> Option<String> {
    let (address, message) =
        (format!("http://127.0.0.1:4096/session/{session}/fork"), json!({ "messageID": turn }).to_string());
    let words = ["curl", "-H", "content-type: application/json", "-d", &message, &address];
    shlex::try_join(words).ok().filter(|_| !turn.is_empty())
}
