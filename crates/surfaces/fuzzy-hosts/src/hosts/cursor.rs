//! Cursor, which needs an answer to every event.

use serde_json::json;

use crate::host::{Failures, Hook, Host, PLAIN, Places, SHARED, SHARED_FAILURES};
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
    // The event itself means that the call failed.
    failures: Some(Failures { response: "", context: |text| json!({ "additional_context": text }), ..SHARED_FAILURES }),
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
    repair_hooks: &[("preToolUse", None, "repair"), ("postToolUseFailure", None, "failed")],
    programs: &["cursor", "cursor-agent"],
    directories: &[".cursor"],
    settings,
    note: None,
    ..PLAIN
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let directory = site.base().join(".cursor");
    let hook = |(event, _, ours): Hook| {
        let value = json!({ "command": site.call(HOST.name, ours), "timeout": TIMEOUT_S, "failClosed": false });
        Entry::element(&["hooks", event], value)
    };
    let mut entries: Vec<Entry> = HOST.hooks(parts).into_iter().map(hook).collect();
    if !entries.is_empty() {
        entries.push(Entry::property(&[], "version", json!(1)));
    }
    let mut items = in_file(&directory.join("hooks.json"), entries);
    if parts.mcp {
        items.push(Item::Entry(directory.join("mcp.json"), server(site)));
    }
    items
}
