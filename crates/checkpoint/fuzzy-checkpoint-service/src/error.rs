//! The service's errors: why a checkpoint or a restore failed.

use fuzzy_checkpoint::{Error as Engine, RepoPath};
use fuzzy_checkpoint_store::{CheckpointId, RestoreId, SessionId, TurnId};
use fuzzy_report::{Code, Details, Failure, Surface};
use serde::Serialize;

use crate::late_change::{LateChange, late};

/// The reason why the service refused or failed. [`Error::code`] is stable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Passes on an error of the engine.
    #[error(transparent)]
    Engine(#[from] Engine),
    /// Passes on an error of the store.
    #[error(transparent)]
    Store(fuzzy_checkpoint_store::Error),
    /// Reports a running turn.
    #[error("a turn of session {session} is running")]
    AgentRunning {
        /// The session.
        session: SessionId,
    },
    /// Reports files that changed after the confirmed plan was made.
    #[error("{} changed since the plan was made", names(paths))]
    PlanChanged {
        /// The files, as far as they are known.
        paths: Vec<RepoPath>,
    },
    /// Reports files that changed while a restore wrote them. The restore has to be finished or aborted.
    #[error("{}", Engine::ChangedDuring { paths: paths.clone() })]
    ChangedDuring {
        /// The restore.
        restore: RestoreId,
        /// The files.
        paths: Vec<RepoPath>,
    },
    /// Reports a turn that a restore removed from the transcript.
    #[error("turn {turn} was taken back by restore {restore}")]
    TakenBack {
        /// The turn.
        turn: TurnId,
        /// The restore.
        restore: RestoreId,
    },
    /// Reports a backend that did not confirm that it stopped.
    #[error("the agent of session {session} did not stop")]
    NotStopped {
        /// The session.
        session: SessionId,
    },
    /// Reports output of a turn that was ended, or that a restore removed. The output was dropped.
    #[error("turn {turn} is over: its output is not stored")]
    TurnOver {
        /// The turn.
        turn: TurnId,
    },
    /// Reports an unfinished restore of the worktree.
    #[error("a restore of this worktree is in progress")]
    RestoreInProgress,
    /// Reports a checkpoint that the session does not have. Checkpoints of other sessions get the same error.
    #[error("session {session} has no checkpoint {checkpoint}")]
    NotInSession {
        /// The session.
        session: SessionId,
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// Reports a checkpoint that an earlier restore hid.
    #[error("checkpoint {checkpoint} is hidden: restore {restore} went back to an earlier state")]
    Retired {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// The restore.
        restore: RestoreId,
    },
    /// Reports a worktree without any record.
    #[error("this project has no turns and no checkpoints yet")]
    NoRecords,
    /// Reports a number that no turn of the worktree has.
    #[error("there is no turn {number}")]
    NoTurn {
        /// The number.
        number: i64,
    },
    /// Reports a number that no step of a turn has.
    #[error("turn {number} has no step {step}")]
    NoStep {
        /// The number of the turn.
        number: i64,
        /// That of the step.
        step: usize,
    },
    /// Refuses to forget a turn that is running.
    #[error("turn {number} is running")]
    TurnRunning {
        /// The number.
        number: i64,
    },
    /// Reports that no turn is left whose changes can be taken back.
    #[error("there is no turn whose changes can be taken back")]
    NoneLeft,
    /// Reports that no restore is left to undo.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Reports a restore that is undone already.
    #[error("{restore} is undone already, by {by}")]
    Undone {
        /// The restore.
        restore: RestoreId,
        /// The restore that undid it.
        by: RestoreId,
    },
    /// Reports a turn whose changes cannot be told from others.
    #[error("the changes of turn {number} are unknown: {reason}")]
    Unbounded {
        /// The number of the turn.
        number: i64,
        /// The reason.
        reason: String,
    },
    /// Reports changes of turns that conflict with later ones. Nothing was written.
    #[error("{} changed in the same lines since", names(paths))]
    Conflicts {
        /// The files.
        paths: Vec<RepoPath>,
    },
    /// Reports files that changed after the last action of an interrupted turn: they may be the user's. Nothing was
    /// written.
    #[error("{}", late(changes))]
    LateChanges {
        /// The files.
        changes: Vec<LateChange>,
    },
    /// Reports a checkpoint whose record or objects are surely gone.
    #[error("checkpoint {checkpoint} is gone")]
    Lost {
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// Reports that an earlier request with the same key was refused.
    #[error("restore {restore} was refused: {reason}")]
    Refused {
        /// The restore.
        restore: RestoreId,
        /// The reason given then.
        reason: String,
    },
    /// Reports a key that an earlier, different request used.
    #[error("this key belongs to another request, for another checkpoint or with other options")]
    KeyReused,
    /// Reports that captures failed several times in a row and are delayed.
    #[error("captures failed {failures} times in a row; the next try is in {seconds} s")]
    BackedOff {
        /// The number of failures.
        failures: u32,
        /// The delay, in seconds.
        seconds: u64,
    },
    /// Reports a request that is not valid.
    #[error("{0}")]
    Invalid(&'static str),
    /// Reports a backend that failed.
    #[error("backend: {0}")]
    Backend(String),
}

impl Error {
    /// Returns the error for a record that the store does not have.
    pub(crate) fn missing(what: &'static str, id: &str) -> Self {
        Self::Store(fuzzy_checkpoint_store::Error::Missing { what, id: id.to_owned() })
    }

    /// Returns the code of this kind of error.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Engine(error) => engine_code(error),
            Self::Store(fuzzy_checkpoint_store::Error::Full) => Code::DiskFull,
            Self::Store(fuzzy_checkpoint_store::Error::Busy) => Code::Busy,
            Self::PlanChanged { .. } => Code::PlanChanged,
            Self::ChangedDuring { .. } => Code::ChangedDuring,
            Self::Store(_) => Code::Store,
            Self::AgentRunning { .. } | Self::TurnRunning { .. } | Self::NotStopped { .. } => Code::AgentRunning,
            Self::TurnOver { .. } | Self::TakenBack { .. } => Code::TurnOver,
            Self::RestoreInProgress => Code::RestoreInProgress,
            Self::NotInSession { .. }
            | Self::NoRecords
            | Self::NoTurn { .. }
            | Self::NoStep { .. }
            | Self::NoneLeft
            | Self::Unbounded { .. } => Code::NotInSession,
            Self::Conflicts { .. } => Code::Conflict,
            Self::LateChanges { .. } => Code::LateChanges,
            Self::Retired { .. } => Code::Retired,
            Self::Lost { .. } => Code::Lost,
            Self::Refused { .. } => Code::Refused,
            Self::KeyReused => Code::KeyReused,
            Self::BackedOff { .. } => Code::BackedOff,
            Self::Invalid(_) | Self::NothingToUndo | Self::Undone { .. } => Code::Invalid,
            Self::Backend(_) => Code::Backend,
        }
    }

    /// Returns one sentence with the next step, in the terms of an interface.
    #[must_use]
    pub fn next_step(&self, surface: Surface) -> &'static str {
        use Surface::{Command, Server, Tools};
        use fuzzy_checkpoint_store::Error as Store;
        match (self, surface) {
            (Self::Engine(error), _) => engine_step(error, surface),
            (Self::ChangedDuring { .. }, _) => engine_step(&Engine::ChangedDuring { paths: Vec::new() }, surface),
            (Self::PlanChanged { .. }, Command) => "Nothing was changed. Look at the plan again.",
            (Self::PlanChanged { .. }, Server) => "Nothing was changed. Request the plan again and send its `tree`.",
            (Self::RestoreInProgress, Command) => "Finish it with `fuzzy-edit checkpoint recover`.",
            (Self::RestoreInProgress, Tools) => "Wait until the other capture or restore has ended, then try again.",
            (Self::RestoreInProgress, Server) => "Wait until it ends; if its process has ended, request its recovery.",
            (Self::NotInSession { .. }, Command) => "See `fuzzy-edit checkpoint list --all`.",
            (Self::NotInSession { .. }, Tools) => "Use a checkpoint that checkpoint_list shows.",
            (Self::NotInSession { .. }, Server) => "List the checkpoints of the session.",
            (Self::Retired { .. } | Self::Lost { .. }, Tools) => "Choose another one from checkpoint_list.",
            (Self::Retired { .. }, Command) => "To restore only its files, add --files-only.",
            (Self::Retired { .. }, Server) => "To restore only its files, use trim `none`.",
            (Self::Lost { .. }, Command) => "Choose another: `fuzzy-edit checkpoint list`.",
            (Self::Lost { .. }, Server) => "Choose another checkpoint.",
            (
                Self::Store(_)
                | Self::PlanChanged { .. }
                | Self::TakenBack { .. }
                | Self::NoTurn { .. }
                | Self::NoStep { .. }
                | Self::NoneLeft
                | Self::NothingToUndo
                | Self::Undone { .. }
                | Self::Unbounded { .. }
                | Self::Conflicts { .. }
                | Self::LateChanges { .. }
                | Self::AgentRunning { .. }
                | Self::TurnRunning { .. }
                | Self::NotStopped { .. }
                | Self::TurnOver { .. }
                | Self::Refused { .. }
                | Self::KeyReused
                | Self::BackedOff { .. }
                | Self::Invalid(_)
                | Self::Backend(_),
                Tools,
            ) => Surface::ASK_THE_USER,
            (Self::NoRecords, Command) => {
                "`fuzzy-edit init` configures hosts to record turns, and `fuzzy-edit checkpoint create` takes a checkpoint."
            }
            (Self::NoRecords, Tools) => "Take one with checkpoint_create.",
            (Self::NoRecords, Server) => "Begin a turn in it.",
            (Self::NoTurn { .. } | Self::NoneLeft, Command) => "`fuzzy-edit turns` lists all turns.",
            (Self::NoTurn { .. } | Self::NoneLeft | Self::NoStep { .. }, Server) => "List the turns of the worktree.",
            (Self::NoStep { .. }, Command) => "`fuzzy-edit turns show N` lists the steps of a turn.",
            (Self::NothingToUndo, Command) => "`fuzzy-edit undo --list` lists all operations.",
            (Self::NothingToUndo, Server) => "The history of a session has its restores.",
            (Self::Undone { .. }, _) => "To repeat it, undo that one.",
            (Self::Unbounded { .. }, Command) => {
                "Restore the state before a turn instead: `fuzzy-edit turns restore --help`."
            }
            (Self::Unbounded { .. }, Server) => "Restore the state before a turn instead: verb `restore`.",
            (Self::Conflicts { .. }, Command) => {
                "Nothing was changed. Add --keep-going to take back the other files; --dry-run lists the lines."
            }
            (Self::Conflicts { .. }, Server) => {
                "Nothing was changed. Request the plan for the lines, or add `keep_going` for the other files."
            }
            (Self::LateChanges { .. }, Command) => {
                "Nothing was changed. Add --late to take these changes back, too, or --keep-late to keep them."
            }
            (Self::LateChanges { .. }, Server) => {
                "Nothing was changed. Add `late`: `take` takes these changes back, too, `keep` keeps them."
            }
            (Self::TakenBack { .. }, _) => "Undo that restore to get the turn back.",
            (Self::Store(Store::Busy), _) => "Try again.",
            (Self::Store(Store::Unusable(_)), Command) => {
                "Move it away, or choose another with --database; `fuzzy-edit checkpoint doctor --adopt-refs` recovers the checkpoints of a repository."
            }
            (Self::Store(Store::Full), _) => "Free some space and try again.",
            (Self::Store(Store::OtherVersion { .. }), Command) => {
                "Nothing was changed. Use the program of that version, or choose another database with --database."
            }
            (Self::Store(_), Command) => {
                "Check that the database and its directory exist and are writable, or choose another with --database."
            }
            (Self::Store(_), Server) => "Check that the database exists and is writable.",
            (Self::AgentRunning { .. }, Command) => {
                "End the turn first, or add --force; --stop-command ends it for you."
            }
            (Self::AgentRunning { .. }, Server) => "End the turn first, or restore with force, which stops it.",
            (Self::TurnRunning { .. }, Command) => "Nothing was deleted. End it first: `fuzzy-edit turns end`.",
            (Self::TurnRunning { .. }, Server) => "Nothing was deleted. End it first.",
            (Self::NotStopped { .. }, _) => {
                "Make sure that the agent no longer writes, then end its turn and try again."
            }
            (Self::TurnOver { .. }, _) => "Begin a new turn. The session shows whether a restore removed this one.",
            (Self::Refused { .. }, _) => "Fix the cause, then restore again.",
            (Self::KeyReused, _) => "Use a new key; the old one still names the earlier request.",
            (Self::BackedOff { .. }, _) => "Fix the cause, or wait.",
            (Self::Invalid(_), Command) => "Read `fuzzy-edit checkpoint --help`.",
            (Self::Invalid(_), Server) => "Change the request.",
            (Self::Backend(_), Command) => "Check --stop-command and --reset-command.",
            (Self::Backend(_), Server) => "Check the commands that stop and reset the agent.",
        }
    }

    /// Returns the failure that an interface reports.
    #[must_use]
    pub fn failure(&self, surface: Surface) -> Failure<OfCheckpoint> {
        let mut failure: Failure<OfCheckpoint> = Failure::of(self.code(), self.to_string(), self.next_step(surface));
        match self {
            Self::Engine(
                Engine::Obstructed { paths, .. } | Engine::ChangedDuring { paths } | Engine::NoSuchPath { paths },
            )
            | Self::PlanChanged { paths }
            | Self::Conflicts { paths } => failure.details.paths.clone_from(paths),
            Self::LateChanges { changes } => {
                failure.details.paths = changes.iter().map(|change| change.file.path.clone()).collect();
            }
            Self::Engine(Engine::NoSuchPart { path }) => failure.details.paths = vec![path.clone()],
            Self::ChangedDuring { restore, paths } => {
                failure.details.paths.clone_from(paths);
                failure.details.restore_id = Some(restore.clone());
            }
            Self::Refused { restore, .. } => failure.details.restore_id = Some(restore.clone()),
            _ => {}
        }
        failure
    }
}

