//! Takes checkpoints of a session's turns and restores files, transcript and backend together.
//!
//! A restore is journaled: it is either refused before anything is written, or it finishes, at once or by
//! [`Checkpointer::recover`]. Files come first, because the last step, one transaction, is the point of no return for the
//! transcript: there is no moment at which messages are gone and files are not restored.

mod backend;
mod changes;
mod checkpointer;
mod doctor;
mod error;
mod files;
mod hunks;
mod local;
mod moved;
mod owner;
mod preview;
mod prune;
mod recover;
mod resets;
mod restore;
mod sessions;
pub mod text;
mod underway;
mod undo;

pub use backend::{Backend, NoBackend, ProcessBackend, Stopped};
pub use changes::{Side, Trees, TurnPart};
pub use checkpointer::{Checkpointer, CreateOptions, Created, Settings};
pub use error::{Error, Result};
pub use fuzzy_report::checkpoint::{
    Details, FileProgress, Health, Preview, PruneReport, Recovered, TurnChanges, WorktreeHealth,
};
pub use local::MANUAL;
pub use sessions::{ROLES, Turn};
pub use undo::Undoable;
