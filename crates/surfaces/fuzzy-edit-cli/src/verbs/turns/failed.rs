//! Events of turns that could not be recorded. Each is a file in `turns-failed` of the state directory or, if that cannot
//! be written, of a directory for temporary files.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use fuzzy_checkpoint_store::{Retention, now_ms};
use fuzzy_hosts::{Moment, TurnEvent};
use fuzzy_report::Code;
use fuzzy_safe_write::{State, open_to_append, open_to_read};
use fuzzy_system as sys;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{Entry, is_within, title};

/// The most bytes of an unreadable event to keep. A larger one contains whole files.
const MAX_BYTES: usize = 64 << 10;

/// An event that could not be recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Failed {
    /// The name of the host, as the hook was called.
    pub(super) host: String,
    pub(super) moment: Moment,
    /// The time of the event, in milliseconds since 1970.
    pub(super) at: i64,
    /// The reason.
    pub(super) why: String,
    /// Whether it is tried again, because the cause may pass.
    pub(super) retried: bool,
    /// The directory of the agent, or of the hook if the event could not be read.
    directory: PathBuf,
    /// The contents, if they could be read.
    event: Option<TurnEvent>,
    /// The start of the event, if it could not be read.
    text: Option<String>,
}

/// An event of this project that could not be recorded.
#[derive(Serialize, JsonSchema)]
pub(crate) struct FailedEvent {
    /// The name of the host.
    pub(super) host: String,
    /// `turn-begin`, `turn-end` or `session-end`.
    pub(super) event: &'static str,
    /// The prompt, if it is known.
    pub(super) prompt: String,
    /// The time of the event, in milliseconds since 1970.
    pub(super) at: i64,
    /// The reason.
    pub(super) why: String,
    /// Whether it is tried again.
    pub(super) retried: bool,
    /// The file with the event. Without it, the event is no longer listed.
    pub(super) file: String,
}

impl Failed {
    /// Returns a failure to record an event.
    pub(super) fn of(entry: Entry, why: impl Into<String>, retried: bool) -> Self {
        let Entry { host, moment, event, at } = entry;
        let directory = event.directory.clone();
        Self { host, moment, at, why: why.into(), retried, directory, event: Some(event), text: None }
    }

    /// Returns the event, if it is to be tried again.
    pub(super) fn entry(&self) -> Option<Entry> {
        let Self { host, moment, at, event: Some(event), retried: true, .. } = self.clone() else { return None };
        Some(Entry { host, moment, event, at })
    }

    /// Returns whether the event is from a directory or below it, or of one of these sessions.
    pub(super) fn concerns(&self, root: &Path, sessions: &[String]) -> bool {
        let session = self.event.as_ref().map(|event| title(&self.host, &event.session));
        session.is_some_and(|session| sessions.contains(&session)) || is_within(&self.directory, root)
    }

    /// Returns the report about the event in a file.
    pub(super) fn report(self, file: &Path) -> FailedEvent {
        FailedEvent {
            host: self.host,
            event: self.moment.verb(),
            prompt: self.event.map(|event| event.prompt).unwrap_or_default(),
            at: self.at,
            why: self.why,
            retried: self.retried,
            file: file.to_string_lossy().into_owned(),
        }
    }

    /// Writes the event to a file with a name that begins with its time.
    ///
    /// # Errors
    ///
    /// No directory can be written.
    pub(super) fn keep(&self) -> io::Result<()> {
        let name = format!("{:015}-{}", self.at, std::process::id());
        let mut failure = io::Error::from(ErrorKind::NotFound);
        for folder in folders() {
            match (0..1_000).map(|number| folder.join(format!("{name}-{number:03}.json"))).find(|file| !file.exists()) {
                Some(file) => match self.write(&file) {
                    Ok(()) => return Ok(()),
                    Err(error) => failure = error,
                },
                None => failure = ErrorKind::AlreadyExists.into(),
            }
        }
        Err(failure)
    }

    /// Writes the event to a file, as a whole or not at all.
    pub(super) fn write(&self, file: &Path) -> io::Result<()> {
        sys::make_private(file.parent().unwrap_or(file))?;
        let new = file.with_extension("new");
        let text = serde_json::to_vec(self)?;
        let written =
            open_to_append(&new).and_then(|mut new| new.write_all(&text)).and_then(|()| fs::rename(&new, file));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written
    }
}

/// Keeps an event that could not be read. There is nothing left to do if that fails, too.
pub(crate) fn keep_unread(host: &str, moment: Moment, event: &[u8], why: &str) {
    let text = String::from_utf8_lossy(&event[..event.len().min(MAX_BYTES)]).into_owned();
    let failed = Failed {
        host: host.to_owned(),
        moment,
        at: now_ms(),
        why: why.to_owned(),
        retried: false,
        directory: std::env::current_dir().unwrap_or_default(),
        event: None,
        text: Some(text),
    };
    let _ = failed.keep();
}

/// Deletes the events of a directory or below it, or of some sessions.
pub(super) fn forget(root: &Path, sessions: &[String]) -> io::Result<()> {
    let mut concerned = all().into_iter().filter(|(_, failed)| failed.concerns(root, sessions));
    concerned.try_for_each(|(path, _)| fs::remove_file(path))
}

/// Returns all events that could not be recorded with their files, the oldest first. Removes those that are as old as the
/// oldest turns.
pub(super) fn all() -> Vec<(PathBuf, Failed)> {
    let oldest = now_ms().saturating_sub(Retention::default().other_ms);
    let mut all = Vec::new();
    for file in folders().iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
        let path = file.path();
        let text = open_to_read(&path).and_then(io::read_to_string).unwrap_or_default();
        match serde_json::from_str::<Failed>(&text) {
            Ok(failed) if failed.at < oldest => _ = fs::remove_file(path),
            Ok(failed) => all.push((path, failed)),
            Err(_) => {}
        }
    }
    all.sort_by(|(a, _), (b, _)| a.file_name().cmp(&b.file_name()));
    all
}

/// Returns whether the cause of a failure may pass without a change of the event.
pub(super) const fn may_pass(code: Code) -> bool {
    matches!(
        code,
        Code::Store
            | Code::StoreMissing
            | Code::Busy
            | Code::Locked
            | Code::RestoreInProgress
            | Code::DiskFull
            | Code::Io
            | Code::Git
            | Code::Timeout
            | Code::Backend
            | Code::BackedOff
            | Code::AgentRunning
    )
}

/// Returns the folders that this user owns, or may make.
fn folders() -> Vec<PathBuf> {
    let temporary = std::env::temp_dir().join(format!("fuzzy-edit-{}", sys::user()));
    // Another user may have made a directory of that name.
    let is_foreign = temporary.exists() && !sys::open_state(&temporary).is_ok_and(|directory| sys::is_own(&directory));
    let all = [State::lasting(), Some(temporary).filter(|_| !is_foreign)];
    all.into_iter().flatten().map(|state| state.join("turns-failed")).collect()
}
