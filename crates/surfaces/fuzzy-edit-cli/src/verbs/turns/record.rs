//! Records the events of turns in the store, which `serve` shares.

use std::path::Path;
use std::{env, fs};

use fuzzy_checkpoint::CaptureOptions;
use fuzzy_checkpoint_service::{Checkpointer, MAX_BORROWED, NewStep, ProcessBackend};
use fuzzy_checkpoint_store::{Content, MessageStatus, Retention, Session, TurnNote, now_ms};
use fuzzy_hosts::{Moment, Script, hosts_around};
use fuzzy_report::Code;
use fuzzy_safe_write::State;
use fuzzy_system as sys;

use super::edits;
use super::entry::{Entry, RUN, title};
use crate::config;
use crate::verbs::checkpoint::options::{Database, Shared};
use crate::verbs::checkpoint::place::Place;
use crate::verbs::checkpoint::refused::Refused;

/// The most files of a folder without git to capture.
const MAX_FILES: usize = 20_000;

/// The most bytes of such a folder.
const MAX_BYTES: u64 = 1 << 30;

/// Records an event. `late` is the reason, if it is too late for a checkpoint before the agent begins. The value that
/// `cold` returns lives while a capture reads every file. Returns the failure of the capture before a turn, which begins
/// without a checkpoint then.
///
/// # Errors
///
/// The directory cannot have checkpoints, or the store fails.
pub(super) fn apply<C>(
    entry: &Entry,
    late: Option<&str>,
    cold: impl FnOnce() -> C,
) -> Result<Option<Refused>, Refused> {
    if entry.moment == Moment::Step && late.is_some() {
        // The command has run.
        return Ok(None);
    }
    let database = Database::from_environment();
    let place = match Place::of_agent(&entry.event.directory, &database) {
        // The end belongs to the session, which may have begun in another directory.
        Err(refused) if entry.moment == Moment::Begin => return Err(refused),
        place => place.ok(),
    };
    let opened = match &place {
        Some(_) => None,
        None => Some(service(database)?),
    };
    let Some(service) = place.as_ref().map(|place| &place.service).or(opened.as_ref()) else { return Ok(None) };
    // The host's session has one session here for each worktree in which it has worked.
    let sessions = service.store().sessions_titled(&entry.session())?;
    if entry.moment == Moment::Step {
        return step(service, place.as_ref(), &sessions, entry, entry.at + config::step_wait_ms()).map(|()| None);
    }
    for session in &sessions {
        let Some(turn) = &session.turn else { continue };
        if let (Moment::Begin, Some(why)) = (entry.moment, late)
            && is_begun(service, session, entry)?
        {
            // The process that began this turn died before it recorded whether there is a checkpoint.
            if service.store().anchored(&session.id, session.next_seq - 1)?.is_empty() {
                service.store().note(turn, TurnNote::Uncheckpointed(why))?;
            }
            return Ok(None);
        }
        if let Some(place) = place.as_ref().filter(|place| session.worktree_id == place.worktree.id()) {
            edits::take(service, &place.worktree, session, entry.at)?;
        }
        if entry.moment == Moment::End {
            service.end_turn(&session.id, turn, MessageStatus::Complete)?;
        } else {
            // An interrupted turn ends when the next one begins, or with its session.
            service.end_turn_late(&session.id, turn, edits::last_action(&session.title, Some(entry.at)))?;
        }
    }
    let mut failure = None;
    if let Some(place) = place.as_ref().filter(|_| entry.moment == Moment::Begin) {
        let known = sessions.into_iter().find(|session| session.worktree_id == place.worktree.id());
        let session = if let Some(session) = known {
            session.id
        } else {
            let session = service.session_titled(place.worktree.root(), &entry.session())?;
            service.store().set_host(&session, &entry.host)?;
            session
        };
        let extra = entry.extra();
        let prompt = Content { extra: extra.as_deref(), ..entry.event.prompt.as_str().into() };
        let large = || place.worktree.is_sidecar().then(|| too_large(place.worktree.root())).flatten();
        if let Some(why) = late.map(str::to_owned).or_else(large) {
            service.begin_turn_uncaptured(&session, prompt, &why)?;
            failure = late.is_none().then(|| Refused::new(Code::TooLarge, why, ""));
        } else {
            let _cold = (!place.worktree.is_warm()).then(cold);
            let turn = if entry.host == RUN {
                // Its program is not started yet, so no file is suspect that the user saved just now.
                service.begin_turn(&session, prompt)?
            } else {
                service.begin_turn_of(&session, prompt, entry.at)?
            };
            failure = turn.checkpoint.err().map(Refused::from);
        }
    }
    edits::forget(&entry.session(), entry.at);
    Ok(failure)
}

/// Opens the service without a worktree.
fn service(database: Database) -> Result<Checkpointer, Refused> {
    Shared { database, ..Shared::default() }.service(&Shared::state()?, ProcessBackend::default())
}

