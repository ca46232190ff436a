//! Calls of tools, before and after they run.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::Event;
use crate::host::Host;
use crate::repair::{self, object};
use crate::shell::Script;

/// The tools of hosts that write whole files.
pub(crate) const WRITERS: [&str; 8] =
    ["Write", "MultiEdit", "NotebookEdit", "write", "write_file", "create", "create_file", "write_to_file"];

/// The tools of hosts that run commands.
pub(crate) const SHELLS: [&str; 13] = [
    "Bash",
    "PowerShell",
    "Shell",
    "bash",
    "exec_command",
    "execute_command",
    "local_shell",
    "powershell",
    "run_commands",
    "run_in_terminal",
    "run_shell_command",
    "run_terminal_cmd",
    "shell",
];

/// The tools of hosts that only read files.
const READERS: [&str; 22] = [
    "Glob",
    "Grep",
    "LS",
    "Read",
    "codebase_search",
    "file_search",
    "glob",
    "glob_file_search",
    "grep",
    "grep_search",
    "list",
    "list_dir",
    "list_directory",
    "list_files",
    "ls",
    "read",
    "read_file",
    "read_files",
    "read_many_files",
    "search_file_content",
    "search_files",
    "view",
];

/// The moment of an event of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// The tool is about to run.
    Before,
    /// It ran, or failed.
    After,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolEvent {
    /// Whether the tool is about to run or ran.
    pub when: When,

    /// The host's id of the session.
    pub session: String,
    /// The name of the tool.
    pub tool: String,
    /// The kind of the tool.
    pub kind: ToolKind,
    /// The working directory of the agent.
    pub directory: PathBuf,
    /// The command that it runs, if it is a shell.
    pub command: Option<ShellCommand>,
}

/// A command of a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand {
    /// Its text; empty if the event has none.
    pub text: String,
    /// The directory in which it runs.
    pub directory: PathBuf,
    /// Whether every part of it is known only to read files.
    pub only_reads: bool,
}

/// The kind of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ToolKind {
    /// It writes these files.
    Edit {
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// It only reads files.
    Read,
    /// It runs a command.
    Shell,
    /// Anything else, such as a tool of an MCP server.
    Other,
}

impl Host {
    /// Reads the calls of an event before or after tools. Returns none if the event names no session, and for a host
    /// without turns.
    #[must_use]
    pub fn tool_events(&'static self, when: When, event: &str) -> Vec<ToolEvent> {
        let Some((turns, json)) = self.turns.as_ref().zip(serde_json::from_str::<Value>(event).ok()) else {
            return Vec::new();
        };
        let event = Event { host: self, json: &json };
        let Some(session) = event.first(turns.session) else { return Vec::new() };
        let mut calls: Vec<(Option<&Value>, Option<&Value>)> =
            vec![(json.pointer(self.event.tool), json.pointer(self.event.input))];
        if let Some(failures) = self.failures.as_ref().filter(|failures| !failures.calls.is_empty()) {
            let found = json.pointer(failures.calls).unwrap_or(&Value::Null);
            let found = found.as_array().map_or_else(|| std::slice::from_ref(found), Vec::as_slice);
            calls.extend(found.iter().map(|call| (call.pointer(failures.tool), call.pointer(failures.input))));
        }
        let named =
            calls.into_iter().filter_map(|(tool, input)| Some((tool?.as_str()?, input.unwrap_or(&Value::Null))));
        let read = |(tool, input): (&str, &Value)| ToolEvent {
            when,
            session: session.to_owned(),
            tool: tool.to_owned(),
            kind: self.kind(tool, input, &event),
            directory: event.directory(),
            command: shell_command(tool, input, &event),
        };
        named.map(read).collect()
    }

    fn kind(&self, tool: &str, input: &Value, event: &Event<'_>) -> ToolKind {
        let input = object(input).unwrap_or_default();
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        let edit = |files: Vec<String>| {
            let directory = event.directory();
            ToolKind::Edit { paths: files.iter().map(|name| directory.join(name)).collect() }
        };
        if let Some((_, property)) = self.patch_tools.iter().find(|(name, _)| *name == tool) {
            let files = text(property).map(repair::files_of_patch).unwrap_or_default();
            // A shell may apply a patch.
            if !files.is_empty() || !SHELLS.contains(&tool) {
                return edit(files);
            }
        }
        if SHELLS.contains(&tool) {
            return ToolKind::Shell;
        }
        if READERS.contains(&tool) {
            return ToolKind::Read;
        }
        if self.edit_tools.contains(&tool) || WRITERS.contains(&tool) {
            return edit(repair::files_of(input));
        }
        ToolKind::Other
    }
}

/// Returns the command of a call, if the tool is a shell.
fn shell_command(tool: &str, input: &Value, event: &Event<'_>) -> Option<ShellCommand> {
    if !SHELLS.contains(&tool) {
        return None;
    }
    let input = object(input).unwrap_or_default();
    let text = |name: &str| input.get(name).and_then(Value::as_str);
    let words = || {
        let words: Vec<&str> = input.get("command")?.as_array()?.iter().filter_map(Value::as_str).collect();
        match words[..] {
            [_, "-c" | "-lc", script] => Some(script.to_owned()),
            _ => Some(words.join(" ")),
        }
    };
    let command = text("command").or(text("cmd")).map(str::to_owned).or_else(words).unwrap_or_default();
    let named = ["workdir", "cwd", "directory", "dir_path"].into_iter().find_map(text);
    let directory = event.directory();
    let directory = named.map_or_else(|| directory.clone(), |named| directory.join(named));
    // The words of PowerShell are others.
    let is_known = !tool.eq_ignore_ascii_case("powershell") && !command.is_empty();
    let only_reads = is_known && Script::parse(&command).only_reads();
    Some(ShellCommand { text: command, directory, only_reads })
}
