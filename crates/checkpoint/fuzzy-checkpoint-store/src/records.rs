//! The records that a store keeps.

use fuzzy_checkpoint::{Gone, HeadOutcome, IndexKept, IndexLeft, IndexOutcome, Oid, RepoPath, Uncovered, words};
use serde::{Deserialize, Serialize};

use crate::{Body, CheckpointId, MessageId, RestoreId, SessionId, TurnId};

words! {
    /// The activity of a session.
    SessionState {
        /// Idle.
        Idle = "idle",
        /// A turn is running.
        Running = "running",
        /// A restore is running or waits for recovery; no turn may start.
        Restoring = "restoring",
    }
}

words! {
    /// The completeness of a message.
    MessageStatus {
        /// More text may follow.
        Streaming = "streaming",
        /// The text is complete.
        Complete = "complete",
        /// The turn failed; its prompt has this status too.
        Failed = "failed",
    }
}

words! {
    /// The occasion of a checkpoint.
    Kind {
        /// A turn began.
        Turn = "turn",
        /// A command of a turn was about to run in a shell.
        Step = "step",
        /// A turn ended.
        End = "end",
        /// A user requested it.
        Manual = "manual",
        /// A restore was about to write.
        Safety = "safety",
        /// A restore was planned: the files never had this state.
        Plan = "plan",
    }
}

words! {
    /// The progress of a restore.
    Phase {
        /// The restore has the lease, and the backend is stopped.
        Begun = "begun",
        /// The safety capture is pinned, and no path is in the way.
        Safe = "safe",
        /// The files have the target's content.
        Files = "files",
        /// The steps for index and head are finished.
        Index = "index",
        /// The transcript is trimmed; the restore is committed.
        Done = "done",
        /// The restore ended before it wrote anything.
        Refused = "refused",
        /// The files have their earlier content again.
        RolledBack = "rolled_back",
    }
}

impl Kind {
    /// Returns whether a restore took the checkpoint, so that lists of states leave it out.
    #[must_use]
    pub fn is_of_restore(self) -> bool {
        matches!(self, Self::Safety | Self::Plan)
    }
}

impl Phase {
    /// Returns whether the restore is unfinished.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Begun | Self::Safe | Self::Files | Self::Index)
    }
}

words! {
    /// The messages that a restore trims.
    Trim {
        /// Those after the prompt.
        After = "after",
        /// The prompt and those after it.
        From = "from",
        /// None: the restore only changes files.
        None = "none",
    }
}

words! {
    /// The treatment of the branch by a restore.
    HeadMode {
        /// Keeps the branch.
        Keep = "keep",
        /// Moves the branch back.
        Restore = "restore",
    }
}

words! {
    /// A verb that takes something back.
    TakeBack {
        /// The changes of turns are undone on the current files; all others stay.
        Revert = "revert",
        /// The files are restored to their state before a turn.
        Restore = "restore",
        /// A restore is undone: one of these, one of a checkpoint, or an undo.
        Undo = "undo",
    }
}

words! {
    /// The reason why an undo leaves the transcript unchanged.
    TranscriptKept {
        /// The session has newer messages.
        SaidSince = "said_since",
        /// A later restore trimmed the transcript further and is not undone.
        LaterRestore = "later_restore",
        /// The restore was already undone.
        Undone = "undone",
        /// Retention has deleted messages that the undo would bring back.
        Pruned = "pruned",
    }
}

/// A conversation that works in a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The worktree it works in.
    pub worktree_id: String,
    /// A title for people.
    pub title: String,
    /// The host whose hooks record the session; none if another program created it.
    pub host: Option<String>,
    /// The host and the first prompt of the session, or the title of a session without a host.
    pub name: String,
    /// Its activity.
    pub state: SessionState,
    /// The running turn, or the turn that a restore is about to stop.
    pub turn: Option<TurnId>,
    /// A counter that every restore of the transcript increments; output for an older generation is dropped.
    pub generation: i64,
    /// The sequence number of the next message.
    pub next_seq: i64,
    /// Its creation, in milliseconds since 1970.
    pub created_at: i64,
}

/// A session in a list of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ListedSession {
    /// The session.
    #[serde(flatten)]
    pub session: Session,
    /// The root of its worktree.
    pub root: String,
    /// The number of prompts in its transcript without the trimmed ones.
    pub turns: i64,
    /// The time of the last message, or else of the newest checkpoint, or else of the session's creation, in
    /// milliseconds since 1970.
    pub active_at: i64,
}

