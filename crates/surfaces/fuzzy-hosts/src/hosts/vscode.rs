//! The agent of Copilot in Visual Studio Code.

use serde_json::{Map, json};

use crate::host::{Host, SHARED};
use crate::item::{Entry, Item, Parts, Site, TIMEOUT_S};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "vscode",
    title: "Visual Studio Code (Copilot)",
    event: SHARED,
    edit_tools: &["replace_string_in_file", "multi_replace_string_in_file"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": input } }),
    silence: "",
    denied: None,
    failures: None,
    reads: None,
    turns: Some(Turns { session_end: &[], session: &["/session_id", "/sessionId"], ..SHARED_TURNS }),
    programs: &["code"],
    directories: &[".vscode"],
    settings,
    note: None,
};

/// Returns the hooks of a project. Those of a user are in the settings of Claude Code.
fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let Some(project) = &site.project else { return Vec::new() };
    let mut items = Vec::new();
    let hook = |(event, ours): (&str, &str)| {
        let hook = json!([{ "type": "command", "command": site.call(HOST.name, ours), "timeout": TIMEOUT_S }]);
        (event.to_owned(), hook)
    };
    let mut events = Map::new();
    if parts.turns {
        events.extend(HOST.tool_hooks(parts).into_iter().chain(HOST.turn_events()).map(hook));
    } else if parts.repair {
        events.extend([hook(("PreToolUse", "repair"))]);
    }
    if !events.is_empty() {
        let text = format!("{:#}\n", json!({ "hooks": events }));
        let path = project.join(".github/hooks/fuzzy-edit-vscode.json");
        items.push(Item::File { path, text, executable: false });
    }
    if parts.mcp {
        let value = json!({ "type": "stdio", "command": site.program, "args": ["mcp"] });
        let entry = Entry { path: vec!["servers".to_owned()], name: Some("fuzzy-edit".to_owned()), value };
        items.push(Item::Entry(project.join(".vscode/mcp.json"), entry));
    }
    items
}
