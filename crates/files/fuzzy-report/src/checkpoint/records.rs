//! What a store keeps.

use serde::{Deserialize, Serialize};

use super::{Body, CheckpointId, IndexLeft, MessageId, Oid, RepoPath, RestoreId, SessionId, TurnId, Uncovered};
use crate::words::words;

words! {
    /// What a session does.
    SessionState {
        /// Nothing runs.
        Idle = "idle",
        /// A turn runs.
        Running = "running",
        /// A restore runs or waits for recovery; no turn may start.
        Restoring = "restoring",
    }
}

words! {
    /// How far a message is.
    MessageStatus {
        /// More text may come.
        Streaming = "streaming",
        /// The text is whole.
        Complete = "complete",
        /// The turn failed, which is said of its prompt, too.
        Failed = "failed",
    }
}

words! {
    /// Why a checkpoint was taken.
    Kind {
        /// A turn began.
        Turn = "turn",
        /// A turn ended.
        End = "end",
        /// Somebody asked.
        Manual = "manual",
        /// A restore was about to write.
        Safety = "safety",
    }
}

words! {
    /// Whether a checkpoint can be used.
    CheckpointState {
        /// Its ref is not known to be there yet.
        Pending = "pending",
        /// It can be restored.
        Ready = "ready",
        /// Its ref is gone.
        Lost = "lost",
    }
}

words! {
    /// How far a restore is.
    Phase {
        /// The lease is taken and the backend stopped.
        Begun = "begun",
        /// The safety capture is pinned and nothing is in the way.
        Safe = "safe",
        /// The files are the target's.
        Files = "files",
        /// The index and head steps are over.
        Index = "index",
        /// The transcript is trimmed; the restore is committed.
        Done = "done",
        /// It was given up before anything was written.
        Refused = "refused",
        /// The files were put back.
        RolledBack = "rolled_back",
    }
}

impl Phase {
    /// Returns whether the restore still has to finish.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Begun | Self::Safe | Self::Files | Self::Index)
    }
}

words! {
    /// Which messages a restore trims.
    Trim {
        /// Those after the prompt.
        After = "after",
        /// The prompt, too.
        From = "from",
        /// None: files only.
        None = "none",
    }
}

words! {
    /// What a restore does with the branch.
    HeadMode {
        /// Leaves it.
        Keep = "keep",
        /// Moves it back.
        Restore = "restore",
    }
}

words! {
    /// Why an undo leaves the transcript as it is.
    TranscriptKept {
        /// Something was said since.
        SaidSince = "said_since",
        /// A later restore went back in it, and stands.
        LaterRestore = "later_restore",
        /// It was undone before.
        Undone = "undone",
        /// Retention has deleted messages that were to come back.
        Pruned = "pruned",
    }
}

/// A conversation that works in a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Session {
    /// Its name.
    pub id: SessionId,
    /// The worktree it works in.
    pub worktree_id: String,
    /// A title for people.
    pub title: String,
    /// What it does.
    pub state: SessionState,
    /// The turn that runs, or that a restore is about to stop.
    pub turn: Option<TurnId>,
    /// Grows with every restore that touches the transcript; output of an older one is dropped.
    pub generation: i64,
    /// The place of the next message.
    pub next_seq: i64,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
}

/// A session in a list of all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ListedSession {
    /// The session.
    #[serde(flatten)]
    pub session: Session,
    /// The root of its worktree.
    pub root: String,
    /// How many prompts its transcript holds, trimmed ones apart.
    pub turns: i64,
    /// When something was last said, else when the newest checkpoint was taken, else when it was made, in milliseconds
    /// since 1970.
    pub active_at: i64,
}

/// How much differs between two checkpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Changes {
    /// The earlier one.
    pub from: CheckpointId,
    /// The later one.
    pub to: CheckpointId,
    /// How many files differ; a renamed one counts once.
    pub files: u64,
    /// How many lines they gained, binary files apart.
    pub insertions: u64,
    /// How many lines they lost, binary files apart.
    pub deletions: u64,
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Message {
    /// Its name.
    pub id: MessageId,
    /// The session.
    pub session_id: SessionId,
    /// Its place, from 1.
    pub seq: i64,
    /// Who speaks: `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// How far it is: the output of a turn is settled when the turn ends. A prompt is whole at once; it fails with its turn.
    pub status: MessageStatus,
    /// The text, or the object or list that was sent.
    pub body: Body,
    /// What else was sent with it, as an object.
    pub extra: Option<Body>,
    /// Why the prompt has no checkpoint. A prompt with neither was interrupted before it was known.
    pub uncheckpointed: Option<String>,
    /// How much the turn of this prompt changed, from its first checkpoint to the one at its end.
    pub changes: Option<Changes>,
    /// Why that is not known though the turn is over.
    pub uncompared: Option<String>,
    /// How much had changed when the turn began since the newest turn, checkpoint or restore before it: outside any turn.
    pub outside: Option<Changes>,
    /// The restore that trimmed it.
    pub trimmed_by: Option<RestoreId>,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// Whether retention spares the checkpoints of the turn of this prompt.
    pub kept: bool,
}

