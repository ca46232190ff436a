//! Captures a git worktree byte for byte and puts it back, without touching what the user can see.

mod error;
pub mod failpoint;
mod oid;
mod path;

pub use error::{Error, Result};
pub use oid::Oid;
pub use path::RepoPath;
