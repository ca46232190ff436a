//! Restores: planned, done, taken back, given up.

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint_service::Preview;
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId, Trim,
};
use fuzzy_report::Code;
use serde::Deserialize;

use super::body::OptionalBody;
use super::extract::{Ids, Key};
use crate::app::App;
use crate::rejection::Rejection;
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
) -> Result<Json<Preview>, Rejection> {
    app.git(move |app| Ok(Json(app.service().preview(&app.session(&session)?.id, &checkpoint, &how.into())?))).await
}

pub(super) async fn restore(
    State(app): State<App>,
    Ids((session, checkpoint)): Target,
    Key(key): Key,
    OptionalBody(how): OptionalBody<How>,
) -> Result<Json<RestoreOutcome>, Rejection> {
    app.git(move |app| restores::restore(app, &session, &checkpoint, &how.into(), key.as_deref()).map(Json)).await
}

pub(super) async fn undo(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    Key(key): Key,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<RestoreOutcome>, Rejection> {
    let done = app.git(move |app| restores::undo(app, &id, key.as_deref()).map(Json)).await;
    // The request is a good one; it is the restore that cannot be taken back as things are.
    let is_invalid = |rejection: &Rejection| rejection.failure.code == Code::Invalid;
    done.map_err(|rejection| if is_invalid(&rejection) { rejection.conflict() } else { rejection })
}

pub(super) async fn abort(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<Restore>, Rejection> {
    app.git(move |app| {
        let row = restores::known(app, &id)?;
        if !row.phase.is_open() {
            let message = format!("restore {id} is over: {}", row.phase.as_str());
            let next_step = "If it is done, POST /api/restores/:id/undo takes it back.";
            return Err(Rejection::new(Code::Invalid, message, next_step).conflict());
        }
        app.service().abort(&id)?;
        restores::known(app, &id).map(Json)
    })
    .await
}

pub(super) async fn show(State(app): State<App>, Ids(id): Ids<RestoreId>) -> Result<Json<Restore>, Rejection> {
    app.look(move |app| restores::known(app, &id).map(Json)).await
}
