//! Qwen Code.

use serde_json::json;

use crate::host::{Host, Places, SHARED, SHARED_FAILURES};

pub(crate) const HOST: Host = Host {
    name: "qwen",
    title: "Qwen Code",
    // `prompt` is also there where only the result of a tool is sent.
    event: Places { prompt: &["/submitted_prompt", "/prompt"], ..SHARED },
    edit_tools: &["edit", "replace"],
    patch_tools: &[],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": input } }),
    silence: "",
    failures: Some(SHARED_FAILURES),
};