/// The size of the difference between two checkpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Changes {
    /// The earlier checkpoint.
    pub from: CheckpointId,
    /// The later checkpoint.
    pub to: CheckpointId,
    /// The number of files that differ; a renamed file counts once.
    pub files: u64,
    /// The number of added lines, without binary files.
    pub insertions: u64,
    /// The number of removed lines, without binary files.
    pub deletions: u64,
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// The session.
    pub session_id: SessionId,
    /// Its sequence number, from 1.
    pub seq: i64,
    /// The author: `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// Its completeness. The output of a turn gets its final status when the turn ends. A prompt is complete at once;
    /// it fails with its turn.
    pub status: MessageStatus,
    /// The text, object or list of the request.
    pub body: Body,
    /// The other members of the request, as an object.
    pub extra: Option<Body>,
    /// The reason why the prompt has no checkpoint. A prompt with neither a reason nor a checkpoint was interrupted
    /// during its capture.
    pub uncheckpointed: Option<String>,
    /// The size of the changes of this prompt's turn, from its first checkpoint to its last.
    pub changes: Option<Changes>,
    /// The reason why `changes` is unknown although the turn is over.
    pub uncompared: Option<String>,
    /// The size of the changes outside any turn: from the newest turn, checkpoint or restore before this turn to its
    /// start.
    pub outside: Option<Changes>,
    /// The restore that trimmed it.
    pub trimmed_by: Option<RestoreId>,
    /// Its creation, in milliseconds since 1970.
    pub created_at: i64,
    /// Whether retention keeps the checkpoints of this prompt's turn.
    pub kept: bool,
    /// The number of this prompt's turn in its worktree, from 1, which never changes; none for other messages.
    pub number: Option<i64>,
}

/// A turn of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRow {
    /// The prompt, which may be trimmed.
    pub prompt: Message,
    /// Its number in the worktree.
    pub number: i64,
    /// The place of its prompt in the order of the worktree.
    pub place: i64,
    /// The newest batch of edits in the writer's journal when it began.
    pub batch: Option<String>,
    /// The files that edit tools of the session named during the turn.
    pub edited: Vec<RepoPath>,
    /// The files that differ between its first and its last checkpoint, with both paths of a renamed one; none if they
    /// are not noted.
    pub files: Option<Vec<RepoPath>>,
    /// The place of the last state before its last change, if restores took place while it ran.
    pub wrote_after: Option<i64>,
    /// The place at which it ended, if that was recorded.
    pub ended: Option<i64>,
    /// The files that changed after its last action, if another event than its own end ended it.
    pub late: Vec<LateFile>,
}

/// A file that changed after the last action of an interrupted turn: the agent or the user may have changed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LateFile {
    /// The file.
    pub path: RepoPath,
    /// The time of its last change, in milliseconds since 1970, by the clock of the file system; of a deleted file that of
    /// its directory.
    pub changed_at: i64,
    /// Whether it was deleted.
    pub gone: bool,
    /// Whether the user decided that the change is not the turn's; none before a decision.
    pub kept: Option<bool>,
}

/// A turn of a worktree, reduced to its extent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnStart {
    /// Its number.
    pub number: i64,
    /// The place of its first checkpoint, or of its prompt if it has none.
    pub from: i64,
    /// The place after which it changed files for the last time, as far as restores need it: the largest number while it
    /// runs, and -1 if no restore took place while it ran.
    pub wrote_after: i64,
}

impl TurnRow {
    /// Returns whether its session was deleted: only its number, its times and the names of its files remain.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.prompt.session_id.0.is_empty()
    }
}

/// One checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Checkpoint {
    /// Its id, also the name of its pin.
    pub id: CheckpointId,
    /// The session.
    pub session_id: SessionId,
    /// The worktree.
    pub worktree_id: String,
    /// Its occasion.
    pub kind: Kind,
    /// The sequence number of its message; 0 before the first message.
    pub anchor_seq: i64,
    /// Its commit.
    pub commit_oid: Oid,
    /// The tree of its files.
    pub tree_oid: Oid,
    /// The tree of the index, if the index can be restored.
    pub index_tree_oid: Option<Oid>,
    /// The reason why the index cannot be restored; none also for checkpoints older than this field.
    pub index_left: Option<IndexLeft>,
    /// The commit of the user's head.
    pub head_oid: Option<Oid>,
    /// The user's branch.
    pub head_ref: Option<String>,
    /// A label for people.
    pub label: String,
    /// Paths that were not captured.
    pub uncovered: Vec<Uncovered>,
    /// The restore that hides it.
    pub retired_by: Option<RestoreId>,
    /// The newest batch of edits in the writer's journal when it was taken.
    #[serde(skip)]
    pub batch: Option<String>,
    /// The files that are kept beside the checkpoints; only a step and the end of a turn have it.
    #[serde(skip)]
    pub step: Option<StepNote>,
    /// Its place in the order of the worktree; the store sets it.
    #[serde(skip)]
    pub place: i64,
    /// Its creation, in milliseconds since 1970.
    pub created_at: i64,
}

