//! Checkpoints of a session.

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::{Differing, Patch, RepoPath};
use fuzzy_checkpoint_service::{CreateOptions, Details, Side};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, ListFilter, SessionId, ulid_ms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::OptionalBody;
use super::extract::{Asked, Ids};
use crate::app::App;
use crate::rejection::Rejection;

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

/// What to compare a checkpoint with, and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct With {
    /// Another checkpoint, instead of what is on disk now.
    to: Option<CheckpointId>,
    /// Only this file, or what lies below this directory.
    path: Option<String>,
    /// Only the names of the files that differ.
    #[serde(default)]
    names: bool,
}

/// What differs between two states of a worktree.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Compared {
    from: CheckpointId,
    /// What it is compared with; none for what is on disk.
    to: Option<CheckpointId>,
    files: Vec<Differing>,
    /// The changes as a unified patch, unless only names were asked for or it is larger than 16 MiB.
    patch: Option<Patch>,
    /// Whether the patch is too large to be shown at once; ask for single paths.
    patch_too_large: bool,
}

/// The largest patch that is shown, in bytes.
const LARGEST_PATCH: usize = 16 << 20;

pub(super) async fn list(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Asked(Which { all }): Asked<Which>,
) -> Result<Json<Checkpoints>, Rejection> {
    app.look(move |app| {
        let session = app.session(&session)?;
        Ok(Json(Checkpoints { checkpoints: app.service().list(&session.id, ListFilter { retired: all })? }))
    })
    .await
}

pub(super) async fn create(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    OptionalBody(New { label }): OptionalBody<New>,
) -> Result<Json<Taken>, Rejection> {
    app.git(move |app| {
        let session = app.session(&session)?;
        let taken = app.service().create(&session.id, &CreateOptions { label, ..CreateOptions::default() })?;
        Ok(Json(Taken { checkpoint: taken.checkpoint, secrets: taken.secrets }))
    })
    .await
}

pub(super) async fn show(
    State(app): State<App>,
    Ids((session, checkpoint)): Ids<(SessionId, CheckpointId)>,
) -> Result<Json<Details>, Rejection> {
    app.git(move |app| Ok(Json(app.service().show(&app.session(&session)?.id, &checkpoint)?))).await
}

pub(super) async fn diff(
    State(app): State<App>,
    Ids((session, from)): Ids<(SessionId, CheckpointId)>,
    Asked(With { to, path, names }): Asked<With>,
) -> Result<Json<Compared>, Rejection> {
    if to.as_ref().is_some_and(|to| ulid_ms(to.as_str()).is_none()) {
        return Err(Rejection::not_in_session());
    }
    let paths: Vec<RepoPath> = path.iter().map(|path| RepoPath::from(path.trim_end_matches('/'))).collect();
    if paths.iter().any(|path| path.as_bytes().is_empty() || path.as_bytes().contains(&0)) {
        return Err(Rejection::bad_input("path: no file can have this name", "Name it from the root of the worktree."));
    }
    app.git(move |app| {
        let session = app.session(&session)?;
        let side = to.clone().map_or(Side::Worktree, Side::Checkpoint);
        let diff = app.service().diff(&session.id, &Side::Checkpoint(from.clone()), &side, &paths, !names)?;
        let patch_too_large = diff.patch.len() > LARGEST_PATCH;
        let patch = (!names && !patch_too_large).then(|| diff.patch.into());
        Ok(Json(Compared { from, to, files: diff.files, patch, patch_too_large }))
    })
    .await
}
