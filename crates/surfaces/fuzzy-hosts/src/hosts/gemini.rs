//! Gemini CLI.

use serde_json::json;

use crate::host::{Failures, Host, SHARED, SHARED_FAILURES, additional_context};

pub(crate) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    event: SHARED,
    edit_tools: &["replace"],
    patch_tools: &[],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "BeforeTool", "tool_input": input } }),
    silence: "",
    failures: Some(Failures {
        response: "/tool_response/error",
        context: |text| additional_context("AfterTool", text),
        ..SHARED_FAILURES
    }),
};
