//! Records which files the edit tools of a session name, so that overlapping turns can be told apart.
//!
//! The hook of an edit appends a line to a file of the session; the end of a turn, or a verb that needs the turns, adds
//! the files to the turn. Lines that are lost only leave more files to either of two turns.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fuzzy_checkpoint::{RepoPath, Worktree};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_checkpoint_store::{Session, TurnNote, TurnRow, now_ms};
use fuzzy_hosts::{EditEvent, Host};
use fuzzy_safe_write::{State, open_to_append, open_to_read, sha256};
use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

use super::entry::title;
use crate::verbs::checkpoint::place::Place;
use crate::verbs::checkpoint::refused::Refused;

/// The files that one call names.
#[derive(Serialize, Deserialize)]
struct Named {
    /// The time of the call, in milliseconds since 1970.
    at: i64,
    paths: Vec<PathBuf>,
}

/// The largest file of a session that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

fn file(title: &str) -> Option<PathBuf> {
    Some(State::lasting()?.join("edits").join(&sha256(title.as_bytes())[..16]))
}

/// Records the files that a call of an edit tool names. Errors are ignored: the call is not affected.
pub(crate) fn note(host: &Host, event: EditEvent) {
    let EditEvent { session, paths } = event;
    let Some(file) = file(&title(host.name, &session)).filter(|_| !paths.is_empty()) else { return };
    let Some(dir) = file.parent() else { return };
    let Ok(mut line) = serde_json::to_vec(&Named { at: now_ms(), paths }) else { return };
    line.push(b'\n');
    // A few calls at once append whole lines.
    let _ = sys::make_private(dir).and_then(|()| open_to_append(&file)).and_then(|mut file| file.write_all(&line));
}

/// Adds the files that calls named up to a time to the running turn of a session, and forgets them.
pub(super) fn take(service: &Checkpointer, worktree: &Worktree, session: &Session, until: i64) -> Result<(), Refused> {
    add(service, worktree, session, until)?;
    forget_before(&session.title, until.saturating_add(1));
    Ok(())
}

/// Forgets the calls before a time. Errors are ignored: what remains is credited to the next turn of the session.
pub(super) fn forget_before(title: &str, at: i64) {
    let Some(file) = file(title) else { return };
    let Some(named) = open_to_read(&file).ok().and_then(read) else { return };
    let _ = fs::remove_file(&file);
    for call in named.iter().filter(|call| call.at >= at) {
        let mut line = serde_json::to_vec(call).unwrap_or_default();
        line.push(b'\n');
        let _ = open_to_append(&file).and_then(|mut file| file.write_all(&line));
    }
}

fn add(service: &Checkpointer, worktree: &Worktree, session: &Session, until: i64) -> Result<(), Refused> {
    let (Some(turn), Some(file)) = (&session.turn, file(&session.title)) else { return Ok(()) };
    let Some(named) = open_to_read(&file).ok().and_then(read) else { return Ok(()) };
    let rows = service.store().turns_of(worktree.id())?;
    let Some(TurnRow { mut edited, .. }) = rows.into_iter().find(|row| row.prompt.id.0 == turn.0) else {
        return Ok(());
    };
    let before = edited.len();
    let during = named.iter().filter(|call| call.at <= until).flat_map(|call| &call.paths);
    edited.extend(during.filter_map(|path| inside(worktree, path)));
    edited.sort();
    edited.dedup();
    if edited.len() > before {
        service.store().note(turn, TurnNote::Edited(&edited))?;
    }
    Ok(())
}

/// Adds the named files to all running turns of a worktree.
pub(super) fn note_running(place: &Place) -> Result<(), Refused> {
    for session in place.service.store().sessions(place.worktree.id())? {
        add(&place.service, &place.worktree, &session, i64::MAX)?;
    }
    Ok(())
}

fn read(file: File) -> Option<Vec<Named>> {
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
