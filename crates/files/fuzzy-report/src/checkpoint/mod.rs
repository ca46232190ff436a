//! What is asked of checkpoints and what is answered: sessions, messages, checkpoints, restores.

mod answers;
mod capture;
mod ids;
mod oid;
mod path;
mod records;
mod said;

pub use answers::{Details, FileProgress, Health, Preview, PruneReport, Recovered, TurnChanges, WorktreeHealth};
pub use capture::{Change, Differing, HeadOutcome, IndexKept, IndexLeft, IndexOutcome, Patch, Reason, Uncovered};
pub use ids::{CheckpointId, MessageId, RestoreId, SessionId, TurnId};
pub use oid::Oid;
pub use path::RepoPath;
pub use records::{
    Changes, Checkpoint, CheckpointState, HeadMode, Kind, ListedSession, Message, MessageStatus, Phase, Restore,
    RestoreOptions, RestoreOutcome, Session, SessionState, TranscriptKept, Trim,
};
pub use said::Body;
