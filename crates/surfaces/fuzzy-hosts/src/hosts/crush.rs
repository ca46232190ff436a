//! Crush.

use serde_json::json;

use crate::host::{Host, SHARED};
use crate::item::{Entry, Item, Parts, Site, TIMEOUT_S, in_file};

pub(crate) const HOST: Host = Host {
    name: "crush",
    title: "Crush",
    event: SHARED,
    edit_tools: &["edit", "multiedit"],
    patch_tools: &[],
    // Without a decision, the host asks for permission as usual.
    repaired: |input| json!({ "version": 1, "updated_input": input }),
    silence: "",
    denied: None,
    failures: None,
    reads: None,
    turns: None,
    programs: &["crush"],
    directories: &[".config/crush", ".crush"],
    settings,
    note: None,
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let file = match &site.project {
        Some(project) => project.join("crush.json"),
        None => site.config().join("crush/crush.json"),
    };
    let mut entries = Vec::new();
    if parts.repair {
        let value = json!({
            "name": "fuzzy-edit", "matcher": "^(edit|multiedit)$", "command": site.call(HOST.name, "repair"),
            "timeout": TIMEOUT_S,
        });
        entries.push(Entry { path: vec!["hooks".to_owned(), "PreToolUse".to_owned()], name: None, value });
    }
    if parts.mcp {
        let value = json!({ "type": "stdio", "command": site.program, "args": ["mcp"] });
        entries.push(Entry { path: vec!["mcp".to_owned()], name: Some("fuzzy-edit".to_owned()), value });
    }
    in_file(&file, entries)
}
