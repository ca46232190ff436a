//! The description of a host: each has a file in `hosts`.

use serde_json::{Value, json};

use crate::item::{Item, Parts, Site};
use crate::moment::Turns;
use crate::repair::Input;
use crate::shown::Reads;

/// A program that runs a coding agent, and calls commands before and after the tools of its model.
#[derive(Debug)]
pub struct Host {
    /// The name on the command line.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The places of the data in an event.
    pub(crate) event: Places,
    /// The tools that replace an old text, or a list of them.
    pub(crate) edit_tools: &'static [&'static str],
    /// The tools that apply a patch, each with the property that contains it.
    pub(crate) patch_tools: &'static [(&'static str, &'static str)],
    /// Wraps the repaired input of a tool.
    pub(crate) repaired: fn(Input) -> Value,
    /// The answer without contents; empty for most hosts.
    pub(crate) silence: &'static str,
    /// Wraps the reason for the model why a call is stopped, if the host stops calls.
    pub(crate) denied: Option<fn(&str) -> Value>,
    /// The failed calls of an event, if the host reports them.
    pub(crate) failures: Option<Failures>,
    /// The lines that its tools show, if the host reports them.
    pub(crate) reads: Option<Reads>,
    /// The events of turns, if the host reports them.
    pub(crate) turns: Option<Turns>,
    /// The events that call us for repairs alone, in the settings of the host.
    pub(crate) repair_hooks: &'static [Hook],
    /// The programs of the host, by which it is found.
    pub(crate) programs: &'static [&'static str],
    /// The directories of its settings, in a home or a project, by which it is found.
    pub(crate) directories: &'static [&'static str],
    /// Returns the items that its settings need.
    pub(crate) settings: fn(&Site, Parts) -> Vec<Item>,
    /// A hint after the settings have changed, such as a confirmation that the host requires.
    pub note: Option<&'static str>,
}

/// An event of a host that calls us: its name, the tools that it is limited to, in the host's own format, and our event.
pub(crate) type Hook = (&'static str, Option<&'static str>, &'static str);

/// A host without tools and settings, with the events of Claude Code; each host says how it differs.
pub(crate) const PLAIN: Host = Host {
    name: "",
    title: "",
    event: SHARED,
    edit_tools: &[],
    patch_tools: &[],
    repaired: |input| json!({ "updatedInput": input }),
    silence: "",
    denied: None,
    failures: None,
    reads: None,
    turns: None,
    repair_hooks: &[],
    programs: &[],
    directories: &[],
    settings: |_, _| Vec::new(),
    note: None,
};

/// The places of the data in an event, as JSON pointers. Of several, the first with a text is used.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) tool: &'static str,
    pub(crate) input: &'static str,
    pub(crate) directory: &'static [&'static str],
    pub(crate) model: &'static [&'static str],
}

/// The places in the events of Claude Code, which many hosts share.
pub(crate) const SHARED: Places =
    Places { tool: "/tool_name", input: "/tool_input", directory: &["/cwd"], model: &["/model"] };

/// The failed calls of an event, as JSON pointers.
#[derive(Debug)]
pub(crate) struct Failures {
    /// The call, or the list of calls.
    pub(crate) calls: &'static str,
    /// The tool, its input and the response to it, within a call.
    pub(crate) tool: &'static str,
    pub(crate) input: &'static str,
    pub(crate) response: &'static str,
    /// Returns whether a response is a failure.
    pub(crate) is_failure: fn(&Value) -> bool,
    /// The host's own message in the event, if our text replaces it; our text then begins with it.
    pub(crate) replaced: Option<&'static str>,
    /// Wraps the text for the model.
    pub(crate) context: fn(&str) -> Value,
}

/// The failures in the format of most hosts.
pub(crate) const SHARED_FAILURES: Failures = Failures {
    calls: "",
    tool: SHARED.tool,
    input: SHARED.input,
    response: "/error",
    is_failure: is_error,
    replaced: None,
    context: |text| additional_context("PostToolUseFailure", text),
};

/// Returns whether there is an error.
pub(crate) fn is_error(error: &Value) -> bool {
    !matches!(error, Value::Null | Value::Bool(false))
}

/// Wraps a text for the model in the format of Claude Code and many others.
pub(crate) fn additional_context(event: &str, text: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
}
