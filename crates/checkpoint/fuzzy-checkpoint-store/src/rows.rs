//! Parameters and rows of a store, besides the reported records.

use fuzzy_checkpoint::RepoPath;

use crate::{
    Changes, Checkpoint, CheckpointId, LateFile, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId, TurnRow,
};

/// A worktree known to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeRow {
    /// Its id in the engine.
    pub id: String,
    /// The user's git directory.
    pub git_dir: String,
    /// The root of the files.
    pub root: String,
    /// `sha1` or `sha256`.
    pub object_format: String,
    /// The store of its checkpoints, a random id and the path; empty if it is unknown.
    pub store: String,
}

/// A session whose agent does not know yet of restores in its worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// Its id.
    pub session: SessionId,
    /// Its worktree.
    pub worktree_id: String,
    /// The place up to which its agent knows of restores.
    pub told: i64,
    /// The place of the last restore.
    pub last: i64,
}

/// One message of a transcript, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// The place.
    pub seq: i64,
    /// Whether a turn begins with it.
    pub is_prompt: bool,
    /// The number of that turn in the worktree.
    pub number: Option<i64>,
    /// The length of the stored text in bytes.
    pub bytes: i64,
}

/// The body of a new message, and its further keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content<'a> {
    /// The text, or JSON.
    pub body: &'a str,
    /// Whether it is JSON.
    pub json: bool,
    /// The unknown keys of the message, as a JSON object.
    pub extra: Option<&'a str>,
    /// For a prompt, the newest batch of edits in the writer's journal.
    pub batch: Option<&'a str>,
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(body: &'a str) -> Self {
        Self { body, json: false, extra: None, batch: None }
    }
}

impl<'a> From<&'a String> for Content<'a> {
    fn from(body: &'a String) -> Self {
        body.as_str().into()
    }
}

/// A restore about to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRestore {
    /// Its id.
    pub id: RestoreId,
    /// The session.
    pub session_id: SessionId,
    /// The target.
    pub checkpoint_id: CheckpointId,
    /// The key of the request.
    pub request_key: String,
    /// The requested options.
    pub options: RestoreOptions,
    /// The newest batch of edits in the writer's journal.
    pub batch: Option<String>,
    /// The owner of the lease.
    pub owner: String,
    /// The time, in milliseconds since 1970.
    pub now: i64,
    /// The end of the owner's lease.
    pub lease_until: i64,
}

/// The result of a request to begin a restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginOutcome {
    /// It has begun.
    Started,
    /// The same request was made earlier.
    Existing(Box<Restore>),
    /// Another restore of the worktree is open, or another owner holds the lease.
    Busy,
    /// A turn of this session is running in the worktree, and the request does not stop it.
    Running(SessionId),
}

/// The changes of a step to a restore's journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The safety checkpoint; the first one is kept.
    pub safety_id: Option<CheckpointId>,
    /// The result so far.
    pub result: Option<RestoreOutcome>,
    /// The reason why it stopped.
    pub error: Option<String>,
    /// Whether the session's turn continues after a move from `begun`, because its backend did not stop.
    pub turn_goes_on: bool,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// A note about a turn, stored with its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnNote<'a> {
    /// The reason why it has no checkpoint.
    Uncheckpointed(&'a str),
    /// Its changes.
    Changes(&'a Changes),
    /// The reason why its changes are unknown.
    Uncompared(&'a str),
    /// Changes before it, outside any turn.
    Outside(&'a Changes),
    /// Whether retention keeps its checkpoints.
    Kept(bool),
    /// Further files that edit tools named during it.
    Edited(&'a [RepoPath]),
    /// The files that it changed, with both paths of a renamed one.
    Files(&'a [RepoPath]),
    /// The place of the last state before its last change.
    WroteAfter(i64),
    /// The files that changed after its last action.
    Late(&'a [LateFile]),
}

/// Selects a part of the turns of a worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnFilter<'a> {
    /// Only turns of this session.
    pub session: Option<&'a SessionId>,
    /// Only turns that changed this file, or a file below this directory.
    pub path: Option<&'a RepoPath>,
    /// Only turns with this text in the prompt or in the name of a changed file, in upper or lower case.
    pub text: Option<&'a str>,
    /// Only turns with smaller numbers.
    pub before: Option<i64>,
    /// The largest number of turns.
    pub most: i64,
}

/// A part of the turns of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPage {
    /// The turns, the newest first.
    pub turns: Vec<TurnRow>,
    /// The checkpoints of their starts.
    pub begins: Vec<Checkpoint>,
}

/// Filters the listed checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListFilter {
    /// Whether to include checkpoints hidden by a restore.
    pub retired: bool,
}
