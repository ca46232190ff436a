//! Tests the commands in the settings of a host with an event.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use serde_json::{Map, Value, json};

use super::change::SettingsError;
use super::changes::Installed;
use super::kind::{Kind, read};
use super::own::Own;
use super::record::Records;
use crate::event::set;
use crate::host::Host;
use crate::item::{Parts, Site};
use crate::moment::Moment;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The settings contain nothing of ours.
    Absent,
    /// Each command of ours ran.
    Works,
    /// Each command of ours ran, but this version would change the settings.
    Outdated,
    /// A command of ours does not run, for this reason.
    Broken(String),
}

/// A file and an inexact edit that every version repairs.
const TEXT: &str = "def f():\n\ttotal = 1\n";
const OLD: &str = "    total = 1";
const NEW: &str = "    total = 2";

/// Our events for the start of a turn, and for the calls of tools.
const BEGIN: &str = Moment::Begin.verb();
const BEFORE: &str = "tool-before";
const AFTER: &str = "tool-after";

/// The option of these.
const ONLY_RECORD: &str = " --only-record";

/// Returns our event in a command line.
fn verb(call: &str) -> &str {
    call.trim_end_matches(ONLY_RECORD).rsplit(' ').next().unwrap_or_default()
}

impl Host {
    /// Sends an event about a file in `directory`, which has to be empty, through each command in the settings.
    ///
    /// Only the hooks that repair and explain edits and those that begin turns run; a turn is recorded in `directory`.
    /// Time: a process each.
    ///
    /// # Errors
    ///
    /// A settings file cannot be read or parsed.
    pub fn check(
        &'static self,
        site: &Site,
        records: Option<&Records>,
        directory: &Path,
    ) -> Result<Checked, SettingsError> {
        let own = Own { host: self, site, records };
        let installed = self.installed(site, records)?;
        if installed == Installed::No {
            return Ok(Checked::Absent);
        }
        let parts = match installed {
            Installed::Current(parts) => parts,
            _ => Parts { repair: true, turns: false, mcp: false },
        };
        for call in self.calls(own, parts)? {
            if let Err(why) = self.run(&call, directory) {
                return Ok(Checked::Broken(format!("`{call}`: {why}")));
            }
        }
        Ok(if installed == Installed::Outdated { Checked::Outdated } else { Checked::Works })
    }

    /// Returns the command lines to test: those in the settings, or for files without any those of the parts.
    fn calls(&'static self, own: Own<'_>, parts: Parts) -> Result<Vec<String>, SettingsError> {
        let mut calls = Vec::new();
        for (path, kind) in own.places() {
            let Some(text) = read(&path)? else { continue };
            // A command of the user's is not run.
            if !own.is_in(&path, kind)? {
                continue;
            }
            match kind {
                Kind::Json => calls.extend(own.commands(&path, kind, &text)),
                Kind::Own if path.extension().is_some_and(|extension| extension == "sh") => {
                    calls.extend(text.lines().find_map(|line| line.strip_prefix("exec ")).map(str::to_owned));
                }
                Kind::Own => {
                    let found = own.commands(&path, kind, &text);
                    if found.is_empty() {
                        let verbs = [(parts.repair, "repair"), (parts.turns, BEFORE), (parts.turns, BEGIN)];
                        calls.extend(verbs.iter().filter(|verb| verb.0).map(|verb| own.site.call(self.name, verb.1)));
                    }
                    calls.extend(found);
                }
                Kind::Toml => {}
            }
        }
        calls.retain(|call| ["repair", "failed", BEFORE, AFTER, BEGIN].contains(&verb(call)));
        calls.sort();
        calls.dedup();
        Ok(calls)
    }

    fn run(&self, call: &str, directory: &Path) -> Result<(), String> {
        let state = directory.join("state");
        let (begins, records) = (verb(call) == BEGIN, [BEFORE, AFTER].contains(&verb(call)));
        let event = match self.begin_event(&directory.to_string_lossy()).filter(|_| begins) {
            Some(event) => event,
            None => self.event_of_edit(directory).map_err(|error| error.to_string())?,
        };
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let child = Command::new(shell)
            .args([flag, call])
            // A test is neither counted nor listed.
            .env("XDG_STATE_HOME", &state)
            .env_remove("FUZZY_EDIT_DATABASE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let input = child.stdin.take();
        // A command that reads nothing must not block this process.
        let writer = thread::spawn(move || input.map(|mut input| input.write_all(event.to_string().as_bytes())));
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let _ = writer.join();
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(if text.is_empty() { output.status.to_string() } else { text });
        }
        let stdout = String::from_utf8_lossy(&output.stdout);
        let repairs = verb(call) == "repair" || verb(call) == BEFORE && !call.ends_with(ONLY_RECORD);
        if repairs && !stdout.contains("\\ttotal = 2") {
            return Err("an inexact edit was not repaired".to_owned());
        }
        if records && !state.join("fuzzy-edit/edits").exists() {
            return Err("a call of a tool was not recorded".to_owned());
        }
        if begins && !state.join("fuzzy-edit/turns").exists() {
            return Err("a turn was not recorded".to_owned());
        }
        Ok(())
    }

    /// Writes a file, and returns the event of an edit of it whose old text has other blanks.
    fn event_of_edit(&self, directory: &Path) -> io::Result<Value> {
        let file = directory.join("check.py");
        fs::write(&file, TEXT)?;
        let file = file.to_string_lossy();
        let mut event = json!({});
        let (tool, input) = match (self.edit_tools.first(), self.patch_tools.first()) {
            (Some(tool), _) => (*tool, json!({ "file_path": file, "old_string": OLD, "new_string": NEW })),
            (None, Some((tool, property))) => {
                let patch = format!("*** Begin Patch\n*** Update File: {file}\n@@\n-{OLD}\n+{NEW}\n*** End Patch");
                (*tool, Value::Object(Map::from_iter([((*property).to_owned(), patch.into())])))
            }
            (None, None) => ("", Value::Null),
        };
        set(&mut event, self.event.tool, tool.into());
        set(&mut event, self.event.input, input);
        if let Some(pointer) = self.turns.as_ref().and_then(|turns| turns.session.first()) {
            set(&mut event, pointer, "check".into());
        }
        if let Some(pointer) = self.event.directory.first() {
            set(&mut event, pointer, directory.to_string_lossy().into());
        }
        Ok(event)
    }
}
