//! Sessions.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint_store::{ListedSession, Session, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::extract::Ids;
use crate::app::App;
use crate::rejection::Rejection;

/// The sessions, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sessions {
    sessions: Vec<ListedSession>,
}

/// A session about to be made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct New {
    /// A directory on the server, in the worktree that the session works in.
    worktree: PathBuf,
    /// A title for people.
    #[serde(default)]
    title: String,
}

/// A session just made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Made {
    id: SessionId,
}

pub(super) async fn list(State(app): State<App>) -> Result<Json<Sessions>, Rejection> {
    app.look(|app| Ok(Json(Sessions { sessions: app.sessions()? }))).await
}

pub(super) async fn create(State(app): State<App>, Body(new): Body<New>) -> Result<Json<Made>, Rejection> {
    app.git(move |app| {
        let id = app.service().create_session(&app.allowed(&new.worktree)?, &new.title)?;
        Ok(Json(Made { id }))
    })
    .await
}

pub(super) async fn show(State(app): State<App>, Ids(session): Ids<SessionId>) -> Result<Json<Session>, Rejection> {
    app.look(move |app| Ok(Json(app.session(&session)?))).await
}
