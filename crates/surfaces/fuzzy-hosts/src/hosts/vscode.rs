//! The agent of Copilot in Visual Studio Code.

use serde_json::json;

use crate::host::{Host, PLAIN};
use crate::item::{Entry, Item, NAME, Parts, Site, TIMEOUT_S};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "vscode",
    title: "Visual Studio Code (Copilot)",
    edit_tools: &["replace_string_in_file", "multi_replace_string_in_file"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": input } }),
    turns: Some(Turns { session_end: &[], session: &["/session_id", "/sessionId"], ..SHARED_TURNS }),
    repair_hooks: &[("PreToolUse", None, "repair")],
    programs: &["code"],
    directories: &[".vscode"],
    settings,
    note: None,
    ..PLAIN
};

/// Returns the hooks of a project. Those of a user are in the settings of Claude Code.
fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let Some(project) = &site.project else { return Vec::new() };
    let path = project.join(".github/hooks/fuzzy-edit-vscode.json");
    let command = |call| json!({ "type": "command", "command": call, "timeout": TIMEOUT_S });
    let mut items: Vec<Item> = HOST.own_file(path, (site, parts), json!({}), command).into_iter().collect();
    if parts.mcp {
        let value = json!({ "type": "stdio", "command": site.program, "args": ["mcp"] });
        items.push(Item::Entry(project.join(".vscode/mcp.json"), Entry::property(&["servers"], NAME, value)));
    }
    items
}
