//! Cursor, which wants an answer to every event.

use serde_json::json;

use crate::host::{Failures, Host, Places, SHARED, SHARED_FAILURES};

pub(crate) const HOST: Host = Host {
    name: "cursor",
    title: "Cursor",
    event: Places {
        session: &["/conversation_id", "/session_id"],
        directory: &["/workspace_roots/0", "/cwd"],
        ..SHARED
    },
    edit_tools: &["Write", "Edit", "search_replace"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "updated_input": input }),
    silence: "{}",
    // The event itself says that the call failed.
    failures: Some(Failures { response: "", context: |text| json!({ "additional_context": text }), ..SHARED_FAILURES }),
};
