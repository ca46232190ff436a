//! The agent of Copilot in Visual Studio Code.

use serde_json::json;

use crate::host::{Host, SHARED};
use crate::item::{Entry, Item, Parts, Site, TIMEOUT_S};

pub(crate) const HOST: Host = Host {
    name: "vscode",
    title: "Visual Studio Code (Copilot)",
    event: SHARED,
    edit_tools: &["replace_string_in_file", "multi_replace_string_in_file"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": input } }),
    silence: "",
    failures: None,
    programs: &["code"],
    directories: &[".vscode"],
    settings,
    note: None,
};

/// The hooks of a project alone: those of a user are in the settings of Claude Code.
fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let Some(project) = &site.project else { return Vec::new() };
    let mut items = Vec::new();
    if parts.repair {
        let call = site.call(HOST.name, "repair");
        let hook = json!([{ "type": "command", "command": call, "timeout": TIMEOUT_S }]);
        let text = format!("{:#}\n", json!({ "hooks": { "PreToolUse": hook } }));
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