/// The details of a failure of a checkpoint, a restore or a request to a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OfCheckpoint {
    /// The paths that the failure is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<RepoPath>,
    /// The restore that the failure is about, or that must finish first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore_id: Option<RestoreId>,
}

impl Details for OfCheckpoint {}

/// Returns the code of an error of the engine.
const fn engine_code(error: &Engine) -> Code {
    match error {
        Engine::NotAWorktree { .. } => Code::NotAWorktree,
        Engine::DubiousOwnership { .. } => Code::DubiousOwnership,
        Engine::ProtectedDir { .. } => Code::ProtectedDir,
        Engine::TooLarge { .. } => Code::TooLarge,
        Engine::Locked => Code::Locked,
        Engine::Timeout { .. } => Code::Timeout,
        Engine::Obstructed { .. } => Code::Obstructed,
        Engine::ChangedDuring { .. } => Code::ChangedDuring,
        Engine::NoSuchPath { .. } | Engine::NoSuchPart { .. } => Code::Missing,
        Engine::HeadMismatch { .. } => Code::HeadMismatch,
        Engine::DiskFull { .. } => Code::DiskFull,
        Engine::Lost { .. } => Code::Lost,
        Engine::StoreMissing { .. } => Code::StoreMissing,
        Engine::Git { .. } => Code::Git,
        Engine::Io { .. } | Engine::Unreadable { .. } | Engine::Pipe { .. } | Engine::NotWritable { .. } => Code::Io,
    }
}

