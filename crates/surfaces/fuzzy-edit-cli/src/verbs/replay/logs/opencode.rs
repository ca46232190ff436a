//! The database of opencode: a row for each part of a message, with the call of a tool and its result.

use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::sink::{NEW_FILE, NOT_RUN, Sink, Tried, UNKNOWN_SHAPE, is_refusal, text};
use super::texts::Texts;

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 4] =
    ["Could not find oldString", "Found multiple matches", "oldString not found", "multiple times"];

/// The parts with calls of tools in the order of their creation, with the model of their message.
const PARTS: &str = "\
SELECT part.data, message.data FROM part JOIN message ON message.id = part.message_id
WHERE part.data LIKE '%\"tool\"%' ORDER BY part.session_id, part.time_created, part.id";

/// Passes on the edits of a database. Each session has its own view of the files.
pub(super) fn read(log: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    // SQLite would create a missing file.
    super::sink::regular(log)?;
    let database = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(io::Error::other)?;
    let mut parts = database.prepare(PARTS).map_err(io::Error::other)?;
    let mut rows = parts.query([]).map_err(io::Error::other)?;
    let mut texts = Texts::default();
    while sink.goes_on
        && let Some(row) = rows.next().map_err(io::Error::other)?
    {
        let json = |index: usize| -> io::Result<Value> {
            let text: String = row.get(index).map_err(io::Error::other)?;
            Ok(serde_json::from_str(&text).unwrap_or_default())
        };
        part(&json(0)?, &json(1)?, &mut texts, sink);
    }
    Ok(())
}

fn part(part: &Value, message: &Value, texts: &mut Texts, sink: &mut Sink<'_>) {
    let state = &part["state"];
    let (input, metadata) = (&state["input"], &state["metadata"]);
    let path = text(input, "/filePath");
    let has_landed = state["status"] == "completed";
    match text(part, "/tool") {
        "read" if has_landed => {
            let shown = &metadata["display"];
            let is_whole = shown["lineStart"] == 1 && shown["lineEnd"] == shown["totalLines"];
            if let Some(lines) = shown["text"].as_str().filter(|_| is_whole && shown["truncated"] == false) {
                // The host shows lines, and not whether the last one ends in a line break. Most files do.
                texts.put(path, format!("{lines}\n"));
            }
        }
        "write" if has_landed => texts.put(path, text(input, "/content")),
        "edit" => {
            let (Some(old), Some(new)) = (input["oldString"].as_str(), input["newString"].as_str()) else {
                return sink.leave_out(UNKNOWN_SHAPE);
            };
            if !has_landed && !is_refusal(text(state, "/error"), &REFUSALS) {
                return sink.leave_out(NOT_RUN);
            }
            if old.is_empty() {
                texts.put(path, new);
                return sink.leave_out(NEW_FILE);
            }
            // Versions before 1.1 log the whole file.
            if let Some(before) = metadata.pointer("/filediff/before").and_then(Value::as_str) {
                texts.put(path, before);
            }
            let replace_all = input["replaceAll"] == true;
            let (id, model, content) = (text(part, "/callID"), text(message, "/modelID"), texts.get(path));
            sink.tried(Tried { id, model, path, content, old, new, replace_all, has_landed });
            match metadata.pointer("/filediff/after").and_then(Value::as_str) {
                Some(after) => texts.put(path, after),
                None if has_landed => texts.changed(path, text(metadata, "/diff")),
                None => {}
            }
        }
        "apply_patch" | "patch" | "multiedit" => sink.leave_out(UNKNOWN_SHAPE),
        _ => {}
    }
}
