//! Codex CLI. Models without its tool call `apply_patch` from the shell.

use serde_json::json;

use crate::conversation;
use crate::host::{Host, PLAIN, additional_context};
use crate::item::{Entry, Item, Parts, Site, TIMEOUT_S, in_file, server};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    patch_tools: &[("apply_patch", "command"), ("Bash", "command")],
    // Without `allow`, Codex rejects the answer. It still asks for permission to apply the patch.
    repaired: |input| {
        json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
        } })
    },
    // The base of an edit is for old texts, and its edits are patches.
    reads: None,
    turns: Some(Turns {
        session_end: &[],
        told: Some(|text| additional_context("UserPromptSubmit", text)),
        way_back: Some(("press Esc twice in Codex and choose the prompt", conversation::codex)),
        ..SHARED_TURNS
    }),
    repair_hooks: &[("PreToolUse", Some("^(apply_patch|Bash)$"), "repair")],
    programs: &["codex"],
    directories: &[".codex"],
    settings,
    note: Some("Codex asks once for permission to run the hooks: open it and type /hooks"),
    ..PLAIN
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let directory = site.directory("CODEX_HOME", ".codex");
    let mut items = in_file(&directory.join("hooks.json"), HOST.groups(site, parts, TIMEOUT_S));
    if parts.mcp {
        let server = Entry { path: vec!["mcp_servers".to_owned()], ..server(site) };
        items.push(Item::Entry(directory.join("config.toml"), server));
    }
    items
}
