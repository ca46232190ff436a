//! The moments of a turn, and their places in the events of a host.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::conversation::HostTurn;

/// Returns the command that goes back in the conversation of a session to before a turn.
type WayBackCommand = fn(&str, &HostTurn) -> Option<String>;

/// The events of turns, by the host's names, and the places of their data.
#[derive(Debug)]
pub(crate) struct Turns {
    /// The events that begin a session.
    pub(crate) session_begin: &'static [&'static str],
    /// The events that begin a turn.
    pub(crate) begin: &'static [&'static str],
    /// The events that end one.
    pub(crate) end: &'static [&'static str],
    /// The events that end a session.
    pub(crate) session_end: &'static [&'static str],
    /// The events before and after each call of a tool, in the settings of the host.
    pub(crate) tool_before: &'static [&'static str],
    pub(crate) tool_after: &'static [&'static str],
    /// Whether the event before a call takes a repaired input.
    pub(crate) repairs: bool,
    /// JSON pointers to the id of the session; the first with a text is used.
    pub(crate) session: &'static [&'static str],
    /// JSON pointers to the prompt.
    pub(crate) prompt: &'static [&'static str],
    /// Whether an event without a prompt begins no turn.
    pub(crate) needs_prompt: bool,
    /// JSON pointers to the host's id of the turn, and to the file with the conversation.
    pub(crate) named: [&'static str; 2],
    /// Wraps a text for the model in the answer to the event that begins a turn, if the host takes one.
    pub(crate) told: Option<fn(&str) -> Value>,
    /// How to go back in a conversation, in words, and the command for a session.
    pub(crate) way_back: Option<(&'static str, WayBackCommand)>,
}

/// The events of Claude Code, which many hosts share.
pub(crate) const SHARED_TURNS: Turns = Turns {
    session_begin: &["SessionStart"],
    begin: &["UserPromptSubmit"],
    end: &["Stop"],
    session_end: &["SessionEnd"],
    tool_before: &["PreToolUse"],
    tool_after: &["PostToolUse"],
    repairs: true,
    session: &["/session_id"],
    prompt: &["/prompt"],
    needs_prompt: false,
    named: ["/turn_id", ""],
    told: None,
    way_back: None,
};

/// A moment of a turn or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A session has begun.
    SessionBegin,
    /// The user sent a prompt.
    Begin,
    /// A command of a shell is about to run.
    Step,
    /// The agent answered.
    End,
    /// The session has ended.
    SessionEnd,
}

impl Moment {
    /// Returns the name of our event for it.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::SessionBegin => "session-begin",
            Self::Begin => "turn-begin",
            Self::Step => "step",
            Self::End => "turn-end",
            Self::SessionEnd => "session-end",
        }
    }
}

impl Turns {
    /// Returns the host's events, each with ours.
    pub(crate) fn events(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let moments = [
            (self.session_begin, Moment::SessionBegin),
            (self.begin, Moment::Begin),
            (self.end, Moment::End),
            (self.session_end, Moment::SessionEnd),
        ];
        moments.into_iter().flat_map(|(names, moment)| names.iter().map(move |name| (*name, moment.verb())))
    }
}
