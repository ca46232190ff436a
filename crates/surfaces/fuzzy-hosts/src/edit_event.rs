//! The files that calls of edit tools name.

use std::path::PathBuf;

use serde_json::Value;

use crate::event::Event;
use crate::hook::object;
use crate::host::Host;
use crate::repair;

/// The tools of hosts that write whole files.
const WRITERS: [&str; 7] = ["Write", "MultiEdit", "write", "write_file", "create", "create_file", "write_to_file"];

/// The files that edit tools of a session name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditEvent {
    /// The host's id of the session.
    pub session: String,
    /// The files.
    pub paths: Vec<PathBuf>,
}

impl Host {
    /// Reads the files that an event before or after tools names. Returns `None` if the event names no session or no
    /// file.
    #[must_use]
    pub fn edit_event(&'static self, event: &str) -> Option<EditEvent> {
        let (turns, json) = self.turns.as_ref().zip(serde_json::from_str::<Value>(event).ok())?;
        let event = Event { host: self, json: &json };
        let session = event.first(turns.session)?.to_owned();
        let mut names: Vec<String> = Vec::new();
        let single = json.pointer(self.event.tool).and_then(Value::as_str).zip(json.pointer(self.event.input));
        names.extend(single.into_iter().flat_map(|(tool, input)| self.files_of(tool, input)));
        if let Some(failures) = &self.failures {
            let calls = json.pointer(failures.calls).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for call in calls {
                let tool = call.pointer(failures.tool).and_then(Value::as_str).zip(call.pointer(failures.input));
                names.extend(tool.into_iter().flat_map(|(tool, input)| self.files_of(tool, input)));
            }
        }
        let directory = event.directory();
        let paths: Vec<PathBuf> = names.iter().map(|name| directory.join(name)).collect();
        (!paths.is_empty()).then_some(EditEvent { session, paths })
    }

    /// Returns the files that one call names.
    fn files_of(&self, tool: &str, input: &Value) -> Vec<String> {
        let Some(input) = object(input) else { return Vec::new() };
        if let Some((_, property)) = self.patch_tools.iter().find(|(name, _)| *name == tool) {
            return input.get(*property).and_then(Value::as_str).map(repair::files_of_patch).unwrap_or_default();
        }
        if self.edit_tools.contains(&tool) || WRITERS.contains(&tool) { repair::files_of(input) } else { Vec::new() }
    }
}
