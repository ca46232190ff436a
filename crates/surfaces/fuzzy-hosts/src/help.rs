//! The text for a model after its edit failed.

use std::fmt::Write as _;

use fuzzy_edit::Failure;
use serde_json::Value;

use crate::repair::{Refused, Repair};

/// The most characters of a text. Hosts cut longer ones, or keep them out of the model's context.
const MAX_CHARS: usize = 4_000;

/// Returns a text about each edit that the host rejected: its failure, or the input that the host would accept. It
/// begins with the host's own message, if there is one. Returns `None` if there is nothing to report.
pub(crate) fn text(own: Option<&str>, repairs: &[Repair]) -> Option<String> {
    let mut text = String::new();
    for repair in repairs {
        for Refused { path, failure, since } in &repair.refused {
            let failure = Failure::clone(failure).about(path.to_string_lossy());
            let _ = writeln!(text, "fuzzy-edit, {}", failure.for_model());
            if let Some(since) = since {
                let _ = writeln!(text, "{since}");
            }
        }
        if let Some(input) = &repair.input {
            text += "fuzzy-edit found the place of the edit. The host accepts this input:\n";
            let _ = writeln!(text, "{}", Value::Object(input.clone()));
        }
    }
    (!text.is_empty()).then(|| cut(own.map_or_else(String::new, |own| format!("{own}\n")) + &text))
}

/// Cuts a text at the end of a line.
fn cut(mut text: String) -> String {
    const LEFT_OUT: &str = "(the rest is left out)\n";
    if let Some((limit, _)) = text.char_indices().nth(MAX_CHARS - LEFT_OUT.len()) {
        let end = text[..limit].rfind('\n').map_or(limit, |at| at + 1);
        text.truncate(end);
        text += LEFT_OUT;
    }
    text
}
