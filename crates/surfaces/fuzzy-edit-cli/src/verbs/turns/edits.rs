//! Records the calls of tools of a session: the files that its edit tools name, and the time of its last action.
//!
//! The hook of a tool appends a line to a file of the session. The hook of a prompt, an answer or the end of a session
//! closes that file: the process that records this event reads it, and a new file is begun. So the time of a file's last
//! change is that of the last action before the event, by the clock of the file system, which is also the clock of the
//! files that the agent and the user change. Lines that are lost only leave more files to a question.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fuzzy_checkpoint::{RepoPath, Worktree};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_checkpoint_store::{Error, Session, TurnNote, now_ms};
use fuzzy_hosts::{Host, ToolEvent, ToolKind, When};
use fuzzy_safe_write::{State, open_to_append, open_to_read, sha256};
use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

use super::entry::title;
use crate::verbs::checkpoint::place::Place;
use crate::verbs::checkpoint::refused::Refused;

/// A call of a tool.
#[derive(Serialize, Deserialize)]
struct Call {
    /// The time, in milliseconds since 1970.
    at: i64,
    when: When,
    tool: String,
    #[serde(flatten)]
    kind: ToolKind,
}

/// The largest file of a session that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The longest name of a tool to record, in bytes.
const MAX_NAME: usize = 100;

/// Returns the file of a session.
fn open_file(title: &str) -> Option<PathBuf> {
    Some(State::lasting()?.join("edits").join(&sha256(title.as_bytes())[..16]))
}

/// Records calls of tools. Errors are ignored: the calls are not affected.
pub(crate) fn note(host: &Host, events: Vec<ToolEvent>) {
    let Some(file) = events.first().and_then(|event| open_file(&title(host.name, &event.session))) else { return };
    let mut lines = Vec::new();
    for ToolEvent { when, mut tool, kind, .. } in events {
        tool.truncate(tool.floor_char_boundary(MAX_NAME));
        let call = Call { at: now_ms(), when, tool, kind };
        if serde_json::to_writer(&mut lines, &call).is_ok() {
            lines.push(b'\n');
        }
    }
    append(&file, &lines);
}

/// Appends whole lines, also if a few processes do so at once.
fn append(file: &Path, lines: &[u8]) {
    let Some(dir) = file.parent() else { return };
    let _ = sys::make_private(dir).and_then(|()| open_to_append(file)).and_then(|mut file| file.write_all(lines));
}

/// Closes the file of a host's session at an event of its turns, which has the time `at`, and begins another one.
pub(crate) fn close(host: &Host, session: &str, at: i64) {
    let Some(file) = open_file(&title(host.name, session)) else { return };
    let closed = file.with_extension(format!("{at:020}"));
    // There is none before the first event. If it cannot be renamed, its time is that of the last action still.
    if fs::rename(&file, closed).map_or_else(|error| error.kind() == ErrorKind::NotFound, |()| true) {
        append(&file, b"\n");
    }
}

/// Returns the files of a session that were closed up to a time, the oldest first.
fn closed(title: &str, until: i64) -> Vec<PathBuf> {
    let Some(file) = open_file(title) else { return Vec::new() };
    let is_own = |path: &PathBuf| {
        let at = path.extension().and_then(|at| at.to_str()?.parse::<i64>().ok());
        path.file_stem() == file.file_name() && at.is_some_and(|at| at <= until)
    };
    let entries = file.parent().and_then(|dir| fs::read_dir(dir).ok()).into_iter().flatten().flatten();
    let mut closed: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_own).collect();
    closed.sort();
    closed
}

/// Returns the time of the last action of a session before the event at `until`, or before now; none if it is not known.
pub(super) fn last_action(title: &str, until: Option<i64>) -> Option<SystemTime> {
    let file = match until {
        Some(until) => closed(title, until).pop(),
        None => open_file(title),
    };
    fs::metadata(file?).ok()?.modified().ok()
}

/// Adds the files that calls named before the event at `until` to the running turn of a session.
pub(super) fn take(service: &Checkpointer, worktree: &Worktree, session: &Session, until: i64) -> Result<(), Refused> {
    add(service, worktree, session, &closed(&session.title, until))
}

/// Forgets the calls before the event at `until`. Errors are ignored: what remains belongs to no turn.
pub(super) fn forget(title: &str, until: i64) {
    for file in closed(title, until) {
        let _ = fs::remove_file(file);
    }
}

/// Forgets all calls of a session, also those after its last event.
pub(super) fn forget_all(title: &str) {
    forget(title, i64::MAX);
    let _ = open_file(title).map(fs::remove_file);
}

fn add(service: &Checkpointer, worktree: &Worktree, session: &Session, files: &[PathBuf]) -> Result<(), Refused> {
    let Some(turn) = &session.turn else { return Ok(()) };
    let calls: Vec<Call> = files.iter().filter_map(|file| open_to_read(file).ok().and_then(read)).flatten().collect();
    let named =
        calls.iter().filter_map(|call| if let ToolKind::Edit { paths } = &call.kind { Some(paths) } else { None });
    let named: Vec<RepoPath> = named.flatten().filter_map(|path| inside(worktree, path)).collect();
    if named.is_empty() {
        return Ok(());
    }
    match service.store().note(turn, TurnNote::Edited(&named)) {
        // Another process deleted its session meanwhile.
        Err(Error::Missing { .. }) => Ok(()),
        noted => Ok(noted?),
    }
}

/// Adds the named files to all running turns of a worktree.
pub(super) fn note_running(place: &Place) -> Result<(), Refused> {
    for session in place.service.store().sessions(place.worktree.id())? {
        add(&place.service, &place.worktree, &session, open_file(&session.title).as_slice())?;
    }
    Ok(())
}

fn read(file: File) -> Option<Vec<Call>> {
    let text = io::read_to_string(io::Read::take(file, MAX_BYTES)).ok()?;
    Some(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Returns the path in the worktree, if the file is inside.
pub(super) fn inside(worktree: &Worktree, path: &Path) -> Option<RepoPath> {
    let resolved =
        path.parent().zip(path.file_name()).and_then(|(dir, name)| Some(sys::canonical(dir).ok()?.join(name)));
    let root = worktree.root();
    let path = resolved.as_deref().and_then(|path| path.strip_prefix(root).ok()).or(path.strip_prefix(root).ok())?;
    (!path.as_os_str().is_empty()).then(|| RepoPath::new(sys::in_git(path)))
}