/// Captures the files before a command, in each worktree in which its session has a running turn. The command runs at `until`
/// in any case.
fn step(
    service: &Checkpointer,
    place: Option<&Place>,
    sessions: &[Session],
    entry: &Entry,
    until: i64,
) -> Result<(), Refused> {
    let named = Script::parse(&entry.event.prompt).named(&entry.event.directory);
    for session in sessions {
        let Some(turn) = &session.turn else { continue };
        let command = &entry.event.prompt;
        let keep = config::user().ok().and_then(|user| user.keep.clone()).unwrap_or_default();
        let worktree = place.map(|place| &place.worktree);
        let new = NewStep { command, paths: &named.paths, all: named.all, keep: &keep, worktree, until };
        service.take_step(&session.id, turn, &new)?;
    }
    Ok(())
}

/// Takes a step of each running turn of this worktree in whose shell this process runs; returns whether there is one.
pub(super) fn take_step_inside(entry: &Entry) -> Result<bool, Refused> {
    let around = hosts_around(|name| env::var(name).ok());
    if around.is_empty() {
        return Ok(false);
    }
    let place = Place::of_agent(&entry.event.directory, &Database::from_environment())?;
    let mut sessions = place.service.store().sessions(place.worktree.id())?;
    let is_around = |session: &Session, host: &str, id: Option<&String>| match id {
        Some(id) => session.title == title(host, id),
        None => session.host.as_deref() == Some(host),
    };
    sessions.retain(|session| {
        session.turn.is_some() && around.iter().any(|(host, id)| is_around(session, host, id.as_ref()))
    });
    step(&place.service, Some(&place), &sessions, entry, i64::MAX).map(|()| !sessions.is_empty())
}

/// Takes the turn that an event began out of the records again, with its session: its program did not start.
pub(super) fn take_away(begin: &Entry) -> Result<(), Refused> {
    let service = service(Database::from_environment())?;
    for session in service.store().sessions_titled(&begin.session())? {
        service.take_away(&session.id)?;
    }
    Ok(())
}

/// Reads every file of the worktree around a directory, so that its next capture reads only changed files. Failures are
/// ignored: the next capture reads them again.
pub(crate) fn warm(directory: &Path, database: &Database) {
    let Ok(place) = Place::of_agent(directory, database) else { return };
    // A folder without git has few files, or no checkpoints.
    if !place.worktree.is_sidecar()
        && !place.worktree.is_warm()
        && let Ok(locked) = place.worktree.lock()
    {
        let _ = locked.capture(&CaptureOptions::to_compare());
    }
}

/// Copies what the checkpoints of a worktree borrow from its repository, so that they survive its loss.
pub(super) fn keep_all(entry: &Entry) {
    if let Ok(place) = Place::of_agent(&entry.event.directory, &Database::from_environment()) {
        // The next event tries again if this one fails; `turns` reports what is still borrowed.
        let _ = place.worktree.keep_all(MAX_BORROWED);
    }
}

/// Prunes the project at the end of a session, and once a day everything that is stored, of all projects: nothing else
/// deletes the texts of a project in which no agent works any more.
pub(super) fn prune(entry: &Entry) {
    // The next event prunes again if this one fails.
    if let Ok(place) = Place::of_agent(&entry.event.directory, &Database::from_environment()) {
        if entry.moment == Moment::SessionEnd {
            let _ = place.service.prune(&Retention::default(), Some(place.worktree.id()));
        }
        place.service.prune_all_daily();
    }
    let oldest = now_ms().saturating_sub(Retention::default().other_ms);
    let folders = State::lasting().into_iter().flat_map(|state| WITH_TEXTS.map(|folder| state.join(folder)));
    folders.for_each(|folder| delete_old(&folder, oldest));
}

/// The folders of the state directory with old contents of edited files, events with prompts, and names of files.
const WITH_TEXTS: [&str; 4] = ["done", "turns", "turns-failed", "edits"];

/// Deletes the files below a directory that were written before a time.
fn delete_old(directory: &Path, oldest: i64) {
    for path in fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            delete_old(&path, oldest);
        } else if !path.ends_with("lock") && sys::modified_ms(&path).is_some_and(|written| written < oldest) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns whether the running turn of a session is the one that an event begins.
fn is_begun(service: &Checkpointer, session: &Session, entry: &Entry) -> Result<bool, Refused> {
    let prompt = service.messages(&session.id, session.next_seq - 2)?.pop();
    Ok(prompt.is_some_and(|prompt| prompt.created_at >= entry.at && *prompt.body == *entry.event.prompt))
}

/// Returns the reason if a folder without git is too large to capture. Without git there is no selection of its files,
/// so their number is unbounded.
fn too_large(root: &Path) -> Option<String> {
    let (mut files, mut bytes) = (0, 0_u64);
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                directories.push(entry.path());
            }
            files += 1;
            bytes = bytes.saturating_add(meta.len());
            if files > MAX_FILES || bytes > MAX_BYTES {
                return Some("the folder is large and has no git: make it a repository with `git init`".to_owned());
            }
        }
    }
    None
}
