//! Checkpoints of a session.

use axum::Json;
use axum::extract::{Path, Query, State};
use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::CreateOptions;
use fuzzy_checkpoint_store::{Checkpoint, ListFilter, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::OptionalBody;
use crate::app::App;
use crate::problem::Problem;

/// The checkpoints of a session, by the message they belong to, then by age.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checkpoints {
    checkpoints: Vec<Checkpoint>,
}

/// Which of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Those that a restore has hidden, too.
    #[serde(default)]
    all: bool,
}

/// A checkpoint about to be taken.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct New {
    /// A few words that say what it is for.
    label: String,
}

/// A checkpoint just taken.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Taken {
    #[serde(flatten)]
    checkpoint: Checkpoint,
    /// Files captured for the first time whose names look like places for secrets.
    secrets: Vec<RepoPath>,
}

pub(super) async fn list(
    State(app): State<App>,
    Path(session): Path<SessionId>,
    Query(Which { all }): Query<Which>,
) -> Result<Json<Checkpoints>, Problem> {
    app.look(move |app| {
        let session = app.session(&session)?;
        Ok(Json(Checkpoints { checkpoints: app.service().list(&session.id, ListFilter { retired: all })? }))
    })
    .await
}

pub(super) async fn create(
    State(app): State<App>,
    Path(session): Path<SessionId>,
    OptionalBody(New { label }): OptionalBody<New>,
) -> Result<Json<Taken>, Problem> {
    app.git(move |app| {
        let session = app.session(&session)?;
        let taken = app.service().create(&session.id, &CreateOptions { label, ..CreateOptions::default() })?;
        Ok(Json(Taken { checkpoint: taken.checkpoint, secrets: taken.secrets }))
    })
    .await
}
