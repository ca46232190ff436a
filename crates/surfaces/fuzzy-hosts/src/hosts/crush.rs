//! Crush.

use serde_json::json;

use crate::host::{Host, PLAIN};
use crate::item::{Entry, Item, NAME, Parts, Site, TIMEOUT_S, in_file};

pub(crate) const HOST: Host = Host {
    name: "crush",
    title: "Crush",
    edit_tools: &["edit", "multiedit"],
    // Without a decision, the host asks for permission as usual.
    repaired: |input| json!({ "version": 1, "updated_input": input }),
    programs: &["crush"],
    directories: &[".config/crush", ".crush"],
    settings,
    note: None,
    ..PLAIN
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let file = match &site.project {
        Some(project) => project.join("crush.json"),
        None => site.config().join("crush/crush.json"),
    };
    let mut entries = Vec::new();
    if parts.repair {
        let value = json!({
            "name": NAME, "matcher": "^(edit|multiedit)$", "command": site.call(HOST.name, "repair"), "timeout": TIMEOUT_S,
        });
        entries.push(Entry::element(&["hooks", "PreToolUse"], value));
    }
    if parts.mcp {
        let value = json!({ "type": "stdio", "command": site.program, "args": ["mcp"] });
        entries.push(Entry::property(&["mcp"], NAME, value));
    }
    in_file(&file, entries)
}
