//! The answers of `turns` as JSON.

use fuzzy_checkpoint::{Differing, Patch};
use fuzzy_checkpoint_service::Preview;
use fuzzy_checkpoint_store::RestoreOutcome;
use schemars::JsonSchema;
use serde::Serialize;

use super::failed::FailedEvent;
use super::rows::Turn;

/// The turns of a worktree.
#[derive(Serialize, JsonSchema)]
pub(crate) struct List {
    /// The root of the worktree.
    pub(super) root: String,
    /// Whether the newest checkpoint still borrows files from the repository, and is lost with it.
    pub(super) borrowing: bool,
    /// The turns, the oldest first.
    pub(super) turns: Vec<Turn>,
    /// The events of turns that could not be recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) failed_events: Vec<FailedEvent>,
}

/// The changes of a turn.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Diff {
    pub(super) turn: Turn,
    pub(super) files: Vec<Differing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<Patch>,
}

/// A restore to the state before a turn.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Undone {
    /// The numbers of the turns that are undone.
    pub(super) turns: Vec<usize>,
    /// The command that undoes this restore.
    pub(super) undo_with: String,
    #[serde(flatten)]
    pub(super) outcome: RestoreOutcome,
}

/// The plan of a restore to the state before a turn.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Planned {
    /// The numbers of the turns that would be undone.
    pub(super) turns: Vec<usize>,
    #[serde(flatten)]
    pub(super) preview: Preview,
}

/// A turn, and whether it is excluded from pruning.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Kept {
    pub(super) turn: Turn,
}
