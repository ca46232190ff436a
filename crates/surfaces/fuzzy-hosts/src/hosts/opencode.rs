//! opencode. Our plugin calls the command.

use serde_json::{Value, json};

use crate::conversation;
use crate::host::{Failures, Host, PLAIN, SHARED_FAILURES};
use crate::item::{Entry, Item, NAME, Parts, Site};
use crate::moment::{SHARED_TURNS, Turns};
use crate::shown::{Reads, Shown};

pub(crate) const HOST: Host = Host {
    name: "opencode",
    title: "opencode",
    edit_tools: &["edit"],
    // The second tool is that of opencode 2.
    patch_tools: &[("apply_patch", "patchText"), ("patch", "patchText")],
    denied: Some(|reason| json!({ "deny": reason })),
    // Only opencode 2 reports failures to the plugin.
    failures: Some(Failures { context: |text| json!({ "context": text }), ..SHARED_FAILURES }),
    reads: Some(Reads {
        tool: "read",
        shown: |_, response| Shown::of(response.pointer("/display/text"), response.pointer("/display/lineStart")),
        output: None,
    }),
    // Our plugin calls the command.
    turns: Some(Turns {
        session_begin: &[],
        session_end: &[],
        tool_before: &[],
        tool_after: &[],
        told: Some(|text| json!({ "context": text })),
        // Its own way back takes back files, too, and with them lines of the user.
        way_back: Some((
            "with `opencode serve` running, a fork is the session without the turn",
            conversation::opencode,
        )),
        ..SHARED_TURNS
    }),
    programs: &["opencode"],
    directories: &[".config/opencode", ".opencode"],
    settings,
    note: None,
    ..PLAIN
};

const PLUGIN: &str = include_str!("opencode/plugin.js");

/// Returns our plugin in the directory from which opencode loads every file.
fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let mut items = Vec::new();
    let directory = match &site.project {
        Some(project) => project.join(".opencode"),
        None => site.config().join("opencode"),
    };
    if parts.repair || parts.turns {
        let text = PLUGIN
            .replace("'fuzzy-edit'", &Value::from(site.program.as_str()).to_string())
            .replace("REPAIR = true", &format!("REPAIR = {}", parts.repair))
            .replace("TURNS = true", &format!("TURNS = {}", parts.turns));
        items.push(Item::File { path: directory.join("plugin/fuzzy-edit.js"), text, executable: false });
    }
    if parts.mcp {
        let value = json!({ "type": "local", "command": [site.program, "mcp"], "enabled": true });
        let file = site.project.as_ref().unwrap_or(&directory).join("opencode.json");
        items.push(Item::Entry(file, Entry::property(&["mcp"], NAME, value)));
    }
    items
}
