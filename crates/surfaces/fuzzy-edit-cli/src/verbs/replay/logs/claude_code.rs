//! The sessions of Claude Code: lines of JSON with messages, and the result of each tool beside its message.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::calls::{Action, Call, Edits};
use super::sink::{Sink, each_json, text};
use super::texts::Texts;

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 3] =
    ["String to replace not found", "matches of the string to replace", "Found multiple matches"];

/// Passes on the edits of a session.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut texts = Texts::default();
    // The calls without a result, with their models.
    let mut calls: HashMap<String, (Value, String)> = HashMap::new();
    each_json(log, limit, |line| {
        for part in line.pointer("/message/content").and_then(Value::as_array).into_iter().flatten() {
            match text(part, "/type") {
                "tool_use" => {
                    let model = text(&line, "/message/model").to_owned();
                    calls.insert(text(part, "/id").to_owned(), (part.clone(), model));
                }
                "tool_result" => {
                    let id = text(part, "/tool_use_id");
                    if let Some((call, model)) = calls.remove(id)
                        && let Some(action) = action(&call, &line["toolUseResult"])
                    {
                        let path = text(&call, "/input/file_path");
                        let failure = (part["is_error"] == true).then(|| answer(part));
                        sink.called(Call { id, model: &model, path, failure, action }, &REFUSALS, &mut texts);
                    }
                }
                _ => {}
            }
        }
        sink.goes_on
    })
}

/// Returns what a call does, from its result.
fn action<'v>(call: &'v Value, result: &'v Value) -> Option<Action<'v>> {
    let input = &call["input"];
    Some(match text(call, "/name") {
        "Read" => {
            let file = &result["file"];
            let is_whole = file["startLine"] == 1 && file["numLines"] == file["totalLines"];
            Action::Read(file["content"].as_str().filter(|_| is_whole).map(str::to_owned))
        }
        "Write" => Action::Write(text(input, "/content")),
        "Edit" | "MultiEdit" => {
            let edits = Edits::named(input, "old_string", "new_string", "replace_all");
            // The host corrects quotes.
            let used = result["oldString"].as_str().zip(result["newString"].as_str()).filter(|_| edits.list.len() == 1);
            Action::Edit(Edits { before: result["originalFile"].as_str(), used, ..edits })
        }
        _ => return None,
    })
}

/// Returns the words of a result.
fn answer(part: &Value) -> String {
    match &part["content"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
