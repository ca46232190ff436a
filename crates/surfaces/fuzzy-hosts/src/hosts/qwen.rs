//! Qwen Code.

use serde_json::json;

use crate::host::{Host, SHARED, SHARED_FAILURES};
use crate::item::{Item, Parts, Site, TIMEOUT_S, group, in_file, server};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "qwen",
    title: "Qwen Code",
    event: SHARED,
    edit_tools: &["edit", "replace"],
    patch_tools: &[],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": input } }),
    silence: "",
    denied: None,
    failures: Some(SHARED_FAILURES),
    reads: None,
    // Results of tools have the same event without this property.
    turns: Some(Turns {
        tool_after: &["PostToolUse", "PostToolUseFailure"],
        repairs: false,
        prompt: &["/submitted_prompt"],
        needs_prompt: true,
        ..SHARED_TURNS
    }),
    programs: &["qwen"],
    directories: &[".qwen"],
    settings,
    note: Some("Qwen Code ignores repaired edits; the model receives hints after a failure"),
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    // Qwen Code expects milliseconds.
    let hook = |event, matcher, ours| group(event, matcher, &site.call(HOST.name, ours), TIMEOUT_S * 1_000);
    let mut entries = Vec::new();
    if parts.turns {
        let events = HOST.tool_hooks(parts).into_iter().chain(HOST.turn_events());
        entries.extend(events.map(|(event, ours)| hook(event, None, ours)));
    } else if parts.repair {
        entries.push(hook("PostToolUseFailure", Some("edit"), "failed"));
    }
    if parts.mcp {
        entries.push(server(site));
    }
    in_file(&site.base().join(".qwen/settings.json"), entries)
}