/// Returns the next step after an error of the engine.
const fn engine_step(error: &Engine, surface: Surface) -> &'static str {
    use Surface::{Command, Server, Tools};
    match (error, surface) {
        (Engine::NotAWorktree { .. }, Command) => {
            "Change to a git worktree, make one with `git init`, or add --sidecar, which stores the checkpoints outside of the directory."
        }
        (Engine::NotAWorktree { .. }, Tools) => {
            "Continue without checkpoints, or ask the user to make the directory a git repository."
        }
        (Engine::NotAWorktree { .. }, Server) => {
            "Use a directory inside a git worktree, or create one with `git init`."
        }
        (Engine::Locked, Command | Server) => "Wait until the other capture or restore has ended.",
        (Engine::Locked, Tools) => "Wait until the other capture or restore has ended, then try again.",
        (Engine::Obstructed { .. }, Command) => "Move these away, or restore other paths with --paths.",
        (Engine::Obstructed { .. }, Tools) => "Ask the user to move these paths away, or restore other paths.",
        (Engine::Obstructed { .. }, Server) => "Move these away, then restore.",
        (Engine::ChangedDuring { .. }, Command) => {
            "`fuzzy-edit checkpoint recover` writes the other files and keeps these; `restore --abort` rolls them back."
        }
        (Engine::ChangedDuring { .. }, _) => "Stop the programs that write to the worktree, then try again.",
        (Engine::NoSuchPath { .. }, Tools) => {
            "Use paths relative to the root of the worktree, as checkpoint_diff lists them."
        }
        (Engine::NoSuchPath { .. }, _) => "Check the spelling; ignored and too large files are in no checkpoint.",
        (Engine::NoSuchPart { .. }, Command) => {
            "`fuzzy-edit turns diff` numbers hunks and lines; --paths takes a whole file back."
        }
        (Engine::NoSuchPart { .. }, _) => "Name hunks and lines of the turn's patch, or take the whole file back.",
        (Engine::NotWritable { .. }, Command) => "Make it writable, or restore other paths with --paths.",
        (Engine::NotWritable { .. }, Server) => "Make it writable, or restore other `paths`.",
        (Engine::Pipe { .. }, Command | Server) => "Remove it, or replace it by a file.",
        (Engine::Lost { .. }, Command) => "Choose another: `fuzzy-edit checkpoint list`.",
        (Engine::Lost { .. }, Tools) => "Choose another one from checkpoint_list.",
        (Engine::Lost { .. }, Server) => "Choose another checkpoint.",
        (Engine::StoreMissing { .. }, Command) => {
            "Bring this directory back, or name its parent with --store; `fuzzy-edit checkpoint recover --new-store` gives these checkpoints up."
        }
        (Engine::StoreMissing { .. }, Server) => "Bring this directory back, or start the server with its --store.",
        (
            Engine::DubiousOwnership { .. }
            | Engine::ProtectedDir { .. }
            | Engine::TooLarge { .. }
            | Engine::Timeout { .. }
            | Engine::HeadMismatch { .. }
            | Engine::StoreMissing { .. }
            | Engine::DiskFull { .. }
            | Engine::Git { .. }
            | Engine::Unreadable { .. }
            | Engine::Pipe { .. }
            | Engine::NotWritable { .. }
            | Engine::Io { .. },
            Tools,
        ) => Surface::ASK_THE_USER,
        (Engine::DubiousOwnership { .. }, _) => "If you trust its files, follow git's advice.",
        (Engine::ProtectedDir { .. }, _) => "Work in a repository of its own below this directory.",
        (Engine::TooLarge { .. }, _) => "Add files that need no checkpoints, such as build output, to .gitignore.",
        (Engine::Timeout { .. }, _) => "Try again when the machine is less busy, or ignore large directories.",
        (Engine::HeadMismatch { .. }, Command) => {
            "Check out the branch of the checkpoint, or do not move it: --head keep."
        }
        (Engine::HeadMismatch { .. }, Server) => "Check out the branch of the checkpoint, or do not move it.",
        (Engine::DiskFull { .. }, _) => "Free some space and try again.",
        (Engine::Git { .. }, _) => {
            "Fix the problem that git reports; `fuzzy-edit checkpoint doctor` checks for others."
        }
        (Engine::Unreadable { .. }, _) => {
            "Nothing follows from that, and nothing was changed. Try again; if it remains, check its permissions and the disk, or move it away."
        }
        (Engine::Io { .. }, _) => "Check that it exists and is writable.",
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

fn names(paths: &[RepoPath]) -> String {
    match paths {
        [] => "the files".to_owned(),
        [one] => format!("{one:?}"),
        [one, more @ ..] => format!("{one:?} and {} more", more.len()),
    }
}

/// The result of the service's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;
