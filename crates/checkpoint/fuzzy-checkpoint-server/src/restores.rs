//! The restores of the API and the page.

use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::Error;
use fuzzy_checkpoint_store::{CheckpointId, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId};

use crate::app::App;
use crate::rejection::Rejection;

/// The longest time that a request waits for an earlier one with the same key.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The interval between two checks.
const PAUSE: Duration = Duration::from_millis(50);

/// Restores a checkpoint of a session. A repeated request with the same key gets the outcome of the first one, and
/// waits for it if it is still running.
pub(crate) fn restore(
    app: &App,
    session: &SessionId,
    checkpoint: &CheckpointId,
    options: &RestoreOptions,
    key: Option<&str>,
) -> Result<RestoreOutcome, Rejection> {
    app.session(session)?;
    once(app, session, key, || app.service().restore(session, checkpoint, options.clone(), key))
}

/// Restores hunks and whole files; keys work as in [`restore`].
pub(crate) fn restore_hunks(
    app: &App,
    session: &SessionId,
    checkpoint: &CheckpointId,
    hunks: &[(RepoPath, Vec<usize>)],
    options: &RestoreOptions,
    key: &str,
) -> Result<RestoreOutcome, Rejection> {
    app.session(session)?;
    once(app, session, Some(key), || {
        app.service().restore_hunks(session, checkpoint, hunks, options.clone(), Some(key))
    })
}

/// Undoes a restore; keys work as in [`restore`].
pub(crate) fn undo(app: &App, id: &RestoreId, key: Option<&str>) -> Result<RestoreOutcome, Rejection> {
    let session = known(app, id)?.session_id;
    once(app, &session, key, || app.service().undo(id, key))
}

/// Returns the journal of a restore in one of the served worktrees.
pub(crate) fn known(app: &App, id: &RestoreId) -> Result<Restore, Rejection> {
    let row = app.service().store().restore(id)?.ok_or_else(Rejection::no_restore)?;
    match app.session(&row.session_id) {
        Ok(_) => Ok(row),
        Err(_) => Err(Rejection::no_restore()),
    }
}

fn once(
    app: &App,
    session: &SessionId,
    key: Option<&str>,
    request: impl Fn() -> Result<RestoreOutcome, Error>,
) -> Result<RestoreOutcome, Rejection> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let error = match request() {
            Ok(outcome) => return Ok(outcome),
            Err(error) => error,
        };
        let in_progress = matches!(error, Error::RestoreInProgress);
        let ours = match key.filter(|_| in_progress) {
            Some(key) => app.service().store().restore_by_key(session, key)?,
            None => None,
        };
        // The server retries a restore that failed, but not within the time of a request.
        let is_running = ours.is_some_and(|row| !row.phase.is_open() || row.error.is_none());
        if !is_running || Instant::now() >= deadline {
            return Err(with_open_restore(app, session, error));
        }
        thread::sleep(PAUSE);
    }
}

/// Returns the rejection, with the id of the restore that has to be finished first, if there is one.
fn with_open_restore(app: &App, session: &SessionId, error: Error) -> Rejection {
    let is_open = matches!(error, Error::RestoreInProgress);
    let mut rejection = Rejection::from(error);
    if is_open {
        rejection.failure.details.restore_id = app.open_restore(session);
    }
    rejection
}
