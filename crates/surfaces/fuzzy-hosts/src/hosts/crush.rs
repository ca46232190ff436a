//! Crush.

use serde_json::json;

use crate::host::{Host, SHARED};

pub(crate) const HOST: Host = Host {
    name: "crush",
    title: "Crush",
    event: SHARED,
    edit_tools: &["edit", "multiedit"],
    patch_tools: &[],
    // Without a decision, the host asks for permission as ever.
    repaired: |input| json!({ "version": 1, "updated_input": input }),
    silence: "",
    failures: None,
};
