//! The text for a model after its edit failed: the failure, its next step, its rule and the file's lines.

use std::fmt::Write as _;

use fuzzy_edit::Failure;
use fuzzy_pipeline::report::Proposal;
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
            let path = path.display();
            let _ =
                writeln!(text, "fuzzy-edit, {}: `{path}`: {}. {}", failure.code, failure.message, failure.next_step);
            if let Some(since) = since {
                let _ = writeln!(text, "{since}");
            }
            details(failure, &mut text);
        }
        if let Some(input) = &repair.input {
            text += "fuzzy-edit found the place of the edit. The host accepts this input:\n";
            let _ = writeln!(text, "{}", Value::Object(input.clone()));
        }
    }
    (!text.is_empty()).then(|| cut(own.map_or_else(String::new, |own| format!("{own}\n")) + &text))
}

fn details(failure: &Failure, text: &mut String) {
    if let Some(nearest) = failure.details.nearest.as_ref().filter(|nearest| !nearest.diff.is_empty()) {
        let _ = writeln!(
            text,
            "The old text of the edit (-) and {} of the file (+):\n{}",
            nearest.lines,
            nearest.diff.trim_end_matches('\n')
        );
    }
    if !failure.details.ambiguous_at.is_empty() {
        let places: Vec<String> = failure.details.ambiguous_at.iter().take(10).map(ToString::to_string).collect();
        let _ = writeln!(text, "Places in the file: {}.", places.join("; "));
    }
    if let Some(rule) = failure.details.rule {
        let _ = writeln!(text, "Rule: {rule}.");
    }
    if let Some(Proposal { old: old_string, new: new_string, .. }) = &failure.details.proposal {
        let (old, new) = (Value::from(old_string.as_str()), Value::from(new_string.as_str()));
        let _ = writeln!(text, "An edit that would succeed, if it is intended: old text {old}, new text {new}");
    }
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
