//! Captures a git worktree byte for byte and puts it back, without touching what the user can see.

mod apply;
mod capture;
mod error;
mod exist;
pub mod failpoint;
mod git;
mod hash;
mod listing;
mod plan;
mod private;
mod refs;
mod snapshot;
mod sort;
mod users;
mod walk;
mod warm;
mod worktree;

pub use apply::Diff;
pub use capture::CaptureOptions;
pub use error::{Error, Result};
pub use fuzzy_report::checkpoint::{
    Change as Kind, Differing, HeadOutcome, IndexOutcome, Oid, Patch, Reason, RepoPath, Uncovered,
};
pub use plan::Plan;
pub use private::{Held, Locked};
pub use refs::Removed;
pub use snapshot::Snapshot;
pub use worktree::{Engine, Limits, Worktree};
