//! Checkpoints of a session.

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::{Detail, Diff, DiffOptions, Differing, Patch, RepoPath};
use fuzzy_checkpoint_service::{CreateOptions, Details, Side};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, ListFilter, SessionId, ulid_ms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::OptionalBody;
use super::extract::{Ids, Params};
use crate::app::App;
use crate::rejection::Rejection;

/// The checkpoints of a session, ordered by their messages, then by age.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checkpoints {
    checkpoints: Vec<Checkpoint>,
}

/// Filters checkpoints.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Whether to include checkpoints that a restore has hidden.
    #[serde(default)]
    all: bool,
}

/// A new checkpoint.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct New {
    /// A short label for people.
    label: String,
}

/// A checkpoint just taken.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Taken {
    #[serde(flatten)]
    checkpoint: Checkpoint,
    /// Newly captured files whose names suggest that they contain secrets.
    secrets: Vec<RepoPath>,
}

/// The other side of a comparison, and its options.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct With {
    /// Another checkpoint; without it, the files on disk.
    to: Option<CheckpointId>,
    /// Only this file, or the files below this directory.
    path: Option<String>,
    /// Whether to return only the names of the files.
    #[serde(default)]
    names: bool,
}

/// The differences between two states of a worktree.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Compared {
    from: CheckpointId,
    /// The other checkpoint; null for the files on disk.
    to: Option<CheckpointId>,
    #[serde(flatten)]
    part: Part,
}

/// Files that differ, and their patch.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Part {
    files: Vec<Differing>,
    /// The changes as a unified patch, if one was requested and is at most 16 MiB.
    patch: Option<Patch>,
    /// Whether the patch is too large to be returned at once; request single paths instead.
    patch_too_large: bool,
}

impl From<Diff> for Part {
    fn from(Diff { files, patch }: Diff) -> Self {
        let patch_too_large = patch.len() > LARGEST_PATCH;
        let patch = (!patch.is_empty() && !patch_too_large).then(|| patch.into());
        Self { files, patch, patch_too_large }
    }
}

/// Selects the files of a comparison.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfFile {
    /// Returns a patch of this file, or of the files below this directory; without it, lists all files without a patch.
    pub(super) path: Option<String>,
}

impl OfFile {
    pub(super) fn options(&self) -> Result<DiffOptions, Rejection> {
        let paths = one(self.path.as_deref())?;
        let detail = if paths.is_empty() { Detail::Lines } else { Detail::Binary };
        Ok(DiffOptions { paths, detail, renames: true })
    }
}

fn one(path: Option<&str>) -> Result<Vec<RepoPath>, Rejection> {
    path.iter().map(|path| named(&RepoPath::from(*path))).collect()
}

/// Reads a path from a request, without slashes at its end, which only mark a directory.
pub(crate) fn named(path: &RepoPath) -> Result<RepoPath, Rejection> {
    let bytes = path.as_bytes();
    let end = bytes.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
    let path = RepoPath::new(&bytes[..end]);
    if end == 0 || bytes.contains(&0) || path.is_reserved() {
        let message = format!("{path:?}: no file can have this path");
        return Err(Rejection::bad_input(message, "Use a path relative to the root of the worktree, as in the plan."));
    }
    Ok(path)
}

/// The largest returned patch, in bytes.
const LARGEST_PATCH: usize = 16 << 20;

pub(super) async fn list(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Params(Which { all }): Params<Which>,
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
    Params(With { to, path, names }): Params<With>,
) -> Result<Json<Compared>, Rejection> {
    if to.as_ref().is_some_and(|to| ulid_ms(to.as_str()).is_none()) {
        return Err(Rejection::not_in_session());
    }
    let detail = if names { Detail::Names } else { Detail::Binary };
    let options = DiffOptions { paths: one(path.as_deref())?, detail, renames: true };
    app.git(move |app| {
        let session = app.session(&session)?;
        let side = to.clone().map_or(Side::Worktree, Side::Checkpoint);
        let diff = app.service().diff(&session.id, &Side::Checkpoint(from.clone()), &side, &options)?;
        Ok(Json(Compared { from, to, part: diff.into() }))
    })
    .await
}