/// One checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Checkpoint {
    /// Its name, and the name of its pin.
    pub id: CheckpointId,
    /// The session.
    pub session_id: SessionId,
    /// The worktree.
    pub worktree_id: String,
    /// Why it was taken.
    pub kind: Kind,
    /// Whether it can be used.
    pub state: CheckpointState,
    /// The message it belongs to; 0 before the first.
    pub anchor_seq: i64,
    /// The commit.
    pub commit_oid: Oid,
    /// The files.
    pub tree_oid: Oid,
    /// The index, where it can be given back.
    pub index_tree_oid: Option<Oid>,
    /// Why it cannot; not known of checkpoints from before this was noted.
    pub index_left: Option<IndexLeft>,
    /// The user's head.
    pub head_oid: Option<Oid>,
    /// The user's branch.
    pub head_ref: Option<String>,
    /// A label for people.
    pub label: String,
    /// What was not captured.
    pub uncovered: Vec<Uncovered>,
    /// The restore that hides it.
    pub retired_by: Option<RestoreId>,
    /// When it was taken, in milliseconds since 1970.
    pub created_at: i64,
}

/// How to restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RestoreOptions {
    /// Which messages to trim.
    pub trim: Trim,
    /// Whether the files are restored.
    pub files: bool,
    /// What happens to the branch.
    pub head: HeadMode,
    /// Whether a running backend is stopped.
    pub force: bool,
    /// Only these paths; empty means all.
    pub paths: Vec<RepoPath>,
    /// The restore that is undone, or the undo of one.
    pub undo_of: Option<RestoreId>,
    /// What was on disk when the plan was made that was agreed to; where that has changed, the restore is refused.
    pub seen: Option<Oid>,
    /// Whether that is an undo: what it had taken back is done again.
    pub redo: bool,
}

impl Default for RestoreOptions {
    fn default() -> Self {
        Self {
            trim: Trim::After,
            files: true,
            head: HeadMode::Keep,
            force: false,
            paths: Vec::new(),
            undo_of: None,
            seen: None,
            redo: false,
        }
    }
}

impl RestoreOptions {
    /// Returns whether the transcript and the backend are left alone.
    #[must_use]
    pub fn spares_transcript(&self) -> bool {
        self.trim == Trim::None || !self.paths.is_empty()
    }

    /// Returns whether a path is among those that are restored.
    #[must_use]
    pub fn covers(&self, path: &RepoPath) -> bool {
        self.paths.is_empty() || path.is_within_any(&self.paths)
    }
}

/// The journal of one restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Restore {
    /// Its name.
    pub id: RestoreId,
    /// The session.
    pub session_id: SessionId,
    /// The worktree.
    pub worktree_id: String,
    /// The target.
    pub checkpoint_id: CheckpointId,
    /// The first capture of what was there before.
    pub safety_id: Option<CheckpointId>,
    /// Names the request; the same name gives the same restore.
    pub request_key: String,
    /// What was asked.
    pub options: RestoreOptions,
    /// How far it is.
    pub phase: Phase,
    /// What is known of the result.
    pub result: RestoreOutcome,
    /// Why it stopped.
    pub error: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created_at: i64,
    /// When it last moved, in milliseconds since 1970.
    pub updated_at: i64,
}

impl Restore {
    /// Returns whether it is an undo: it brings back what a restore took.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        self.options.undo_of.is_some() && !self.options.redo
    }
}

/// What a restore answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RestoreOutcome {
    /// The target.
    pub checkpoint_id: String,
    /// How many messages were trimmed; for an undo, brought back.
    pub messages_deleted: u64,
    /// Whether the files are the target's.
    pub worktree_reset: bool,
    /// Whether the backend starts anew.
    pub backend_reset: bool,
    /// The restore's name, for an undo.
    pub restore_id: String,
    /// What was there before.
    pub safety_checkpoint_id: Option<String>,
    /// How many files were written.
    pub files_written: u64,
    /// How many files were deleted.
    pub files_deleted: u64,
    /// Files that stay as they are: the target does not prove them absent, or someone saved them meanwhile.
    pub kept: Vec<RepoPath>,
    /// Files that came back without the setuid, setgid or sticky bit that they had.
    pub bits_dropped: Vec<RepoPath>,
    /// `restored`, `unchanged`, `busy` or `kept`.
    pub index: String,
    /// `restored` or `kept`.
    pub head: String,
    /// Commits made since the target that the branch still has.
    pub commits_since: u64,
    /// What the target did not capture.
    pub uncovered: Vec<Uncovered>,
    /// Other sessions in the same worktree.
    pub other_sessions_affected: Vec<SessionId>,
    /// Files captured for the first time, because they were about to be overwritten, whose names look like places for
    /// secrets.
    pub secrets: Vec<RepoPath>,
    /// Why an undo left the transcript as it is, or brought back only a part of it.
    pub transcript_kept: Option<TranscriptKept>,
    /// The prompt, when it was trimmed, to be edited and sent again.
    pub prompt: Option<String>,
    /// The session's generation afterwards.
    pub generation: i64,
    /// The place of the next message when the restore was committed.
    pub next_seq: i64,
}
