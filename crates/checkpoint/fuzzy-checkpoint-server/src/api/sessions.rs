//! Routes of sessions.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint_store::{ListedSession, Session, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::extract::{Ids, Params, page_size};
use crate::app::App;
use crate::rejection::Rejection;

/// The sessions, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sessions {
    sessions: Vec<ListedSession>,
    /// The value of `after` for the next request, if there are more sessions.
    next: Option<SessionId>,
}

/// A new session.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct New {
    /// A directory on the server, inside the session's worktree.
    worktree: PathBuf,
    /// A title for people.
    #[schemars(length(min = 1, max = 1000))]
    title: Option<String>,
}

/// A new title.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Renamed {
    #[schemars(length(min = 1, max = 1000))]
    title: String,
}

/// A deleted session.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Deleted {
    id: SessionId,
}

/// Selects a part of the list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Only sessions after this one in the list.
    after: Option<SessionId>,
    /// The largest number of sessions to return.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// The largest and default number of sessions in one response.
const MOST: usize = 1000;

/// Refuses an empty title.
fn titled(title: String) -> Result<String, Rejection> {
    if title.trim().is_empty() {
        return Err(Rejection::bad_input("title: it is empty", "Set a title, or omit the key."));
    }
    Ok(title)
}

/// A session just created.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Made {
    id: SessionId,
}

pub(super) async fn list(
    State(app): State<App>,
    Params(Part { after, limit }): Params<Part>,
) -> Result<Json<Sessions>, Rejection> {
    let limit = page_size(limit, MOST, "Go on with `after`.")?;
    app.look(move |app| {
        let mut sessions = app.sessions()?;
        if let Some(after) = after {
            let place = sessions.iter().position(|listed| listed.session.id == after);
            sessions.drain(..place.map_or(sessions.len(), |place| place + 1));
        }
        let more = sessions.len() > limit;
        sessions.truncate(limit);
        let next = sessions.last().filter(|_| more).map(|listed| listed.session.id.clone());
        Ok(Json(Sessions { sessions, next }))
    })
    .await
}

pub(super) async fn rename(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Body(Renamed { title }): Body<Renamed>,
) -> Result<Json<Session>, Rejection> {
    let title = titled(title)?;
    app.look(move |app| {
        app.service().rename_session(&app.session(&session)?.id, &title)?;
        Ok(Json(app.session(&session)?))
    })
    .await
}

pub(super) async fn delete(State(app): State<App>, Ids(id): Ids<SessionId>) -> Result<Json<Deleted>, Rejection> {
    app.git(move |app| {
        app.service().delete_session(&app.session(&id)?.id)?;
        Ok(Json(Deleted { id }))
    })
    .await
}

pub(super) async fn create(State(app): State<App>, Body(new): Body<New>) -> Result<Json<Made>, Rejection> {
    let title = new.title.map(titled).transpose()?.unwrap_or_default();
    app.git(move |app| {
        let id = app.service().create_session(&app.allowed(&new.worktree)?, &title)?;
        Ok(Json(Made { id }))
    })
    .await
}

pub(super) async fn show(State(app): State<App>, Ids(session): Ids<SessionId>) -> Result<Json<Session>, Rejection> {
    app.look(move |app| Ok(Json(app.session(&session)?))).await
}
