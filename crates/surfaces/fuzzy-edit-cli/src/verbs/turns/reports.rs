//! The answers of `turns` as JSON.

use fuzzy_checkpoint::{Differing, Gone, Patch, Uncovered};
use fuzzy_checkpoint_service::{
    Forgotten, LeftFile, ListedTurn, MovedSubmodule, OtherPlace, TurnConflict, TurnPlan, TurnStep,
};
use fuzzy_checkpoint_store::{NotKept, RestoreOutcome, TakeBack};
use schemars::JsonSchema;
use serde::Serialize;

use super::conversation::Conversation;
use super::failed::FailedEvent;
use crate::verbs::checkpoint::refused::Refused;

/// The turns of a worktree.
#[derive(Serialize, JsonSchema)]
pub(crate) struct List {
    /// The root of the worktree.
    pub(super) root: String,
    /// Whether the newest checkpoint still borrows files from the repository, and is lost with it.
    pub(super) borrowing: bool,
    /// The turns, the oldest first. With `--path`, only turns that changed these files, with the numbers of these.
    pub(super) turns: Vec<ListedTurn>,
    /// The places with turns that are hidden here: at the root, above or below it, or of the same repository. Without
    /// turns of this project, also those that have a folder of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) other_places: Vec<OtherPlace>,
    /// The events of turns that could not be recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) failed_events: Vec<FailedEvent>,
}

/// The changes of a turn.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Diff {
    pub(super) turn: ListedTurn,
    pub(super) files: Vec<Differing>,
    /// Files that another turn may have changed at the same time.
    pub(super) shared: Vec<SharedFile>,
    /// Paths that were there before the turn, are not there, and that no checkpoint has; not in `log`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gone: Vec<Gone>,
    /// The captures before the commands of its shells, for `turns show`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) steps: Vec<TurnStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<Patch>,
}

/// A file that several turns may have changed at the same time.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SharedFile {
    pub(super) path: fuzzy_checkpoint::RepoPath,
    pub(super) turns: Vec<i64>,
}

/// The turns that changed some files, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Log {
    pub(super) turns: Vec<Diff>,
}

/// Turns that are taken back, or a restore that is undone.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Undone {
    pub(super) verb: TakeBack,
    /// The numbers of the turns.
    pub(super) turns: Vec<i64>,
    /// The command that undoes this; none if nothing was changed.
    pub(super) undo_with: Option<String>,
    /// Files that changed since and are left alone.
    pub(super) left: Vec<LeftFile>,
    /// Files with conflicts, which are left alone.
    pub(super) conflicts: Vec<TurnConflict>,
    /// Files that commands of the turns named, that no checkpoint has, and that are not brought back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) not_brought_back: Vec<NotKept>,
    /// Paths that may not be as they were before the turns, if nothing was changed; otherwise the outcome has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) uncovered: Vec<Uncovered>,
    /// Paths that no checkpoint has and that cannot be brought back, if nothing was changed; otherwise the outcome has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gone: Vec<Gone>,
    /// The submodules and nested repositories whose commit the turns changed. They are left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) submodules: Vec<MovedSubmodule>,
    /// The conversations of hosts that still have the turns, each with the way back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) conversations: Vec<Conversation>,
    #[serde(flatten)]
    pub(super) outcome: Option<RestoreOutcome>,
}

/// The plan to take turns back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Planned {
    #[serde(flatten)]
    pub(super) plan: TurnPlan,
    /// The failure, if it would be refused.
    #[serde(flatten)]
    pub(super) refused: Option<Refused>,
}

/// A turn, and whether it is excluded from pruning.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Kept {
    pub(super) turn: ListedTurn,
}

/// Turns whose texts and contents were deleted.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Forgot {
    /// Always `forgotten`.
    pub(super) status: &'static str,
    /// The number of batches of edits that can no longer be undone.
    pub(super) batches: usize,
    #[serde(flatten)]
    pub(super) forgotten: Forgotten,
}

/// A turn that was ended.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Ended {
    pub(super) turn: ListedTurn,
}

/// The result of a search for the turn that broke something.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Bisected {
    /// Always `bisected`.
    pub(super) status: &'static str,
    /// The first bad turn; none if the change was made outside any turn.
    pub(super) turn: Option<ListedTurn>,
    /// The turns of which one is the first bad one, if the command could not judge the states between them.
    pub(super) among: Vec<i64>,
    /// The turn before which the files changed outside any turn, if that broke it.
    pub(super) outside_before: Option<i64>,
    /// The number of times that the command ran.
    pub(super) runs: usize,
    /// The changed files.
    pub(super) files: Vec<Differing>,
    /// The change that broke it.
    pub(super) patch: Option<Patch>,
    /// The command that takes the turn back.
    pub(super) revert_with: Option<String>,
}
