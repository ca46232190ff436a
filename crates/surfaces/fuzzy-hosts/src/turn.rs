//! Turns of the agent, from a prompt to its answer.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{Event, set};
use crate::host::Host;
use crate::moment::{Moment, Turns};

/// The longest id of a session, in bytes.
const MAX_SESSION_BYTES: usize = 200;

/// The longest stored prompt, in bytes. Longer prompts contain a whole file.
const MAX_PROMPT_BYTES: usize = 64 << 10;

/// The contents of an event of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEvent {
    /// The host's id of the session.
    pub session: String,
    /// The prompt; empty if the event has none.
    pub prompt: String,
    /// The working directory of the agent.
    pub directory: PathBuf,
}

impl Host {
    /// Reads an event of a turn. Returns `None` for an event of another shape, or one that begins no turn.
    #[must_use]
    pub fn turn_event(&'static self, moment: Moment, event: &str) -> Option<TurnEvent> {
        let (turns, json) = self.turns.as_ref().zip(serde_json::from_str::<Value>(event).ok())?;
        let event = Event { host: self, json: &json };
        let session = event.first(turns.session)?;
        if session.len() > MAX_SESSION_BYTES || session.chars().any(char::is_control) {
            return None;
        }
        let prompt = event.first(turns.prompt);
        if moment == Moment::Begin && turns.needs_prompt && prompt.is_none() {
            return None;
        }
        let prompt = prompt.unwrap_or_default();
        let prompt = prompt[..prompt.floor_char_boundary(MAX_PROMPT_BYTES)].to_owned();
        Some(TurnEvent { session: session.to_owned(), prompt, directory: event.directory() })
    }

    /// Returns the host's events of turns, each with ours.
    pub(crate) fn turn_events(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.turns.iter().flat_map(Turns::events)
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
