//! Routes to plan, run and abort restores.

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::{Oid, RepoPath};
use fuzzy_checkpoint_service::Preview;
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId, Trim,
};
use fuzzy_report::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::OptionalBody;
use super::checkpoints::{Part, named};
use super::extract::{Ids, Key, Params, page_size};
use crate::app::App;
use crate::rejection::Rejection;
use crate::restores;

/// The options of a restore.
#[derive(Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct How {
    /// The messages to trim.
    trim: Trim,
    /// Whether to restore the files; otherwise only the transcript is restored.
    files: bool,
    /// Whether to move the branch back as well.
    head: HeadMode,
    /// Whether to stop the agent of a running turn first.
    force: bool,
    /// Only these files and directories; without it, all files.
    #[schemars(length(min = 1))]
    paths: Option<Vec<RepoPath>>,
    /// The `tree` of a plan: if the files have changed since, nothing is restored.
    seen: Option<Oid>,
}

impl Default for How {
    fn default() -> Self {
        let RestoreOptions { trim, files, head, force, .. } = RestoreOptions::default();
        Self { trim, files, head, force, paths: None, seen: None }
    }
}

impl How {
    fn options(self) -> Result<RestoreOptions, Rejection> {
        let Self { trim, files, head, force, paths, seen } = self;
        if paths.as_ref().is_some_and(Vec::is_empty) {
            return Err(Rejection::bad_input("paths: it is empty", "Omit it to restore all files."));
        }
        let paths = paths.unwrap_or_default().iter().map(named).collect::<Result<_, _>>()?;
        Ok(RestoreOptions { trim, files, head, force, paths, seen, ..RestoreOptions::default() })
    }
}

/// An empty object.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Nothing {}

/// Selects a part of the history.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    /// Only restores that began before this one.
    before: Option<RestoreId>,
    /// The largest number of restores to return.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

/// The restores of a session in all phases, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct History {
    restores: Vec<Restore>,
    /// The value of `before` for the next request, if there are more restores.
    next: Option<RestoreId>,
}

/// The largest and default number of restores in one response.
const MOST: usize = 100;

/// The changes that a restore made to the files.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Done {
    restore: Restore,
    #[serde(flatten)]
    part: Part,
}

type Target = Ids<(SessionId, CheckpointId)>;

pub(super) async fn plan(
    State(app): State<App>,
    Ids((session, checkpoint)): Target,
    OptionalBody(how): OptionalBody<How>,
) -> Result<Json<Preview>, Rejection> {
    let how = how.options()?;
    app.git(move |app| Ok(Json(app.service().preview(&app.session(&session)?.id, &checkpoint, &how)?))).await
}

pub(super) async fn restore(
    State(app): State<App>,
    Ids((session, checkpoint)): Target,
    Key(key): Key,
    OptionalBody(how): OptionalBody<How>,
) -> Result<Json<RestoreOutcome>, Rejection> {
    let how = how.options()?;
    app.git(move |app| restores::restore(app, &session, &checkpoint, &how, key.as_deref()).map(Json)).await
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
            let next_step = "If it is done, the verb `undo` of the worktree's turns undoes it.";
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

pub(super) async fn history(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Params(Before { before, limit }): Params<Before>,
) -> Result<Json<History>, Rejection> {
    let limit = page_size(limit, MOST, "Go on with `before`.")?;
    app.look(move |app| {
        let session = app.session(&session)?;
        let mut restores = app.service().history(&session.id, before.as_ref(), limit + 1)?;
        let more = restores.len() > limit;
        restores.truncate(limit);
        let next = restores.last().filter(|_| more).map(|row| row.id.clone());
        Ok(Json(History { restores, next }))
    })
    .await
}

pub(super) async fn changes(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    Params(with): Params<super::checkpoints::OfFile>,
) -> Result<Json<Done>, Rejection> {
    let options = with.options()?;
    app.git(move |app| {
        let restore = restores::known(app, &id)?;
        let part = Part::from(app.service().restore_diff(&id, &options)?);
        Ok(Json(Done { restore, part }))
    })
    .await
}
