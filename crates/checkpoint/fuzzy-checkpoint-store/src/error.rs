//! The store's errors.

use crate::{SessionId, TurnId};

/// The reason why a store operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A row is missing.
    #[error("no such {what}: {id}")]
    Missing {
        /// The kind of row.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// A row changed since the caller read it.
    #[error("{what} changed meanwhile")]
    Conflict {
        /// The kind of row.
        what: &'static str,
    },
    /// A turn of the session is running.
    #[error("a turn of session {0} is running")]
    TurnRuns(SessionId),
    /// The turn is no longer the session's running one: it was ended, or a restore went back to an earlier state.
    #[error("turn {0} is over")]
    TurnOver(TurnId),
    /// A restore of the worktree is unfinished.
    #[error("a restore of this worktree is in progress")]
    Restoring,
    /// Another version of this program created the database.
    #[error("the database has version {found}, and this program uses version {known}")]
    OtherVersion {
        /// The version of the database.
        found: i64,
        /// The version that this program uses.
        known: i64,
    },
    /// The database has no space left.
    #[error("database: no space left")]
    Full,
    /// Another program writes to the database and did not finish in time.
    #[error("another program is writing to the database")]
    Busy,
    /// The file is not a usable database of this program.
    #[error("the database cannot be used: {0}")]
    Unusable(&'static str),
    /// The database failed.
    #[error("database: {0}")]
    Database(String),
}

/// The result of the store's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;
