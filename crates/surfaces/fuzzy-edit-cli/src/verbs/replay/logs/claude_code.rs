//! The sessions of Claude Code: lines of JSON with messages, and the result of each tool beside its message.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::sink::{NEW_FILE, NOT_RUN, Sink, Tried, UNKNOWN_SHAPE, each_json, is_refusal, text};
use super::texts::Texts;

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 3] =
    ["String to replace not found", "matches of the string to replace", "Found multiple matches"];

/// A call of a tool without its result.
struct Call {
    tool: String,
    input: Value,
    model: String,
}

/// Passes on the edits of a session.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut texts = Texts::default();
    let mut calls: HashMap<String, Call> = HashMap::new();
    each_json(log, limit, |line| {
        for part in line.pointer("/message/content").and_then(Value::as_array).into_iter().flatten() {
            match text(part, "/type") {
                "tool_use" => {
                    let (tool, model) = (text(part, "/name").to_owned(), text(&line, "/message/model").to_owned());
                    calls.insert(text(part, "/id").to_owned(), Call { tool, input: part["input"].clone(), model });
                }
                "tool_result" => {
                    let id = text(part, "/tool_use_id");
                    if let Some(call) = calls.remove(id) {
                        result(id, &call, part, &line["toolUseResult"], &mut texts, sink);
                    }
                }
                _ => {}
            }
        }
        sink.goes_on
    })
}

/// Reads the result of a call.
fn result(id: &str, call: &Call, part: &Value, result: &Value, texts: &mut Texts, sink: &mut Sink<'_>) {
    let Call { tool, input, model } = call;
    let path = text(input, "/file_path");
    let failed = part["is_error"] == true;
    match tool.as_str() {
        "Read" => {
            let file = &result["file"];
            let is_whole = file["startLine"] == 1 && file["numLines"] == file["totalLines"];
            if let Some(content) = file["content"].as_str().filter(|_| is_whole && !failed) {
                texts.put(path, content);
            }
        }
        "Write" if !failed => texts.put(path, text(input, "/content")),
        "Edit" | "MultiEdit" => {
            let edits: Vec<&Value> = match input["edits"].as_array() {
                Some(edits) => edits.iter().collect(),
                None => vec![input],
            };
            if failed && !is_refusal(&answer(part), &REFUSALS) {
                return sink.leave_out(NOT_RUN);
            }
            // The host knows the file better than the earlier calls: a shell command may have changed it.
            if let Some(original) = result["originalFile"].as_str() {
                texts.put(path, original);
            }
            // If one edit of a list fails, the host applies none, and does not name the one that failed.
            if failed && edits.len() > 1 {
                return sink.leave_out("one of several edits failed");
            }
            for edit in edits {
                let (Some(old), Some(new)) = (edit["old_string"].as_str(), edit["new_string"].as_str()) else {
                    sink.leave_out(UNKNOWN_SHAPE);
                    continue;
                };
                if old.is_empty() {
                    texts.put(path, new);
                    sink.leave_out(NEW_FILE);
                    continue;
                }
                let replace_all = edit["replace_all"] == true;
                let (content, has_landed) = (texts.get(path), !failed);
                sink.tried(Tried { id, model, path, content, old, new, replace_all, has_landed });
                if has_landed {
                    // The result has the texts as they were used: the host corrects quotes.
                    let used =
                        |key: &str, sent| if edit == input { result[key].as_str().unwrap_or(sent) } else { sent };
                    texts.replaced(path, used("oldString", old), used("newString", new), replace_all);
                }
            }
        }
        _ => {}
    }
}

/// Returns the words of a result.
fn answer(part: &Value) -> String {
    match &part["content"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
