//! What every surface tells of something that was refused or went wrong.

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_store::RestoreId;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Error;

/// Something that was refused or went wrong: a stable code, what it means here, and what to do next.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Problem {
    /// `failed`, to be told from a success at a glance.
    pub status: &'static str,
    /// The one word that names it.
    pub code: &'static str,
    /// What is wrong.
    pub message: Box<str>,
    /// What to do next.
    pub next_step: Box<str>,
    /// The paths that it is about, if it is about paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<RepoPath>,
    /// The restore that it is about, or that has to be finished first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore_id: Option<RestoreId>,
}

impl Problem {
    /// Makes one.
    pub fn new(code: &'static str, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let (message, next_step) = (message.into().into(), next_step.into().into());
        Self { status: "failed", code, message, next_step, paths: Vec::new(), restore_id: None }
    }

    /// Returns it with another next step: a surface knows its own commands.
    #[must_use]
    pub fn next(mut self, next_step: impl Into<String>) -> Self {
        self.next_step = next_step.into().into();
        self
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        let mut problem = Self::new(error.code(), error.to_string(), error.next_step());
        match error {
            Error::Engine(
                fuzzy_checkpoint::Error::Obstructed { paths } | fuzzy_checkpoint::Error::ChangedDuring { paths },
            ) => problem.paths.clone_from(paths),
            Error::Refused { restore, .. } => problem.restore_id = Some(restore.clone()),
            _ => {}
        }
        problem
    }
}

impl Error {
    /// Says what to do next, in words that hold on every surface.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Engine(error) => engine(error),
            Self::Store(fuzzy_checkpoint_store::Error::Full) => "Free some space and try again.",
            Self::Store(_) => "Check that the database is there and may be written.",
            Self::AgentRunning { .. } => "End the turn first, or restore with force, which stops it.",
            Self::NotStopped { .. } => "See that nothing of it writes any more, then end its turn and try again.",
            Self::TurnOver { .. } => {
                "Begin a new turn; the session says whether a restore made this one a thing of the past."
            }
            Self::RestoreInProgress => "Wait until it is done, and have it finished if its process has ended.",
            Self::NotInSession { .. } => "List the checkpoints of the session.",
            Self::Retired { .. } => "Undo the restore that hid it.",
            Self::Lost { .. } => "Choose another checkpoint.",
            Self::Refused { .. } => "Mend that, then restore anew.",
            Self::KeyReused => "Ask with a new key; the old one goes on naming what it named.",
            Self::BackedOff { .. } => "Mend the cause, or wait.",
            Self::Backend(_) => "Check the commands that stop and reset the agent.",
            Self::Invalid(_) => "Ask for something else.",
        }
    }
}

fn engine(error: &fuzzy_checkpoint::Error) -> &'static str {
    use fuzzy_checkpoint::Error;

    match error {
        Error::NotAWorktree { .. } => "Name a directory inside a git worktree, or make one with `git init`.",
        Error::DubiousOwnership { .. } => "If you trust its files, tell git so as it says.",
        Error::ProtectedDir { .. } => "Work in a repository of its own below this directory.",
        Error::TooLarge { .. } => "Ignore what need not be captured, build output for example, in .gitignore.",
        Error::Locked => "Wait until the other capture or restore has ended.",
        Error::Timeout { .. } => "Try again when the machine is less busy, or ignore large directories.",
        Error::Obstructed { .. } => "Move these away, then restore.",
        Error::ChangedDuring { .. } => "Stop what writes to the worktree, then try again.",
        Error::HeadMismatch { .. } => "Go back to where the checkpoint was taken, or leave the branch as it is.",
        Error::DiskFull { .. } => "Free some space and try again.",
        Error::Lost { .. } => "Choose another checkpoint.",
        Error::Git { .. } => "Mend what git says; `fuzzy-edit checkpoint doctor` looks for more.",
        _ => "Check that the directory is there and may be written; XDG_STATE_HOME names another state directory.",
    }
}
