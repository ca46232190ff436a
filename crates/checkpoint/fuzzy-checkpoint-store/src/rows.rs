//! What goes into a store and comes out of it, besides what is reported.

use crate::{Changes, CheckpointId, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId};

/// A worktree known to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeRow {
    /// The engine's name for it.
    pub id: String,
    /// The user's git directory.
    pub git_dir: String,
    /// The root of the files.
    pub root: String,
    /// `sha1` or `sha256`.
    pub object_format: String,
}

/// What a transcript has at one place, without the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// The place.
    pub seq: i64,
    /// Whether `user` speaks.
    pub is_prompt: bool,
    /// How long the text is, in bytes, as the database keeps it.
    pub bytes: i64,
}

/// The body of a message, and further keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// The text, or JSON.
    pub body: &'a str,
    /// Whether it is JSON.
    pub json: bool,
    /// The unknown keys of the message, as a JSON object.
    pub extra: Option<&'a str>,
}

impl<'a> From<&'a str> for Said<'a> {
    fn from(body: &'a str) -> Self {
        Self { body, json: false, extra: None }
    }
}

impl<'a> From<&'a String> for Said<'a> {
    fn from(body: &'a String) -> Self {
        body.as_str().into()
    }
}

/// A restore about to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRestore {
    /// Its name.
    pub id: RestoreId,
    /// The session.
    pub session_id: SessionId,
    /// The target.
    pub checkpoint_id: CheckpointId,
    /// The name of the request.
    pub request_key: String,
    /// What was asked.
    pub options: RestoreOptions,
    /// Who carries it out.
    pub owner: String,
    /// The time, in milliseconds since 1970.
    pub now: i64,
    /// Until when the owner's lease holds.
    pub lease_until: i64,
}

/// Whether a restore may begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginOutcome {
    /// It has begun.
    Started,
    /// The same request was made before.
    Existing(Box<Restore>),
    /// Another restore of the worktree is open, or somebody else holds the lease.
    Busy,
    /// A turn of this session runs in the worktree, and the request does not say to stop it.
    Running(SessionId),
}

/// What a step of a restore adds to its journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The safety checkpoint; the first stays.
    pub safety_id: Option<CheckpointId>,
    /// What is known of the result.
    pub result: Option<RestoreOutcome>,
    /// Why it stopped.
    pub error: Option<String>,
    /// Whether the session's turn goes on after a move to `refused`, because its backend did not stop.
    pub turn_goes_on: bool,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// What is noted of a turn, at its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnNote<'a> {
    /// Why it has no checkpoint.
    Uncheckpointed(&'a str),
    /// What it changed.
    Changes(&'a Changes),
    /// Why that is not known.
    Uncompared(&'a str),
    /// What had changed before it, outside any turn.
    Outside(&'a Changes),
    /// Whether retention spares its checkpoints.
    Kept(bool),
}

/// Which checkpoints are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListFilter {
    /// Whether those that a restore hid are listed, too.
    pub retired: bool,
}
