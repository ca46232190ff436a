//! The agent of Copilot in Visual Studio Code.

use crate::host::{Host, SHARED, updated_input};

pub(crate) const HOST: Host = Host {
    name: "vscode",
    title: "Visual Studio Code (Copilot)",
    event: SHARED,
    edit_tools: &["replace_string_in_file", "multi_replace_string_in_file"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| updated_input("PreToolUse", input),
    silence: "",
    failures: None,
};
