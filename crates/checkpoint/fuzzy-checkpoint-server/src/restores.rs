//! Restores as the API and the page ask for them.

use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::Error;
use fuzzy_checkpoint_store::{CheckpointId, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId};

use crate::app::App;
use crate::rejection::Rejection;

/// How long a request waits for the one with the same key that came just before it.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often it looks.
const PAUSE: Duration = Duration::from_millis(50);

/// Restores a checkpoint of a session. Of two requests with one key the second gets the answer of the first, also while
/// that still runs.
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

/// Restores single hunks of files, and files; keys as in [`restore`].
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

/// Takes a restore back; keys as in [`restore`].
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
    ask: impl Fn() -> Result<RestoreOutcome, Error>,
) -> Result<RestoreOutcome, Rejection> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let error = match ask() {
            Ok(outcome) => return Ok(outcome),
            Err(error) => error,
        };
        let in_progress = matches!(error, Error::RestoreInProgress);
        let ours = match key.filter(|_| in_progress) {
            Some(key) => app.service().store().restore_by_key(session, key)?,
            None => None,
        };
        // One that ran into something is tried again by the server, but not in a minute of requests.
        let goes_on = ours.is_some_and(|row| !row.phase.is_open() || row.error.is_none());
        if !goes_on || Instant::now() >= deadline {
            return Err(named(app, session, error));
        }
        thread::sleep(PAUSE);
    }
}

/// Says of a refusal which restore has to be finished first, if one has to.
fn named(app: &App, session: &SessionId, error: Error) -> Rejection {
    let is_open = matches!(error, Error::RestoreInProgress);
    let mut rejection = Rejection::from(error);
    if is_open {
        rejection.failure.details.restore_id = app.open_restore(session);
    }
    rejection
}
