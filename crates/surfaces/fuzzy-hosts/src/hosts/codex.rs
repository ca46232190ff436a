//! Codex CLI. Models that do not know its tool call `apply_patch` from the shell.

use serde_json::json;

use crate::host::{Host, SHARED};

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
};
