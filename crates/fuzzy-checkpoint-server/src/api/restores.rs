//! Restores: planned, done, taken back, given up.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fuzzy_checkpoint_service::Preview;
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId, Trim,
};
use serde::Deserialize;

use super::body::OptionalBody;
use super::extract::{Ids, Key};
use crate::app::App;
use crate::problem::Problem;
use crate::restores;

/// How to restore.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct How {
    trim: Trim,
    files: bool,
    head: HeadMode,
    force: bool,
}

impl Default for How {
    fn default() -> Self {
        let RestoreOptions { trim, files, head, force, .. } = RestoreOptions::default();
        Self { trim, files, head, force }
    }
}

impl From<How> for RestoreOptions {
    fn from(How { trim, files, head, force }: How) -> Self {
        Self { trim, files, head, force, ..Self::default() }
    }
}

/// Nothing.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Nothing {}

type Target = Ids<(SessionId, CheckpointId)>;

pub(super) async fn plan(
    State(app): State<App>,
    Ids((session, checkpoint)): Target,
    OptionalBody(how): OptionalBody<How>,
) -> Result<Json<Preview>, Problem> {
    app.git(move |app| Ok(Json(app.service().preview(&app.session(&session)?.id, &checkpoint, &how.into())?))).await
}

pub(super) async fn restore(
    State(app): State<App>,
    Ids((session, checkpoint)): Target,
    Key(key): Key,
    OptionalBody(how): OptionalBody<How>,
) -> Result<Json<RestoreOutcome>, Problem> {
    app.git(move |app| restores::restore(app, &session, &checkpoint, &how.into(), key.as_deref()).map(Json)).await
}

pub(super) async fn undo(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    Key(key): Key,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<RestoreOutcome>, Problem> {
    let done = app.git(move |app| restores::undo(app, &id, key.as_deref()).map(Json)).await;
    done.map_err(|mut problem| {
        // The request is a good one; it is the restore that cannot be taken back as things stand.
        if problem.words.code == "invalid" {
            problem.status = StatusCode::CONFLICT;
        }
        problem
    })
}

pub(super) async fn abort(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<Restore>, Problem> {
    app.git(move |app| {
        let row = restores::known(app, &id)?;
        if !row.phase.is_open() {
            let message = format!("restore {id} is over: {}", row.phase.as_str());
            let next_step = "If it is done, POST /api/restores/:id/undo takes it back.";
            return Err(Problem::new(StatusCode::CONFLICT, "invalid", message, next_step));
        }
        app.service().abort(&id)?;
        restores::known(app, &id).map(Json)
    })
    .await
}

pub(super) async fn show(State(app): State<App>, Ids(id): Ids<RestoreId>) -> Result<Json<Restore>, Problem> {
    app.look(move |app| restores::known(app, &id).map(Json)).await
}
