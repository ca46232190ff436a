//! Reads the edits in the logs of hosts, each with the text of its file where the log has it.

mod aider;
mod calls;
mod claude_code;
mod cline;
mod codex;
mod copilot;
#[cfg(feature = "checkpoint")]
mod crush;
mod gemini;
#[cfg(feature = "checkpoint")]
mod opencode;
mod sink;
mod texts;

use std::collections::VecDeque;
use std::fs;
#[cfg(not(feature = "checkpoint"))]
use std::io;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

pub(super) use self::sink::From;
use self::sink::Sink;
use super::groups::Columns;
use super::record::{At, Item};

/// The most folders below a named one.
const DEPTH: usize = 16;

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
            From::Gemini => gemini::read(&log, limit, &mut sink),
            From::Copilot => copilot::read(&log, limit, &mut sink),
            From::Cline => cline::read(&log, limit, &mut sink),
            #[cfg(feature = "checkpoint")]
            From::Crush => crush::read(&log, &mut sink),
            #[cfg(feature = "checkpoint")]
            From::Opencode => opencode::read(&log, &mut sink),
            #[cfg(not(feature = "checkpoint"))]
            From::Opencode | From::Crush => {
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
            From::Gemini => name.starts_with("session-") && (name.ends_with(".jsonl") || name.ends_with(".json")),
            From::Copilot => name == "events.jsonl",
            From::Cline => name.ends_with(".messages.json"),
            From::Crush => name == "crush.db",
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
