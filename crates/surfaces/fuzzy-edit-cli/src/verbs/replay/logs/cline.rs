//! The messages of Cline: one JSON text for a session, with the calls and the results of tools.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::calls::{Action, Call, Edits};
use super::sink::{Sink, text, whole_json};
use super::texts::{Texts, with_line_break};

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 2] = ["text not found", "multiple occurrences"];

/// Passes on the edits of a session.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let session = whole_json(log, limit)?;
    let (mut texts, mut calls) = (Texts::default(), HashMap::new());
    for message in session["messages"].as_array().into_iter().flatten() {
        for part in message["content"].as_array().into_iter().flatten() {
            match text(part, "/type") {
                "tool_use" => {
                    calls.insert(text(part, "/id"), (part, text(message, "/modelInfo/id")));
                }
                "tool_result" => {
                    let Some((call, model)) = calls.remove(text(part, "/tool_use_id")) else { continue };
                    match text(call, "/name") {
                        "read_files" => shown(part, &mut texts),
                        "editor" => edited(call, model, text(part, "/content"), &mut texts, sink),
                        _ => {}
                    }
                }
                _ => {}
            }
            if !sink.goes_on {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads the files that a call shows with numbers before their lines.
fn shown(part: &Value, texts: &mut Texts) {
    for file in part["content"].as_array().into_iter().flatten().filter(|file| file["success"] == true) {
        let numbered = text(file, "/result").lines().zip(1..);
        let lines = numbered.map(|(line, number)| line.trim_start().strip_prefix(&format!("{number} | ")));
        // A part of a file begins elsewhere, or is not followed by numbers.
        if let Some(lines) = lines.collect::<Option<Vec<_>>>() {
            texts.put(text(file, "/query"), with_line_break(&lines.join("\n")));
        }
    }
}

/// Reads the result of an edit, which is JSON in a text.
fn edited(call: &Value, model: &str, result: &str, texts: &mut Texts, sink: &mut Sink<'_>) {
    let input = &call["input"];
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    let action = match (&input["old_text"], &input["insert_line"]) {
        (Value::String(_), _) => Action::Edit(Edits::named(input, "old_text", "new_text", "replace_all")),
        (_, Value::Null) => Action::Write(text(input, "/new_text")),
        _ => Action::Other,
    };
    let failure = (result["success"] != true).then(|| text(&result, "/error").to_owned());
    let (id, path) = (text(call, "/id"), text(input, "/path"));
    sink.called(Call { id, model, path, failure, action }, &REFUSALS, texts);
}
