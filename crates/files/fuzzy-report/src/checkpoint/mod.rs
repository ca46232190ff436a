//! Request and response types of checkpoints: sessions, messages, checkpoints, restores.

mod answers;
mod body;
mod capture;
mod ids;
mod oid;
mod path;
mod records;

pub use answers::{Details, FileProgress, Health, Preview, PruneReport, Recovered, TurnChanges, WorktreeHealth};
pub use body::Body;
pub use capture::{Change, Differing, HeadOutcome, IndexKept, IndexLeft, IndexOutcome, Patch, Reason, Uncovered};
pub use ids::{CheckpointId, MessageId, RestoreId, SessionId, TurnId};
pub use oid::Oid;
pub use path::RepoPath;
pub use records::{
    Changes, Checkpoint, CheckpointState, HeadMode, Kind, ListedSession, Message, MessageStatus, Phase, Restore,
    RestoreOptions, RestoreOutcome, Session, SessionState, TranscriptKept, Trim,
};
