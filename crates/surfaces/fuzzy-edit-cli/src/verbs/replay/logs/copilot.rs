//! The events of Copilot CLI: lines of JSON, with the begin and the end of each call.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::calls::{Action, Call, Edits};
use super::sink::{Sink, each_json, text};
use super::texts::Texts;

/// The answers to an old text that does not occur, or occurs several times.
const REFUSALS: [&str; 2] = ["No match found", "Multiple matches found"];

/// Passes on the edits of a session.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut texts = Texts::default();
    let mut calls: HashMap<String, Value> = HashMap::new();
    each_json(log, limit, |mut line| {
        let id = text(&line, "/data/toolCallId").to_owned();
        match text(&line, "/type") {
            "tool.execution_start" => {
                calls.insert(id, line["data"].take());
            }
            "tool.execution_complete" => {
                if let Some(call) = calls.remove(&id) {
                    ended(&call, &line["data"], &mut texts, sink);
                }
            }
            _ => {}
        }
        sink.goes_on
    })
}

/// Reads the end of a call.
fn ended(call: &Value, end: &Value, texts: &mut Texts, sink: &mut Sink<'_>) {
    let input = &call["arguments"];
    let diff = text(end, "/result/detailedContent");
    let action = match text(call, "/toolName") {
        "view" => {
            let shown = text(end, "/result/content");
            // A long text is cut in its middle, and some versions number the lines. The diff for people has neither.
            let is_whole = input["view_range"].is_null() && lines_of(diff).eq(shown.lines());
            Action::Read(is_whole.then(|| shown.to_owned()))
        }
        "create" => Action::Write(text(input, "/file_text")),
        "edit" => Action::Edit(Edits { diff: Some(diff), ..Edits::named(input, "old_str", "new_str", "replace_all") }),
        "apply_patch" => Action::Other,
        _ => return,
    };
    let failure = (end["success"] != true).then(|| text(end, "/error/message").to_owned());
    let (id, path, model) = (text(call, "/toolCallId"), text(input, "/path"), text(end, "/model"));
    sink.called(Call { id, model, path, failure, action }, &REFUSALS, texts);
}

/// Returns the lines of a diff that changes nothing, without the empty one that stands for the end of the file.
fn lines_of(diff: &str) -> impl Iterator<Item = &str> {
    let hunk = diff.split_once("\n@@").and_then(|(_, rest)| rest.split_once('\n')).map_or("", |(_, lines)| lines);
    hunk.strip_suffix("\n \n").unwrap_or(hunk).lines().map(|line| line.get(1..).unwrap_or_default())
}
