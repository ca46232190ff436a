//! Reads the edits in the logs of hosts, each with the text of its file where the log has it.

mod aider;
mod claude_code;
mod codex;
#[cfg(feature = "checkpoint")]
mod opencode;
mod texts;

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use fuzzy_edit::LineQuote;
use indicatif::ProgressBar;
use serde_json::Value;

use self::texts::Texts;
use super::case::{Case, Label};
use super::groups::{Columns, cut};
use super::record::{At, Item, Line, Record};

/// The host whose logs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum From {
    /// The sessions in ~/.claude/projects
    ClaudeCode,
    /// The database ~/.local/share/opencode/opencode.db
    Opencode,
    /// The rollouts in ~/.codex/sessions
    Codex,
    /// The file .aider.chat.history.md in a repository, whose commits have the texts
    Aider,
}

/// The most folders below a named one.
const DEPTH: usize = 16;

/// The name of a host in `--from`.
fn name(from: From) -> String {
    from.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Why an edit in a log is no case.
pub(super) const NO_TEXT: &str = "the log does not have the text of the file";
const NOT_RUN: &str = "the host did not try the edit";
const NEW_FILE: &str = "the edit creates or overwrites a file";
const UNKNOWN_SHAPE: &str = "the call has an unknown shape";

/// An edit that a host tried.
struct Tried<'t> {
    id: &'t str,
    model: &'t str,
    path: &'t str,
    /// The text of the file before it, if it is known.
    content: Option<String>,
    old: &'t str,
    new: &'t str,
    replace_all: bool,
    has_landed: bool,
}

/// Passes on the edits of one log.
struct Sink<'s> {
    from: From,
    columns: &'s Columns,
    at: At,
    items: &'s mut dyn FnMut(Item) -> bool,
    /// Whether more edits are wanted.
    goes_on: bool,
}

impl Sink<'_> {
    fn item(&mut self, item: Item) {
        self.goes_on = self.goes_on && (self.items)(item);
    }

    /// Counts an edit that cannot be repeated.
    fn leave_out(&mut self, why: &'static str) {
        self.item(Item::LeftOut(why));
    }

    /// Passes on an edit, or leaves it out if the text of its file is unknown.
    fn tried(&mut self, edit: Tried<'_>) {
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
            line: None,
            expected: Label::Unknown,
            expected_kind: None,
            accept_noop: None,
            drift: None,
            quote: LineQuote::default(),
            hooked: None,
        };
        self.at.line += 1;
        self.item(Item::Line(Line { at: self.at.clone(), record: Record::Case(Box::new(case), groups) }));
    }
}

/// Passes the edits of every log to `sink`, which returns whether to continue. A folder stands for the logs below it.
///
/// A line of more than `limit` bytes is skipped without being held in memory.
pub(super) fn read(
    from: From,
    paths: &[PathBuf],
    columns: &Columns,
    limit: u64,
    progress: &ProgressBar,
    mut items: impl FnMut(Item) -> bool,
) {
    for (file, log) in logs(from, paths).into_iter().enumerate() {
        let at = At { file, source: log.display().to_string().into(), line: 0 };
        let mut sink = Sink { from, columns, at, items: &mut items, goes_on: true };
        let read = match from {
            From::ClaudeCode => claude_code::read(&log, limit, &mut sink),
            From::Codex => codex::read(&log, limit, &mut sink),
            From::Aider => aider::read(&log, limit, &mut sink),
            #[cfg(feature = "checkpoint")]
            From::Opencode => opencode::read(&log, &mut sink),
            #[cfg(not(feature = "checkpoint"))]
            From::Opencode => {
                Err(io::Error::other("reading databases is not in this build; it needs the cargo feature `checkpoint`"))
            }
        };
        if let Err(error) = read {
            let at = At { line: 0, ..sink.at.clone() };
            sink.item(Item::Unreadable(at, error.to_string()));
        }
        if !sink.goes_on {
            return;
        }
        progress.inc(log.metadata().map_or(0, |metadata| metadata.len()));
    }
}

/// Returns the logs of a host at these paths and below them, in a fixed order. A path that is no folder is a log.
pub(super) fn logs(from: From, paths: &[PathBuf]) -> Vec<PathBuf> {
    let is_log = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match from {
            From::ClaudeCode => name.ends_with(".jsonl"),
            From::Codex => name.starts_with("rollout-") && name.ends_with(".jsonl"),
            From::Opencode => name == "opencode.db",
            From::Aider => name == ".aider.chat.history.md",
        }
    };
    let mut found = Vec::new();
    for path in paths {
        let mut folders = VecDeque::from([(path.clone(), 0)]);
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        while let Some((folder, depth)) = folders.pop_front() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let mut entries: Vec<_> = entries.flatten().collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                // A link may lead back.
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && depth < DEPTH {
                    folders.push_back((entry.path(), depth + 1));
                } else if kind.is_file() && is_log(&entry.path()) {
                    found.push(entry.path());
                }
            }
        }
    }
    found
}

/// Passes each line of a log as JSON to `each`, which returns whether to continue. Skips lines that are no JSON: the last
/// one may be incomplete.
fn each_json(log: &Path, limit: u64, mut each: impl FnMut(Value) -> bool) -> io::Result<()> {
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

/// Opens a regular file. A device or a pipe may have no end.
fn regular(log: &Path) -> io::Result<fs::File> {
    if log.metadata()?.is_file() { fs::File::open(log) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Returns the text at a JSON pointer; an empty one if there is none.
fn text<'v>(json: &'v Value, pointer: &str) -> &'v str {
    json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether the answer of a host is about an old text that it does not find, or finds several times.
fn is_refusal(answer: &str, words: &[&str]) -> bool {
    words.iter().any(|words| answer.contains(words))
}
