//! Takes checkpoints of a session's turns and restores files, transcript and backend together.
//!
//! A restore is journaled: either it is refused before it writes anything, or it finishes, at once or by
//! [`Checkpointer::recover`]. It restores the files first. The last step is one transaction that trims the transcript,
//! so messages never disappear before the files are restored.

mod answers;
mod backend;
mod backend_resets;
mod changes;
mod checkpointer;
mod doctor;
mod error;
mod facts;
mod files;
mod forget;
pub mod gate;
mod hunks;
mod keep_borrowed;
mod kept;
mod late;
mod late_change;
mod local;
mod losses;
mod operations;
mod owner;
mod preview;
mod progress;
mod prune;
mod recover;
mod relocate;
mod restore;
mod sessions;
mod spans;
mod steps;
mod submodules;
mod take_back;
pub mod text;
mod timeline;
mod turn_list;
mod turn_log;
mod turn_page;
mod turn_plan;
mod undo;

pub use answers::{Details, FileProgress, Health, Preview, PruneReport, Recovered, TurnChanges, WorktreeHealth};
pub use backend::{Backend, NoBackend, ProcessBackend, Stopped};
pub use changes::{Side, Trees, TurnPart};
pub use checkpointer::{Checkpointer, CreateOptions, Created, Settings};
pub use error::{Error, OfCheckpoint, Result};
pub use facts::Facts;
pub use forget::Forgotten;
pub use keep_borrowed::MAX_BORROWED;
pub use late_change::{LateChange, LateChoice};
pub use local::MANUAL;
pub use operations::{Batch, Operation, Operations, Source};
pub use relocate::{Happened, OtherPlace};
pub use sessions::{ROLES, Turn};
pub use steps::{NewStep, TurnStep};
pub use submodules::MovedSubmodule;
pub use timeline::Origin;
pub use turn_list::{ListedTurn, TurnState};
pub use turn_log::{BisectState, Blame, BlamedLine, BlamedTurn, TurnShow};
pub use turn_page::{PagedTurn, SMALL_DIFF, TurnsPage};
pub use turn_plan::{LeftFile, PlannedFile, TakeBackOptions, TurnConflict, TurnPlan};
