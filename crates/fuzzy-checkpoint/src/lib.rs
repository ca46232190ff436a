//! Captures a git worktree byte for byte and puts it back, without touching what the user can see.

mod apply;
mod capture;
mod error;
mod exist;
pub mod failpoint;
mod git;
mod hash;
mod listing;
mod oid;
mod path;
mod plan;
mod private;
mod refs;
mod snapshot;
mod sort;
mod users;
mod walk;
mod warm;
mod worktree;

pub use apply::{Diff, Differing, Kind, Patch};
pub use capture::CaptureOptions;
pub use error::{Error, Result};
pub use oid::Oid;
pub use path::RepoPath;
pub use plan::Plan;
pub use private::{Held, Locked};
pub use refs::Removed;
pub use snapshot::{Reason, Snapshot, Uncovered};
pub use users::{HeadOutcome, IndexOutcome};
pub use worktree::{Engine, Limits, Worktree};