/// A file that no checkpoint has, at one moment: it is ignored, or too large.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// The file.
    pub path: RepoPath,
    /// The SHA-256 of its content; none if nothing stood there.
    pub hash: Option<String>,
    /// Its permissions.
    pub mode: u32,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// A file or a directory that a command named and that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NotKept {
    /// The path; a directory ends with `/`.
    pub path: RepoPath,
    /// The reason.
    pub why: String,
    /// The number of files in it.
    pub files: u64,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// The record of a step, beside its checkpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepNote {
    /// Whether the command ran before the capture was complete.
    pub late: bool,
    /// The files of which a copy is kept, as they were.
    pub kept: Vec<KeptFile>,
    /// Those of the turn's earlier steps, as they were found at this moment.
    pub found: Vec<KeptFile>,
    /// The paths that the command named and that have no copy.
    pub not_kept: Vec<NotKept>,
}

/// The options of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the journal, and they combine freely")]
pub struct RestoreOptions {
    /// The messages to trim.
    pub trim: Trim,
    /// Whether to restore the files.
    pub files: bool,
    /// The treatment of the branch.
    pub head: HeadMode,
    /// Whether to stop a running backend.
    pub force: bool,
    /// The paths to restore; empty means all.
    pub paths: Vec<RepoPath>,
    /// The restore to undo, or the undo to redo.
    pub undo_of: Option<RestoreId>,
    /// The tree of the files on disk when the user agreed to the plan; the restore is rejected if the files changed
    /// since.
    pub seen: Option<Oid>,
    /// Whether `undo_of` is an undo, to be redone.
    pub redo: bool,
    /// The verb that takes turns back, if this restore does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verb: Option<TakeBack>,
    /// The numbers of the turns that it takes back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<i64>,
    /// Whether only parts of these turns are taken back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
    /// The files of these turns that are taken back as a whole, if only parts of the turns are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub took: Vec<RepoPath>,
    /// The changes while these turns ran that are left alone, because other turns may have made them: the file, and the
    /// place of the state before the change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<(RepoPath, i64)>,
    /// The files of which only some hunks or lines are taken back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RepoPath>,
    /// The treatment of the staged changes.
    #[serde(skip_serializing_if = "Staged::is_all")]
    pub staged: Staged,
    /// The files that are brought back from copies beside the checkpoints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schemars", schemars(skip))]
    pub copies: Vec<CopyBack>,
}

/// The treatment of the staged changes by a restore.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Staged {
    /// They are restored with all files, and left alone with some.
    #[default]
    All,
    /// They are restored if the staged tree is still this one.
    From(Oid),
    /// The target has the same.
    Same,
    /// They are left alone for this reason.
    Kept(IndexKept),
}

impl Staged {
    /// Returns whether they are restored with all files.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// A file to bring back from its copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyBack {
    /// The file.
    pub path: RepoPath,
    /// The SHA-256 of its content, which names the copy.
    pub hash: String,
    /// Its permissions.
    pub mode: u32,
    /// The contents that it may replace; anything else stays.
    pub replaces: Vec<String>,
}

/// A file that was brought back from its copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct BroughtBack {
    /// The file.
    pub path: RepoPath,
    /// The SHA-256 of the content that it has now.
    pub hash: String,
    /// The content that it replaced, of which a copy is kept, too; none if nothing stood there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Replaced>,
}

/// A content that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Replaced {
    /// Its SHA-256.
    pub hash: String,
    /// Its permissions.
    pub mode: u32,
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
            verb: None,
            turns: Vec::new(),
            partly: false,
            took: Vec::new(),
            left: Vec::new(),
            parts: Vec::new(),
            staged: Staged::All,
            copies: Vec::new(),
        }
    }
}

