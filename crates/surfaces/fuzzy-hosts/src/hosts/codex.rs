//! Codex CLI. Models that do not know its tool call `apply_patch` from the shell.

use serde_json::json;

use crate::host::{Host, SHARED};
use crate::item::{Item, Parts, Site, TIMEOUT_S, group};

pub(crate) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    event: SHARED,
    edit_tools: &[],
    patch_tools: &[("apply_patch", "command"), ("Bash", "command")],
    // Without `allow`, Codex rejects the answer; whether the patch may be applied is asked later.
    repaired: |input| {
        json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
        } })
    },
    silence: "",
    failures: None,
    programs: &["codex"],
    directories: &[".codex"],
    settings,
    note: Some("Codex asks once whether it may run the hooks: open it and type /hooks"),
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let directory = site.directory("CODEX_HOME", ".codex");
    let mut items = Vec::new();
    if parts.repair {
        let hook = group("PreToolUse", Some("^(apply_patch|Bash)$"), &site.call(HOST.name, "repair"), TIMEOUT_S);
        items.push(Item::Entry(directory.join("hooks.json"), hook));
    }
    if parts.mcp {
        items.push(Item::Table(directory.join("config.toml"), "mcp_servers", site.program.clone()));
    }
    items
}
