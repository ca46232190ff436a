//! Turns of the agent, from a prompt to its answer.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::conversation::{HostTurn, WayBack};
use crate::event::{Event, set};
use crate::hook::Answer;
use crate::host::Host;
use crate::lenient;
use crate::moment::Moment;
use crate::tool_event::{ShellCommand, ToolEvent};

/// The longest id of a session, in bytes.
const MAX_SESSION_BYTES: usize = 200;

/// The longest stored prompt, in bytes. Longer prompts contain a whole file.
const MAX_PROMPT_BYTES: usize = 64 << 10;

/// The contents of an event of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEvent {
    /// The host's id of the session.
    pub session: String,
    /// The prompt, or the command of a step; empty if the event has none.
    pub prompt: String,
    /// The working directory of the agent.
    pub directory: PathBuf,
    /// The host's own names of the turn.
    #[serde(default)]
    pub named: HostTurn,
}

/// The reason why an event of a turn cannot be recorded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The event is not a JSON object.
    #[error("the event is not JSON: {0}")]
    NotJson(String),
    /// The event has no id of a session.
    #[error("the event names no session")]
    NoSession,
    /// The id of the session is too long, or has control characters.
    #[error("the id of the session has more than {MAX_SESSION_BYTES} bytes or control characters")]
    BadSession,
}

impl TurnEvent {
    /// Returns the event of a step: a command, and the directory in which it runs, or that of the agent if there is none.
    #[must_use]
    pub fn of_step(event: &ToolEvent, command: &ShellCommand) -> Self {
        let prompt = command.text[..command.text.floor_char_boundary(MAX_PROMPT_BYTES)].to_owned();
        let directory = if command.directory.is_dir() { &command.directory } else { &event.directory };
        Self { session: event.session.clone(), prompt, directory: directory.clone(), named: HostTurn::default() }
    }
}

impl Host {
    /// Reads an event of a turn. Returns `None` for one that begins no turn, and in a host without turns.
    ///
    /// The event is read leniently: wrong text becomes U+FFFD, and properties that cannot be parsed are ignored.
    ///
    /// # Errors
    ///
    /// [`TurnError`] for an event that is not JSON or names no session.
    pub fn turn_event(&'static self, moment: Moment, event: &[u8]) -> Result<Option<TurnEvent>, TurnError> {
        let Some(turns) = &self.turns else { return Ok(None) };
        let json = lenient::read(event).map_err(|error| TurnError::NotJson(error.to_string()))?;
        let event = Event { host: self, json: &json };
        let session = event.first(turns.session).ok_or(TurnError::NoSession)?;
        if session.len() > MAX_SESSION_BYTES || session.chars().any(char::is_control) {
            return Err(TurnError::BadSession);
        }
        let prompt = event.first(turns.prompt);
        if moment == Moment::Begin && turns.needs_prompt && prompt.is_none() {
            return Ok(None);
        }
        let prompt = prompt.unwrap_or_default();
        let prompt = prompt[..prompt.floor_char_boundary(MAX_PROMPT_BYTES)].to_owned();
        let text = |pointer| event.first(&[pointer]).unwrap_or_default().to_owned();
        let [turn, transcript] = turns.named.map(text);
        let named = HostTurn { turn, transcript: transcript.into() };
        Ok(Some(TurnEvent { session: session.to_owned(), prompt, directory: event.directory(), named }))
    }

    /// Returns whether the answer to the event that begins a turn may have a text for the model.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.told.is_some())
    }

    /// Returns the answer to the event that begins a turn, with a text for the model, if there is one.
    #[must_use]
    pub fn told(&self, text: &str) -> Answer {
        let told = self.turns.as_ref().and_then(|turns| turns.told).filter(|_| !text.is_empty());
        let output = told.map_or_else(|| self.silence.to_owned(), |told| told(text).to_string());
        Answer { output, ..self.silent() }
    }

    /// Returns how to go back in the conversation of a session to before a turn; none in a host without a way.
    #[must_use]
    pub fn way_back(&self, session: &str, named: &HostTurn) -> Option<WayBack> {
        let (words, command) = self.turns.as_ref()?.way_back?;
        Some(WayBack { words: words.to_owned(), command: command(session, named) })
    }

    /// Returns whether the host reports the end of a session.
    #[must_use]
    pub fn ends_sessions(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| !turns.session_end.is_empty())
    }

    /// Returns an event that begins a turn in a directory.
    pub(crate) fn begin_event(&self, directory: &str) -> Option<Value> {
        let turns = self.turns.as_ref()?;
        let mut event = Value::Null;
        for (pointers, text) in [(turns.session, "check"), (turns.prompt, "Check."), (self.event.directory, directory)]
        {
            if let Some(pointer) = pointers.first() {
                set(&mut event, pointer, text.into());
            }
        }
        Some(event)
    }
}
