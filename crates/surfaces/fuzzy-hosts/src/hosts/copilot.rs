//! GitHub Copilot CLI. It blocks the call of a tool if a hook fails.

use serde_json::{Map, json};

use crate::host::{Failures, Host, Places, SHARED_FAILURES};
use crate::item::{Item, Parts, Site, TIMEOUT_S, server};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "copilot",
    title: "GitHub Copilot CLI",
    event: Places { tool: "/toolName", input: "/toolArgs", directory: &["/cwd"], model: &["/model"] },
    edit_tools: &["edit", "str_replace_editor"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "modifiedArgs": input }),
    silence: "",
    denied: None,
    failures: Some(Failures {
        tool: "/toolName",
        input: "/toolArgs",
        context: |text| json!({ "additionalContext": text }),
        ..SHARED_FAILURES
    }),
    reads: None,
    turns: Some(Turns {
        session_begin: &["sessionStart"],
        begin: &["userPromptSubmitted"],
        end: &["agentStop"],
        session_end: &["sessionEnd"],
        tool_before: &["preToolUse"],
        tool_after: &["postToolUse", "postToolUseFailure"],
        session: &["/sessionId", "/session_id"],
        ..SHARED_TURNS
    }),
    programs: &["copilot"],
    directories: &[".copilot"],
    settings,
    note: None,
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let (hooks, servers) = match &site.project {
        Some(project) => (project.join(".github/hooks"), None),
        None => (site.home.join(".copilot/hooks"), Some(site.home.join(".copilot/mcp-config.json"))),
    };
    let mut items = Vec::new();
    let hook = |(event, ours): (&str, &str)| {
        let call = site.call(HOST.name, ours);
        (event.to_owned(), json!([{ "type": "command", "bash": call, "powershell": call, "timeoutSec": TIMEOUT_S }]))
    };
    let mut events = Map::new();
    if parts.turns {
        events.extend(HOST.tool_hooks(parts).into_iter().chain(HOST.turn_events()).map(hook));
    } else if parts.repair {
        events.extend([("preToolUse", "repair"), ("postToolUseFailure", "failed")].map(hook));
    }
    if !events.is_empty() {
        let text = format!("{:#}\n", json!({ "version": 1, "hooks": events }));
        items.push(Item::File { path: hooks.join("fuzzy-edit.json"), text, executable: false });
    }
    if let (true, Some(path)) = (parts.mcp, servers) {
        items.push(Item::Entry(path, server(site)));
    }
    items
}