impl RestoreOptions {
    /// Returns whether the restore leaves transcript and backend alone.
    #[must_use]
    pub fn spares_transcript(&self) -> bool {
        self.trim == Trim::None || !self.paths.is_empty()
    }

    /// Returns whether the restore includes a path.
    #[must_use]
    pub fn covers(&self, path: &RepoPath) -> bool {
        self.paths.is_empty() || path.is_within_any(&self.paths)
    }
}

/// The journal of one restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Restore {
    /// Its id.
    pub id: RestoreId,
    /// The session.
    pub session_id: SessionId,
    /// The worktree.
    pub worktree_id: String,
    /// The target checkpoint.
    pub checkpoint_id: CheckpointId,
    /// The first capture of the state before the restore.
    pub safety_id: Option<CheckpointId>,
    /// The key of the request; a second request with the same key returns the same restore.
    pub request_key: String,
    /// The requested options.
    pub options: RestoreOptions,
    /// The newest batch of edits in the writer's journal when it began: that batch and all older ones were written
    /// before it.
    #[serde(skip)]
    pub batch: Option<String>,
    /// The place of its target in the order of the worktree; none if the target is a plan.
    #[serde(skip)]
    pub moment: Option<i64>,
    /// The place at which it began.
    #[serde(skip)]
    pub begun: i64,
    /// The place at which it was done; 0 before that.
    #[serde(skip)]
    pub place: i64,
    /// Its progress.
    pub phase: Phase,
    /// The result so far.
    pub result: RestoreOutcome,
    /// The reason why it stopped.
    pub error: Option<String>,
    /// Its start, in milliseconds since 1970.
    pub created_at: i64,
    /// Its last progress, in milliseconds since 1970.
    pub updated_at: i64,
}

impl Restore {
    /// Returns whether this is an undo, not a redo.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        self.options.undo_of.is_some() && !self.options.redo
    }
}

/// The response to a restore.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RestoreOutcome {
    /// The target checkpoint.
    pub checkpoint_id: String,
    /// The number of trimmed messages; for an undo, of messages brought back.
    pub messages_deleted: u64,
    /// Whether the files have the target's content.
    pub worktree_reset: bool,
    /// Whether the backend restarts.
    pub backend_reset: bool,
    /// The id of the restore, to undo it.
    pub restore_id: String,
    /// The checkpoint of the state before the restore.
    pub safety_checkpoint_id: Option<String>,
    /// The number of written files.
    pub files_written: u64,
    /// The number of deleted files.
    pub files_deleted: u64,
    /// The number of files that are renamed and not changed: each is one of the written and one of the deleted files.
    pub files_renamed: u64,
    /// Files left unchanged: the target does not prove them absent, or another program saved them meanwhile.
    pub kept: Vec<RepoPath>,
    /// Files that no checkpoint has, and that were brought back from copies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brought_back: Vec<BroughtBack>,
    /// Files written without the setuid, setgid or sticky bit that they had.
    pub bits_dropped: Vec<RepoPath>,
    /// Paths that belong to the target, are not there, and that no checkpoint has. They cannot be brought back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// Its effect on the index.
    pub index: IndexOutcome,
    /// The reason why the index was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_kept: Option<IndexKept>,
    /// Its effect on the branch.
    pub head: HeadOutcome,
    /// Commits made since the target that the branch still has.
    pub commits_since: u64,
    /// The branch of the target, if another branch or none is checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_branch: Option<String>,
    /// Paths that the target did not capture.
    pub uncovered: Vec<Uncovered>,
    /// Other sessions in the same worktree.
    pub other_sessions_affected: Vec<SessionId>,
    /// Files that were captured for the first time, because the restore was about to overwrite them, and whose names
    /// look like secrets.
    pub secrets: Vec<RepoPath>,
    /// The reason why an undo left the transcript unchanged or brought back only a part of it.
    pub transcript_kept: Option<TranscriptKept>,
    /// The prompt, if it was trimmed, for the user to edit and resend.
    pub prompt: Option<String>,
    /// The session's generation after the restore.
    pub generation: i64,
    /// The sequence number of the next message when the restore was committed.
    pub next_seq: i64,
}

impl RestoreOutcome {
    /// Returns the numbers of written, renamed and deleted files. A renamed file counts once.
    #[must_use]
    pub const fn counted(&self) -> [u64; 3] {
        let renamed = self.files_renamed;
        [self.files_written.saturating_sub(renamed), renamed, self.files_deleted.saturating_sub(renamed)]
    }
}
