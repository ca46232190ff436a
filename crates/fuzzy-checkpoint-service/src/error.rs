//! Why a checkpoint or a restore did not happen.

use fuzzy_checkpoint_store::{CheckpointId, RestoreId, SessionId, TurnId};

/// Tells why the service refused or failed. [`Error::code`] is stable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Passes on what the engine said.
    #[error(transparent)]
    Engine(#[from] fuzzy_checkpoint::Error),
    /// Passes on what the store said.
    #[error(transparent)]
    Store(fuzzy_checkpoint_store::Error),
    /// Reports a turn that runs.
    #[error("a turn of session {session} is running")]
    AgentRunning {
        /// The session.
        session: SessionId,
    },
    /// Reports a backend that was told to stop and did not confirm that it has.
    #[error("the agent of session {session} did not stop when it was told to")]
    NotStopped {
        /// The session.
        session: SessionId,
    },
    /// Reports output of a turn that was ended, or that a restore made a thing of the past. It was dropped.
    #[error("turn {turn} is over: what it says is not stored")]
    TurnOver {
        /// The turn.
        turn: TurnId,
    },
    /// Reports a restore of the worktree that is not finished.
    #[error("a restore of this worktree is in progress")]
    RestoreInProgress,
    /// Reports a checkpoint that the session does not have; one of another session is no different.
    #[error("session {session} has no checkpoint {checkpoint}")]
    NotInSession {
        /// The session.
        session: SessionId,
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// Reports a checkpoint that an earlier restore hid.
    #[error("checkpoint {checkpoint} lies after a restore and is hidden")]
    Retired {
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// Reports a checkpoint whose ref or objects are gone.
    #[error("checkpoint {checkpoint} is gone")]
    Lost {
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// Reports a restore that was refused before, asked for again by the same key.
    #[error("restore {restore} was refused: {reason}")]
    Refused {
        /// The restore.
        restore: RestoreId,
        /// What was said then.
        reason: String,
    },
    /// Reports a key that an earlier request for something else has taken.
    #[error("this key names another request, for another checkpoint or with other options")]
    KeyReused,
    /// Reports captures that failed several times in a row and are not tried for a while.
    #[error("captures failed {failures} times in a row; the next try is in {seconds} s")]
    BackedOff {
        /// How often.
        failures: u32,
        /// How long to wait, in seconds.
        seconds: u64,
    },
    /// Reports a request that makes no sense.
    #[error("{0}")]
    Invalid(&'static str),
    /// Reports a backend that failed.
    #[error("backend: {0}")]
    Backend(String),
}

impl Error {
    /// Returns the stable code of this kind of error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Engine(error) => error.code(),
            Self::Store(fuzzy_checkpoint_store::Error::Full) => "disk_full",
            Self::Store(_) => "store",
            Self::AgentRunning { .. } | Self::NotStopped { .. } => "agent_running",
            Self::TurnOver { .. } => "turn_over",
            Self::RestoreInProgress => "restore_in_progress",
            Self::NotInSession { .. } => "not_in_session",
            Self::Retired { .. } => "retired",
            Self::Lost { .. } => "lost",
            Self::Refused { .. } => "refused",
            Self::KeyReused => "key_reused",
            Self::BackedOff { .. } => "backed_off",
            Self::Invalid(_) => "invalid",
            Self::Backend(_) => "backend",
        }
    }
}

impl From<fuzzy_checkpoint_store::Error> for Error {
    fn from(error: fuzzy_checkpoint_store::Error) -> Self {
        match error {
            fuzzy_checkpoint_store::Error::TurnRuns(session) => Self::AgentRunning { session },
            fuzzy_checkpoint_store::Error::TurnOver(turn) => Self::TurnOver { turn },
            fuzzy_checkpoint_store::Error::Restoring => Self::RestoreInProgress,
            error => Self::Store(error),
        }
    }
}

/// Is what the service's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;
