//! Stores sessions, their messages, checkpoints and restores, and commits a restore in one transaction.
//!
//! [`CheckpointStore`] is the interface of a store. [`open()`] opens one: an `SQLite` file, or a Postgres server (feature
//! `postgres`). Statements, transactions and the tables are the same for both.

mod body;
mod contract;
mod db;
mod error;
mod file_names;
mod ids;
mod open;
mod records;
mod retention;
mod rows;
mod schema;
mod stack;
mod store;
mod ulid;

pub use body::Body;
pub use contract::CheckpointStore;
pub use error::{Error, Result};
pub use ids::{CheckpointId, MessageId, RestoreId, SessionId, TurnId};
pub use open::{in_memory, open, open_file};
pub use records::{
    BroughtBack, Changes, Checkpoint, CopyBack, HeadMode, KeptFile, Kind, LateFile, ListedSession, Message,
    MessageStatus, NotKept, Phase, Replaced, Restore, RestoreOptions, RestoreOutcome, Session, SessionState, Staged,
    StepNote, TakeBack, TranscriptKept, Trim, TurnRow, TurnStart,
};
pub use retention::{Retention, times_in_order};
pub use rows::{
    BeginOutcome, Content, ListFilter, NewRestore, Outline, Patch, TurnFilter, TurnNote, TurnPage, Untold, WorktreeRow,
};
pub use stack::transcript_kept;
pub use ulid::{now_ms, ulid, ulid_ms};
