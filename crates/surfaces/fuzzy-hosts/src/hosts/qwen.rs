//! Qwen Code.

use serde_json::json;

use crate::host::{Host, PLAIN, SHARED_FAILURES};
use crate::item::{Item, Parts, Site, TIMEOUT_S, in_file, server};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "qwen",
    title: "Qwen Code",
    edit_tools: &["edit", "replace"],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": input } }),
    failures: Some(SHARED_FAILURES),
    // Results of tools have the same event without this property.
    turns: Some(Turns {
        tool_after: &["PostToolUse", "PostToolUseFailure"],
        repairs: false,
        prompt: &["/submitted_prompt"],
        needs_prompt: true,
        ..SHARED_TURNS
    }),
    repair_hooks: &[("PostToolUseFailure", Some("edit"), "failed")],
    programs: &["qwen"],
    directories: &[".qwen"],
    settings,
    note: Some("Qwen Code ignores repaired edits; the model receives hints after a failure"),
    ..PLAIN
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    // Qwen Code expects milliseconds.
    let mut entries = HOST.groups(site, parts, TIMEOUT_S * 1_000);
    entries.extend(parts.mcp.then(|| server(site)));
    in_file(&site.base().join(".qwen/settings.json"), entries)
}
