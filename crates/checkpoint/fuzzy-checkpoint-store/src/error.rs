//! Why a store fails.

use crate::{SessionId, TurnId};

/// Why a store did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A row is not there.
    #[error("no such {what}: {id}")]
    Missing {
        /// The kind of row.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// A row is no longer as the caller believed.
    #[error("{what} changed meanwhile")]
    Conflict {
        /// The kind of row.
        what: &'static str,
    },
    /// A turn of the session runs.
    #[error("a turn of session {0} is running")]
    TurnRuns(SessionId),
    /// The turn is no longer the session's running one: it was ended, or a restore went back to before it.
    #[error("turn {0} is over")]
    TurnOver(TurnId),
    /// A restore of the worktree is not finished.
    #[error("a restore of this worktree is in progress")]
    Restoring,
    /// A newer version of this program made the database.
    #[error("the database has version {found}, this program knows {known}: use the newer program")]
    Newer {
        /// The database's.
        found: i64,
        /// The program's.
        known: i64,
    },
    /// The database has no space left.
    #[error("database: no space left")]
    Full,
    /// Another program writes to the database, and has not ended in time.
    #[error("another program is writing to the database")]
    Busy,
    /// The file is no database of this program.
    #[error("the database cannot be used: {0}")]
    Unusable(&'static str),
    /// The database failed.
    #[error("database: {0}")]
    Database(String),
}

/// What a store's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;
