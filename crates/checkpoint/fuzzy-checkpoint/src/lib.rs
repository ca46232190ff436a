//! Captures a git worktree byte for byte and puts it back, without touching what the user can see.

mod again;
mod asked;
mod bare;
mod capture;
mod closed;
mod diff;
mod engine;
mod error;
pub mod failpoint;
mod files;
mod git;
mod hash;
mod head;
mod hunks;
mod identity;
mod index;
mod linked;
mod listing;
mod modes;
mod objects;
mod pipes;
mod place;
mod plan;
mod private;
mod probe;
mod refs;
mod retree;
mod session;
mod sidecar;
mod snapshot;
mod sort;
mod staged;
mod trees;
mod users;
mod walk;
mod warm;
mod worktree;
mod writing;

pub use diff::{Detail, Diff, DiffOptions};
pub use engine::{Engine, Removed};
pub use error::{Error, Result};
pub use fuzzy_report::checkpoint::{
    Change as Kind, Differing, HeadOutcome, IndexKept, IndexLeft, IndexOutcome, Oid, Patch, Reason, RepoPath, Uncovered,
};
pub use place::{Place, in_place};
pub use plan::Plan;
pub use private::{Held, Locked};
pub use snapshot::{CaptureOptions, Snapshot};
pub use worktree::{Limits, Worktree};
pub use writing::Writing;
