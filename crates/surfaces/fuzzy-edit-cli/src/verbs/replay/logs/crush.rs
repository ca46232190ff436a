//! The database of Crush: a row for each message, whose parts have the calls and the results of tools.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::calls::{Action, Call, Edits};
use super::sink::{Sink, each_row, text};
use super::texts::Texts;

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 2] = ["old_string not found", "appears multiple times"];

/// The words after an incomplete text.
const MORE: &str = "(File has more lines.";

/// The parts of messages in the order of their creation, with the model as JSON.
const MESSAGES: &str = "\
SELECT parts, json_quote(coalesce(model, '')) FROM messages
WHERE parts LIKE '%\"tool_%' ORDER BY session_id, created_at, rowid";

/// Passes on the edits of a database.
pub(super) fn read(log: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut texts = Texts::default();
    let mut calls: HashMap<String, (Value, String)> = HashMap::new();
    each_row(log, MESSAGES, |mut parts, model| {
        for part in parts.as_array_mut().into_iter().flatten() {
            let data = part["data"].take();
            match text(part, "/type") {
                "tool_call" => {
                    let model = model.as_str().unwrap_or_default().to_owned();
                    calls.insert(text(&data, "/id").to_owned(), (data, model));
                }
                "tool_result" => {
                    if let Some((call, model)) = calls.remove(text(&data, "/tool_call_id")) {
                        ended(&call, &model, &data, &mut texts, sink);
                    }
                }
                _ => {}
            }
        }
        sink.goes_on
    })
}

/// Reads the result of a call. Its input and the metadata are JSON in texts.
fn ended(call: &Value, model: &str, result: &Value, texts: &mut Texts, sink: &mut Sink<'_>) {
    let json =
        |value: &Value| -> Value { serde_json::from_str(value.as_str().unwrap_or_default()).unwrap_or(json!({})) };
    let (input, metadata) = (json(&call["input"]), json(&result["metadata"]));
    let answer = text(result, "/content");
    let action = match text(call, "/name") {
        "view" => {
            let is_part = input["offset"].as_u64().is_some_and(|offset| offset > 0) || answer.contains(MORE);
            Action::Read(metadata["content"].as_str().filter(|_| !is_part).map(str::to_owned))
        }
        "write" => Action::Write(text(&input, "/content")),
        // The host carries out those of several edits that it can.
        "multiedit" if !metadata["edits_failed"].is_null() => Action::Other,
        "edit" | "multiedit" => Action::Edit(Edits {
            before: metadata["old_content"].as_str(),
            after: metadata["new_content"].as_str(),
            ..Edits::named(&input, "old_string", "new_string", "replace_all")
        }),
        _ => return,
    };
    let failure = (result["is_error"] == true).then(|| answer.to_owned());
    let (id, path) = (text(call, "/id"), text(&input, "/file_path"));
    sink.called(Call { id, model, path, failure, action }, &REFUSALS, texts);
}
