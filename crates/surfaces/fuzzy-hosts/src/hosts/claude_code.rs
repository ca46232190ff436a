//! Claude Code. Its `PreToolUse` does not see an edit whose old text is not in the file, so a mod asks for the repair.

use serde_json::{Value, json};

use crate::host::{Failures, Host, SHARED, SHARED_FAILURES, additional_context};

pub(crate) const HOST: Host = Host {
    name: "claude-code",
    title: "Claude Code",
    event: SHARED,
    edit_tools: &["Edit"],
    patch_tools: &[],
    // What the mod of our plugin reads.
    repaired: |input| json!({ "updatedInput": input }),
    silence: "",
    failures: Some(Failures {
        calls: "/tool_calls",
        response: "/tool_response",
        is_failure: |response| text(response).is_some_and(|text| text.contains("<tool_use_error>")),
        context: |text| additional_context("PostToolBatch", text),
        ..SHARED_FAILURES
    }),
};

/// Returns the text of a response, which may be one part of several.
fn text(response: &Value) -> Option<&str> {
    let part = response.as_array().and_then(|parts| parts.iter().find_map(|part| part.get("text")));
    part.unwrap_or(response).as_str()
}
