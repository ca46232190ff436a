//! Parts that the readers of logs share: they pass on an edit, and read lines.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use clap::ValueEnum;
use serde_json::Value;

use crate::verbs::replay::case::Case;
use crate::verbs::replay::groups::{Columns, cut};
use crate::verbs::replay::record::{At, Item, Line, Record};

/// The host whose logs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::verbs::replay) enum From {
    /// The sessions in ~/.claude/projects
    ClaudeCode,
    /// The database ~/.local/share/opencode/opencode.db
    Opencode,
    /// The rollouts in ~/.codex/sessions
    Codex,
    /// The chats in ~/.gemini/tmp
    Gemini,
    /// The events in ~/.copilot/session-state
    Copilot,
    /// The messages in ~/.cline/data/sessions
    Cline,
    /// The database .crush/crush.db in a project
    Crush,
    /// The file .aider.chat.history.md in a repository, whose commits have the texts
    Aider,
}

/// The name of a host in `--from`.
fn name(from: From) -> String {
    from.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Why an edit in a log is no case.
pub(in crate::verbs::replay) const NO_TEXT: &str = "the log does not have the text of the file";
pub(super) const NOT_RUN: &str = "the host did not try the edit";
pub(super) const NEW_FILE: &str = "the edit creates or overwrites a file";
pub(super) const UNKNOWN_SHAPE: &str = "the call has an unknown shape";

/// An edit that a host tried.
pub(super) struct Tried<'t> {
    pub(super) id: &'t str,
    pub(super) model: &'t str,
    pub(super) path: &'t str,
    /// The text of the file before it, if it is known.
    pub(super) content: Option<String>,
    pub(super) old: &'t str,
    pub(super) new: &'t str,
    pub(super) replace_all: bool,
    pub(super) has_landed: bool,
}

/// Passes on the edits of one log.
pub(super) struct Sink<'s> {
    pub(super) from: From,
    pub(super) columns: &'s Columns,
    pub(super) at: At,
    pub(super) items: &'s mut dyn FnMut(Item) -> bool,
    /// Whether more edits are wanted.
    pub(super) goes_on: bool,
}

impl Sink<'_> {
    pub(super) fn item(&mut self, item: Item) {
        self.goes_on = self.goes_on && (self.items)(item);
    }

    /// Counts an edit that cannot be repeated.
    pub(super) fn leave_out(&mut self, why: &'static str) {
        self.item(Item::LeftOut(why));
    }

    /// Passes on an edit, or leaves it out if the text of its file is unknown.
    pub(super) fn tried(&mut self, edit: Tried<'_>) {
        let Tried { id, model, path, content, old, new, replace_all, has_landed } = edit;
        if old.is_empty() {
            return self.leave_out(NEW_FILE);
        }
        let Some(content) = content else { return self.leave_out(NO_TEXT) };
        let kind = if has_landed { "landed" } else { "failed" };
        let host = name(self.from);
        let values = [("id", id), ("host", &*host), ("model", model), ("kind", kind), ("path", path)];
        let value =
            |name: &String| values.iter().find(|(known, _)| known == name).map(|(_, value)| (*value).to_owned());
        let groups = self.columns.names().iter().map(|name| cut(value(name))).collect();
        let case = Case {
            id: Value::from(id),
            content: content.into(),
            old: Some(old.to_owned().into()),
            new: new.to_owned().into(),
            replace_all: Some(replace_all),
            ..Case::default()
        };
        self.at.line += 1;
        self.item(Item::Line(Line { at: self.at.clone(), record: Record::Case(Box::new(case), groups) }));
    }
}

/// Passes each line of a log as JSON to `each`, which returns whether to continue. Skips lines that are no JSON: the last
/// one may be incomplete.
pub(super) fn each_json(log: &Path, limit: u64, mut each: impl FnMut(Value) -> bool) -> io::Result<()> {
    let mut lines = BufReader::with_capacity(1 << 16, regular(log)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut lines).take(limit.saturating_add(1)).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() as u64 > limit && !line.ends_with(b"\n") {
            lines.skip_until(b'\n')?;
        } else if let Ok(json) = serde_json::from_slice(&line)
            && !each(json)
        {
            return Ok(());
        }
    }
}

/// Passes the two columns of each row of a database as JSON to `each`, which returns whether to continue.
#[cfg(feature = "checkpoint")]
pub(super) fn each_row(log: &Path, query: &str, mut each: impl FnMut(Value, Value) -> bool) -> io::Result<()> {
    // SQLite would create a missing file.
    regular(log)?;
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = rusqlite::Connection::open_with_flags(log, flags).map_err(io::Error::other)?;
    let mut query = database.prepare(query).map_err(io::Error::other)?;
    let mut rows = query.query([]).map_err(io::Error::other)?;
    while let Some(row) = rows.next().map_err(io::Error::other)? {
        let json = |index: usize| -> io::Result<Value> {
            let text: String = row.get(index).map_err(io::Error::other)?;
            Ok(serde_json::from_str(&text).unwrap_or_default())
        };
        if !each(json(0)?, json(1)?) {
            break;
        }
    }
    Ok(())
}

/// Reads a file that is one JSON text of at most `limit` bytes.
pub(super) fn whole_json(log: &Path, limit: u64) -> io::Result<Value> {
    let mut bytes = Vec::new();
    regular(log)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    serde_json::from_slice(&bytes).map_err(io::Error::other)
}

/// Opens a regular file. A device or a pipe may have no end.
pub(super) fn regular(log: &Path) -> io::Result<fs::File> {
    if log.metadata()?.is_file() { fs::File::open(log) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Returns the text at a JSON pointer; an empty one if there is none.
pub(super) fn text<'v>(json: &'v Value, pointer: &str) -> &'v str {
    json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether the answer of a host is about an old text that it does not find, or finds several times.
pub(super) fn is_refusal(answer: &str, words: &[&str]) -> bool {
    words.iter().any(|words| answer.contains(words))
}
