//! Answers the events of hosts.

use std::path::Path;

use serde_json::Value;

use crate::event::Event;
use crate::help;
use crate::host::Host;
use crate::repair::{self, Before, Files, Judged, Repair, RepairOptions, object};
use crate::tool_event::WRITERS;

/// The answer to an event.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The text for standard output; empty if the host needs none.
    pub output: String,
    /// The model that sent the call; empty if the host does not report it.
    pub model: String,
    /// The number of edits that the host carries out unchanged.
    pub exact: usize,
    /// The number of edits that the host carries out after a repair.
    pub repaired: usize,
    /// The number of edits that the engine refuses.
    pub refused: usize,
    /// Every edit, for a log.
    pub(crate) edits: Vec<Judged>,
}

impl Host {
    /// Answers an event before a tool runs, with the repaired input.
    ///
    /// The answer is silent for an exact edit, an event of another shape, an edit that the engine refuses, and a file
    /// that cannot be read: the host then runs its tool unchanged.
    #[must_use]
    pub fn repair(&'static self, event: &str) -> Answer {
        self.repair_with(event, |_| Some(RepairOptions::default()), &|_| None)
    }

    /// Answers like [`repair`](Self::repair) with the settings for the directory of the event; without settings the
    /// answer is silent. For an edit that is refused otherwise it calls `before`, which returns the bytes that the file
    /// had at an earlier moment, as when the turn began; the agent may have read that version, and a formatter changed it
    /// since. `before` gets an absolute path, if the event names a directory. The edits of a patch do not use it.
    #[must_use]
    pub fn repair_with(
        &'static self,
        event: &str,
        options: impl FnOnce(&Path) -> Option<RepairOptions>,
        before: &dyn Fn(&Path) -> Option<Vec<u8>>,
    ) -> Answer {
        let Ok(json) = serde_json::from_str::<Value>(event) else { return self.silent() };
        let event = Event { host: self, json: &json };
        let call = json.pointer(self.event.tool).and_then(Value::as_str).zip(json.pointer(self.event.input));
        if let Some(((tool, input), denied)) = call.zip(self.denied)
            && WRITERS.contains(&tool)
        {
            let why = options(&event.directory()).and_then(|options| event.stop(object(input)?, &options));
            let output = why.map_or_else(|| self.silence.to_owned(), |why| denied(&why).to_string());
            return Answer { output, ..self.silent() };
        }
        let call = call.filter(|(tool, _)| self.edits(tool));
        if call.is_none() {
            return self.silent();
        }
        let Some(options) = options(&event.directory()) else { return self.silent() };
        let Some(repair) = call.and_then(|(tool, input)| event.judge(tool, input, &options, before)) else {
            return self.silent();
        };
        let stopped = self.denied.filter(|_| repair.stopped).zip(help::text(None, std::slice::from_ref(&repair)));
        let denied = stopped.map(|(denied, why)| denied(&why).to_string());
        let Repair { input, exact, repaired, refused, edits, .. } = repair;
        let output = denied.unwrap_or_else(|| {
            input.map_or_else(|| self.silence.to_owned(), |input| (self.repaired)(input).to_string())
        });
        Answer { output, model: event.model().to_owned(), exact, repaired, refused: refused.len(), edits }
    }

    /// Answers an event after tools ran, with facts about each edit that failed. The answer is silent if none did.
    #[must_use]
    pub fn explain(&'static self, event: &str) -> Answer {
        self.explain_with(event, |_| Some(RepairOptions::default()))
    }

    /// Answers like [`explain`](Self::explain) with the settings for the directory of the event; without settings the
    /// answer is silent.
    #[must_use]
    pub fn explain_with(&'static self, event: &str, options: impl FnOnce(&Path) -> Option<RepairOptions>) -> Answer {
        let Some((failures, json)) = self.failures.as_ref().zip(serde_json::from_str::<Value>(event).ok()) else {
            return self.silent();
        };
        let event = Event { host: self, json: &json };
        let calls = json.pointer(failures.calls).unwrap_or(&Value::Null);
        let calls = calls.as_array().map_or_else(|| std::slice::from_ref(calls), Vec::as_slice);
        let is_failure = |call: &Value| call.pointer(failures.response).is_some_and(failures.is_failure);
        let is_edit = |call: &Value| call.pointer(failures.tool)?.as_str().map(|tool| self.edits(tool));
        let mut failed = calls.iter().filter(|call| is_failure(call) && is_edit(call) == Some(true)).peekable();
        let Some(options) = failed.peek().and_then(|_| options(&event.directory())) else { return self.silent() };
        let repairs: Vec<Repair> = failed
            .filter_map(|call| {
                let (tool, input) = (call.pointer(failures.tool)?.as_str()?, call.pointer(failures.input)?);
                event.judge(tool, input, &options, &|_| None)
            })
            .collect();
        let own = failures.replaced.and_then(|pointer| json.pointer(pointer)?.as_str());
        let output = help::text(own, &repairs)
            .map_or_else(|| self.silence.to_owned(), |text| (failures.context)(&text).to_string());
        Answer { output, ..self.silent() }
    }

    /// Returns whether a tool replaces an old text or applies a patch.
    fn edits(&self, tool: &str) -> bool {
        self.edit_tools.contains(&tool) || self.patch_tools.iter().any(|(name, _)| *name == tool)
    }

    /// Returns the answer without contents.
    #[must_use]
    pub fn silent(&self) -> Answer {
        let output = self.silence.to_owned();
        Answer { output, model: String::new(), exact: 0, repaired: 0, refused: 0, edits: Vec::new() }
    }
}

impl Event<'_> {
    /// Judges one call of a tool. Returns `None` for a tool that edits no file, and for an input of another shape.
    fn judge(&self, tool: &str, input: &Value, options: &RepairOptions, before: Before<'_>) -> Option<Repair> {
        let input = object(input)?;
        if self.host.edit_tools.contains(&tool) {
            let files = Files::in_directory(self.directory(), options, before);
            return repair::edits(input, files.seen_by(self.host.name, self.viewer()));
        }
        let (_, property) = self.host.patch_tools.iter().find(|(name, _)| *name == tool)?;
        repair::patch(input, property, self.directory(), options)
    }
}
