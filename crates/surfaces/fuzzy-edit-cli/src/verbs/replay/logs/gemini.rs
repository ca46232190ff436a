//! The chats of Gemini CLI: a message in each line, with the calls of its tools. A message is written again when its calls
//! have ended.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::calls::{Action, Call, Edits};
use super::sink::{Sink, each_json, text, whole_json};
use super::texts::Texts;

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 3] = ["Could not find an exact match", "could not find the string", "1 occurrence but found"];

/// The first words of an answer that lacks a part of the file.
const CUT: &str = "IMPORTANT: The file content has been truncated";

/// Passes on the edits of a chat.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let (mut texts, mut seen) = (Texts::default(), HashSet::new());
    let mut message = |message: &Value, sink: &mut Sink<'_>| {
        for call in message["toolCalls"].as_array().into_iter().flatten() {
            let id = text(call, "/id");
            let is_over = matches!(text(call, "/status"), "success" | "error" | "cancelled");
            if is_over && seen.insert(id.to_owned()) {
                ended(call, text(message, "/model"), &mut texts, sink);
            }
        }
        sink.goes_on
    };
    // Older versions write one object for the whole chat.
    if log.extension().is_some_and(|kind| kind == "json") {
        let chat = whole_json(log, limit)?;
        let _ = chat["messages"].as_array().into_iter().flatten().all(|one| message(one, sink));
        return Ok(());
    }
    each_json(log, limit, |line| message(&line, sink))
}

/// Reads a call that has ended.
fn ended(call: &Value, model: &str, texts: &mut Texts, sink: &mut Sink<'_>) {
    let (input, shown) = (&call["args"], &call["resultDisplay"]);
    let answer =
        |key: &str| call.pointer(&format!("/result/0/functionResponse/response/{key}")).and_then(Value::as_str);
    let action = match text(call, "/name") {
        "read_file" => {
            let is_part = ["start_line", "end_line", "offset", "limit"].iter().any(|key| !input[key].is_null());
            let whole = answer("output").filter(|text| !is_part && !text.trim_start().starts_with(CUT));
            Action::Read(whole.map(str::to_owned))
        }
        "write_file" => Action::Write(text(input, "/content")),
        "replace" => Action::Edit(Edits {
            before: shown["originalContent"].as_str(),
            after: shown["newContent"].as_str(),
            ..Edits::named(input, "old_string", "new_string", "allow_multiple")
        }),
        _ => return,
    };
    let failure = (call["status"] != "success").then(|| answer("error").unwrap_or_default().to_owned());
    let (id, path) = (text(call, "/id"), text(input, "/file_path"));
    sink.called(Call { id, model, path, failure, action }, &REFUSALS, texts);
}
