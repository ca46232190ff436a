//! The views that follow from what tools showed of files.

use std::path::Path;

use serde_json::Value;

use crate::event::Event;
use crate::host::Host;
use crate::repair::{self, Input, object};
use crate::shell::Script;
use crate::shown::{Reads, Shown};
use crate::tool_event::SHELLS;
use crate::view::{View, Viewer, Views};

impl Host {
    /// Updates the views after tools ran: adds the lines that they showed, and makes the edits that landed. Files that are
    /// no text have no view. `may` gets the directory of the event, and returns whether its views may be stored.
    pub fn note_views(&'static self, views: &Views, event: &str, may: impl FnOnce(&Path) -> bool) {
        let Some((reads, json)) = self.reads.as_ref().zip(serde_json::from_str::<Value>(event).ok()) else { return };
        let event = Event { host: self, json: &json };
        let Some(viewer) = event.viewer().filter(|_| may(&event.directory())) else { return };
        let failures = self.failures.as_ref();
        let calls = failures.and_then(|failures| json.pointer(failures.calls)).unwrap_or(&json);
        let calls = calls.as_array().map_or_else(|| std::slice::from_ref(calls), Vec::as_slice);
        for call in calls {
            let is_failure =
                |failures: &crate::host::Failures| call.pointer(failures.response).is_some_and(failures.is_failure);
            let tool = call.pointer(self.event.tool).and_then(Value::as_str);
            let input = call.pointer(self.event.input).and_then(object);
            let Some((tool, input)) = tool.zip(input).filter(|_| !failures.is_some_and(is_failure)) else { continue };
            let response = call.pointer("/tool_response").unwrap_or(&Value::Null);
            if let Some((path, shown)) = reads.read(tool, &input, response) {
                let path = event.directory().join(path);
                change(views, &viewer, &path, |view, file| view.see(shown.first, &shown.text, file));
            } else if let Some((_, property)) = self.patch_tools.iter().find(|(name, _)| *name == tool) {
                let files = input.get(*property).and_then(Value::as_str).map(repair::files_of_patch);
                for path in files.into_iter().flatten() {
                    change(views, &viewer, &event.directory().join(path), View::keep);
                }
            } else {
                for (path, edit) in repair::written(input) {
                    let path = event.directory().join(path);
                    change(views, &viewer, &path, |view, file| match &edit {
                        repair::Written::Whole(text) => view.see(0, text, file),
                        repair::Written::Edit(old, new) => view.edit(old, new, file),
                    });
                }
            }
        }
    }
}

/// Changes an agent's view of a file, which has the given text now.
fn change(views: &Views, viewer: &Viewer, path: &Path, change: impl FnOnce(&mut View, &str)) {
    // The text of a notebook is not what its tools show.
    let is_notebook = path.extension().is_some_and(|extension| extension == "ipynb");
    let before = views.get(&viewer.session[0], Some(viewer), path);
    let mut view = before.clone().unwrap_or_else(|| View::of(path.to_owned()));
    match repair::text_of(path).filter(|_| !is_notebook) {
        Some(file) => change(&mut view, &file),
        None => view.keep(""),
    }
    if before.as_ref() != Some(&view) {
        // Without a view, edits are decided by the file alone.
        let _ = views.put(viewer, &view);
    }
}

impl Reads {
    /// Returns the file and the lines that a call showed.
    fn read(&self, tool: &str, input: &Input, response: &Value) -> Option<(String, Shown)> {
        if tool == self.tool {
            return Some((repair::file(input)?.to_owned(), (self.shown)(input, response)?));
        }
        let output = response.pointer(self.output.filter(|_| SHELLS.contains(&tool))?)?.as_str()?;
        let (file, first) = printed(input.get("command").or_else(|| input.get("cmd"))?.as_str()?)?;
        Some((file, Shown { first, text: output.to_owned() }))
    }
}

impl Event<'_> {
    /// Returns the agent whose tools the event is about; none if the event names no session.
    pub(crate) fn viewer(&self) -> Option<Viewer> {
        let session = self.first(self.host.turns.as_ref()?.session)?;
        let agent = self.first(&["/agent_id"]).unwrap_or_default();
        Some(Viewer { session: [self.host.name.to_owned(), session.to_owned()], agent: agent.to_owned() })
    }
}

/// Returns the file that a simple command prints, and the number of the first line, from 0: `cat F`, `head -n N F`,
/// `sed -n 'A,Bp' F`.
fn printed(command: &str) -> Option<(String, usize)> {
    let script = Script::parse(command);
    let words = script.plain()?;
    let is_file = |file: &&str| !file.starts_with('-') && !Path::new(file).as_os_str().is_empty();
    let (file, first) = match words[..] {
        ["cat", file] => (file, 0),
        ["head", "-n", count, file] if count.parse::<usize>().is_ok() => (file, 0),
        ["sed", "-n", lines, file] => {
            let (first, last) = lines.strip_suffix('p')?.split_once(',')?;
            last.parse::<usize>().ok()?;
            (file, first.parse::<usize>().ok()?.checked_sub(1)?)
        }
        _ => return None,
    };
    is_file(&file).then(|| (file.to_owned(), first))
}
