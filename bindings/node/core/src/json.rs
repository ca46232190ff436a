//! Writes answers.

use serde::Serialize;

/// Writes JSON. What is written has no maps whose keys are no texts, which is all that could fail.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()))
}
