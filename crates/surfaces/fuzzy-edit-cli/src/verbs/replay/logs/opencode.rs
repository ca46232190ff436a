//! The database of opencode: a row for each part of a message, with the call of a tool and its result.

use std::io;
use std::path::Path;

use serde_json::Value;

use super::calls::{Action, Call, Edits};
use super::sink::{Sink, each_row, text};
use super::texts::{Texts, with_line_break};

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 4] =
    ["Could not find oldString", "Found multiple matches", "oldString not found", "multiple times"];

/// The parts with calls of tools in the order of their creation, with the model of their message.
const PARTS: &str = "\
SELECT part.data, message.data FROM part JOIN message ON message.id = part.message_id
WHERE part.data LIKE '%\"tool\"%' ORDER BY part.session_id, part.time_created, part.id";

/// Passes on the edits of a database. Each session has its own view of the files.
pub(super) fn read(log: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut texts = Texts::default();
    each_row(log, PARTS, |one, other| {
        part(&one, &other, &mut texts, sink);
        sink.goes_on
    })
}

fn part(part: &Value, message: &Value, texts: &mut Texts, sink: &mut Sink<'_>) {
    let state = &part["state"];
    let (input, metadata) = (&state["input"], &state["metadata"]);
    let action = match text(part, "/tool") {
        "read" => {
            let shown = &metadata["display"];
            let is_whole = shown["lineStart"] == 1 && shown["lineEnd"] == shown["totalLines"];
            let lines = shown["text"].as_str().filter(|_| is_whole && shown["truncated"] == false);
            Action::Read(lines.map(with_line_break))
        }
        "write" => Action::Write(text(input, "/content")),
        "edit" => Action::Edit(Edits {
            // Versions before 1.1 log the whole file.
            before: metadata.pointer("/filediff/before").and_then(Value::as_str),
            after: metadata.pointer("/filediff/after").and_then(Value::as_str),
            diff: Some(text(metadata, "/diff")),
            ..Edits::named(input, "oldString", "newString", "replaceAll")
        }),
        "apply_patch" | "patch" | "multiedit" => Action::Other,
        _ => return,
    };
    let failure = (state["status"] != "completed").then(|| text(state, "/error").to_owned());
    let (id, model, path) = (text(part, "/callID"), text(message, "/modelID"), text(input, "/filePath"));
    sink.called(Call { id, model, path, failure, action }, &REFUSALS, texts);
}
