//! The rollouts of Codex: lines of JSON with the model's calls, and events with the changed files.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use fuzzy_patch::{Change, FilePatch};
use serde_json::Value;

use super::sink::{Sink, Tried, UNKNOWN_SHAPE, each_json, is_refusal, text};
use super::texts::Texts;

/// The answers to lines that do not occur.
const REFUSALS: [&str; 3] =
    ["Failed to find expected lines", "Failed to find context", "apply_patch verification failed"];

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The state of a reader of a rollout.
#[derive(Default)]
struct Rollout {
    texts: Texts,
    directory: String,
    model: String,
    /// Patches without a result, by the id of the call.
    calls: HashMap<String, String>,
    /// The changes since the last result: path and change.
    changes: Vec<(String, Value)>,
}

/// Passes on the edits of a rollout.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut rollout = Rollout::default();
    each_json(log, limit, |line| {
        rollout.add(&line["payload"], sink);
        sink.goes_on
    })
}

impl Rollout {
    fn add(&mut self, payload: &Value, sink: &mut Sink<'_>) {
        for (known, pointer) in [(&mut self.directory, "/cwd"), (&mut self.model, "/model")] {
            let named = text(payload, pointer);
            if !named.is_empty() && payload["type"].is_null() {
                named.clone_into(known);
            }
        }
        match text(payload, "/type") {
            "custom_tool_call" | "function_call" | "local_shell_call" => {
                let words = payload["input"].as_str().or(payload["arguments"].as_str()).unwrap_or_default();
                if words.contains(BEGIN) {
                    self.calls.insert(text(payload, "/call_id").to_owned(), words.to_owned());
                }
            }
            "custom_tool_call_output" | "function_call_output" => {
                let id = text(payload, "/call_id");
                if let Some(call) = self.calls.remove(id) {
                    self.result(id, &call, &payload["output"].to_string(), sink);
                }
                for (path, change) in std::mem::take(&mut self.changes) {
                    self.change(&path, &change);
                }
            }
            "item_completed" => self.event(text(&payload["item"], "/type"), &payload["item"]),
            kind @ ("patch_apply_end" | "exec_command_end") => self.event(kind, payload),
            _ => {}
        }
    }

    /// Reads an event about changed files or a command.
    fn event(&mut self, kind: &str, item: &Value) {
        match kind {
            "FileChange" | "patch_apply_end" if item["status"] == "completed" || item["success"] == true => {
                let changes = item["changes"].as_object().into_iter().flatten();
                self.changes.extend(changes.map(|(path, change)| (path.clone(), change.clone())));
            }
            "CommandExecution" | "exec_command_end" if item["exit_code"] == 0 => {
                let [command] = &item["parsed_cmd"].as_array().map_or(&[][..], Vec::as_slice) else { return };
                let (path, output) = (text(command, "/path"), text(item, "/aggregated_output"));
                // Other commands print a part of the file, or numbers before its lines.
                if text(command, "/cmd") == format!("cat {path}") && !output.contains("truncated") {
                    self.texts.put(&self.absolute(path), output);
                }
            }
            _ => {}
        }
    }

    /// Reads the result of a patch.
    fn result(&mut self, id: &str, call: &str, answer: &str, sink: &mut Sink<'_>) {
        let Some(parsed) = patch_in(call).and_then(|patch| fuzzy_patch::parse(&patch, None).ok()) else {
            return sink.leave_out(UNKNOWN_SHAPE);
        };
        for FilePatch { file, change, .. } in &parsed.files {
            let Change::Update { edits, .. } = change else { continue };
            let path = self.absolute(file);
            let has_landed = self.changes.iter().any(|(changed, _)| *changed == path);
            if !has_landed && !is_refusal(answer, &REFUSALS) {
                sink.leave_out(super::sink::NOT_RUN);
                continue;
            }
            // The host applies all hunks or none, and does not say which one failed.
            if !has_landed && edits.len() > 1 {
                sink.leave_out("one of several hunks failed");
                continue;
            }
            for edit in edits {
                let (content, model) = (self.texts.get(&path), &*self.model);
                let (old, new) = (&*edit.old, &*edit.new);
                sink.tried(Tried { id, model, path: file, content, old, new, replace_all: false, has_landed });
            }
        }
    }

    /// Carries out a change of which an event tells.
    fn change(&mut self, path: &str, change: &Value) {
        match text(change, "/type") {
            "add" => self.texts.put(path, text(change, "/content")),
            "update" if change["move_path"].is_null() => self.texts.changed(path, text(change, "/unified_diff")),
            _ => self.texts.forget(path),
        }
    }

    fn absolute(&self, path: &str) -> String {
        Path::new(&self.directory).join(path).to_string_lossy().into_owned()
    }
}

/// Returns the patch in a call: plain, in a shell command, or as a string in a program or in JSON.
fn patch_in(call: &str) -> Option<String> {
    let start = call.find(BEGIN)?;
    if call[start + BEGIN.len()..].starts_with(['\n', '\r']) {
        let end = call.rfind(END)? + END.len();
        return Some(call[start..end].to_owned());
    }
    // The string begins before the patch: a shell command has words before it.
    let quote = call[..start].rfind('"')?;
    let string: String = serde_json::Deserializer::from_str(&call[quote..]).into_iter().next()?.ok()?;
    patch_in(&string)
}

#[cfg(test)]
mod tests {
    use super::patch_in;

    #[test]
    fn a_patch_is_found_in_every_kind_of_call() {
        let patch = "*** Begin Patch\n*** Add File: a\n+\"x\"\n*** End Patch";
        let json = serde_json::json!(patch).to_string();
        let shell = serde_json::json!({"command": ["bash", "-lc", format!("apply_patch <<'EOF'\n{patch}\nEOF\n")]});
        let words = serde_json::json!({"command": ["apply_patch", patch]});
        for call in
            [patch.to_owned(), format!("text(await tools.apply_patch({json}));"), shell.to_string(), words.to_string()]
        {
            assert_eq!(patch_in(&call).as_deref(), Some(patch), "{call}");
        }
        assert_eq!(patch_in("*** Begin Patch"), None);
        assert_eq!(patch_in("`*** Begin Patch\\n`"), None);
    }
}
