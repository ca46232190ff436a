//! opencode. Our plugin calls the command.

use serde_json::json;

use crate::host::{Host, SHARED};

pub(crate) const HOST: Host = Host {
    name: "opencode",
    title: "opencode",
    event: SHARED,
    edit_tools: &["edit"],
    patch_tools: &[("apply_patch", "patchText")],
    repaired: |input| json!({ "updatedInput": input }),
    silence: "",
    failures: None,
};
