//! Captures a git worktree byte for byte and restores it, without changing anything that the user can see.

mod capture;
mod capture_cache;
mod classify;
mod diff;
mod empty_dirs;
mod engine;
mod error;
pub mod failpoint;
mod files;
mod fs_capabilities;
mod git;
mod git_config_cache;
mod git_process;
mod hash;
mod head;
mod hunks;
mod identity;
mod index;
mod linked;
mod listing;
mod migrate;
mod modes;
mod objects;
mod permit;
mod pipes;
mod plan;
mod private;
mod recheck;
mod refs;
mod restore_index;
mod sidecar;
mod snapshot;
mod staged;
mod store;
mod tree_update;
mod trees;
mod unreadable;
mod walk;
mod worktree;
mod writing;

pub use diff::{Detail, Diff, DiffOptions};
pub use engine::{Engine, Removed};
pub use error::{Error, Result};
pub use fuzzy_report::checkpoint::{
    Change as Kind, Differing, HeadOutcome, IndexKept, IndexLeft, IndexOutcome, Oid, Patch, Reason, RepoPath, Uncovered,
};
pub use migrate::Moved;
pub use permit::{Permit, with_permit};
pub use plan::Plan;
pub use private::{Held, Locked};
pub use snapshot::{CaptureOptions, Snapshot};
pub use worktree::{Limits, Worktree};
pub use writing::Writing;
