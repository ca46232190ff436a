//! Captures a git worktree byte for byte and puts it back, without touching what the user can see.

mod apply;
mod capture;
mod engine;
mod error;
mod exist;
pub mod failpoint;
mod found;
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
pub use engine::{Engine, Removed};
pub use error::{Error, Result};
pub use found::CaptureOptions;
pub use fuzzy_report::checkpoint::{
    Change as Kind, Differing, HeadOutcome, IndexOutcome, Oid, Patch, Reason, RepoPath, Uncovered,
};
pub use plan::Plan;
pub use private::{Held, Locked};
pub use snapshot::Snapshot;
pub use worktree::{Limits, Worktree};
