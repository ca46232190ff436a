//! GitHub Copilot CLI, with the event names that give it the shape of Claude Code.

use crate::host::{Host, SHARED, SHARED_FAILURES, updated_input};

pub(crate) const HOST: Host = Host {
    name: "copilot",
    title: "GitHub Copilot CLI",
    event: SHARED,
    edit_tools: &["edit", "str_replace_editor"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| updated_input("PreToolUse", input),
    silence: "",
    failures: Some(SHARED_FAILURES),
};
