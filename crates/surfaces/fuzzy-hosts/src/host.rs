//! The description of a host: each has a file in `hosts`.

use serde_json::{Value, json};

use crate::item::{Item, Parts, Site};
use crate::moment::Turns;
use crate::repair::Input;

/// A program that runs a coding agent, and calls commands before and after the tools of its model.
#[derive(Debug)]
pub struct Host {
    /// The name on the command line.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The places of what an event tells.
    pub(crate) event: Places,
    /// The tools that replace an old text, or a list of them.
    pub(crate) edit_tools: &'static [&'static str],
    /// The tools that apply a patch, each with the property that holds it.
    pub(crate) patch_tools: &'static [(&'static str, &'static str)],
    /// Wraps the input that a tool is to be run with instead.
    pub(crate) repaired: fn(Input) -> Value,
    /// The answer where there is nothing to say; most hosts want none.
    pub(crate) silence: &'static str,
    /// The failed calls of an event, where the host tells of them.
    pub(crate) failures: Option<Failures>,
    /// The events of turns, where the host tells of them.
    pub(crate) turns: Option<Turns>,
    /// The programs of the host, by which it is found.
    pub(crate) programs: &'static [&'static str],
    /// The directories of its settings, in a home or a project, by which it is found.
    pub(crate) directories: &'static [&'static str],
    /// Returns what its settings need.
    pub(crate) settings: fn(&Site, Parts) -> Vec<Item>,
    /// A hint for after the settings have changed: a question of trust that the host asks, for example.
    pub note: Option<&'static str>,
}

/// The places of what an event tells, as JSON pointers; those after the first are tried where there is nothing.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) tool: &'static str,
    pub(crate) input: &'static str,
    pub(crate) directory: &'static [&'static str],
    pub(crate) model: &'static [&'static str],
}

/// The shape of Claude Code, which many hosts share.
pub(crate) const SHARED: Places =
    Places { tool: "/tool_name", input: "/tool_input", directory: &["/cwd"], model: &["/model"] };

/// The failed calls that an event tells of, as JSON pointers.
#[derive(Debug)]
pub(crate) struct Failures {
    /// The call, or the list of calls.
    pub(crate) calls: &'static str,
    /// The tool, its input and the response to it, within a call.
    pub(crate) tool: &'static str,
    pub(crate) input: &'static str,
    pub(crate) response: &'static str,
    /// Returns whether a response tells of a failure.
    pub(crate) is_failure: fn(&Value) -> bool,
    /// The host's own message in the event, where our text replaces it: it then begins our text.
    pub(crate) replaced: Option<&'static str>,
    /// Wraps the text that the model is to read.
    pub(crate) context: fn(&str) -> Value,
}

/// The shape of the failures that most hosts tell of.
pub(crate) const SHARED_FAILURES: Failures = Failures {
    calls: "",
    tool: SHARED.tool,
    input: SHARED.input,
    response: "/error",
    is_failure: is_there,
    replaced: None,
    context: |text| additional_context("PostToolUseFailure", text),
};

/// Returns whether there is an error.
pub(crate) fn is_there(error: &Value) -> bool {
    !matches!(error, Value::Null | Value::Bool(false))
}

/// Wraps a text for the model as Claude Code and many others read it.
pub(crate) fn additional_context(event: &str, text: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
}
