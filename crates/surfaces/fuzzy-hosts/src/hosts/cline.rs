//! Cline CLI.

use serde_json::json;

use crate::host::{Failures, Host, Places, SHARED_FAILURES};

pub(crate) const HOST: Host = Host {
    name: "cline",
    title: "Cline",
    event: Places {
        tool: "/tool_call/name",
        input: "/tool_call/input",
        session: &["/taskId"],
        directory: &["/workspaceRoots/0", "/cwd"],
        model: &["/model"],
        prompt: &["/prompt", "/task"],
    },
    edit_tools: &["editor"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "overrideInput": input }),
    silence: "",
    failures: Some(Failures {
        calls: "/tool_result",
        tool: "/name",
        input: "/input",
        context: |text| json!({ "context": text }),
        ..SHARED_FAILURES
    }),
};
