//! Cursor, which needs an answer to every event.

use serde_json::json;

use crate::host::{Failures, Host, Places, SHARED, SHARED_FAILURES};
use crate::item::{Entry, Item, Parts, Site, TIMEOUT_S, in_file, server};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "cursor",
    title: "Cursor",
    event: Places { directory: &["/workspace_roots/0", "/cwd"], ..SHARED },
    edit_tools: &["Write", "Edit", "search_replace"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "updated_input": input }),
    silence: "{}",
    denied: None,
    // The event itself means that the call failed.
    failures: Some(Failures { response: "", context: |text| json!({ "additional_context": text }), ..SHARED_FAILURES }),
    reads: None,
    turns: Some(Turns {
        session_begin: &["sessionStart"],
        begin: &["beforeSubmitPrompt"],
        end: &["stop"],
        session_end: &["sessionEnd"],
        tool_before: &["preToolUse"],
        tool_after: &["postToolUse", "postToolUseFailure"],
        session: &["/conversation_id", "/session_id"],
        ..SHARED_TURNS
    }),
    programs: &["cursor", "cursor-agent"],
    directories: &[".cursor"],
    settings,
    note: None,
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let directory = site.base().join(".cursor");
    let hook = |event: &str, ours: &str| {
        let value = json!({ "command": site.call(HOST.name, ours), "timeout": TIMEOUT_S, "failClosed": false });
        Entry { path: vec!["hooks".to_owned(), event.to_owned()], name: None, value }
    };
    let mut entries = Vec::new();
    if parts.turns {
        let events = HOST.tool_hooks(parts).into_iter().chain(HOST.turn_events());
        entries.extend(events.map(|(event, ours)| hook(event, ours)));
    } else if parts.repair {
        entries.extend([hook("preToolUse", "repair"), hook("postToolUseFailure", "failed")]);
    }
    if !entries.is_empty() {
        entries.push(Entry { path: Vec::new(), name: Some("version".to_owned()), value: json!(1) });
    }
    let mut items = in_file(&directory.join("hooks.json"), entries);
    if parts.mcp {
        items.push(Item::Entry(directory.join("mcp.json"), server(site)));
    }
    items
}
