//! What is reported when a checkpoint verb did not do what was asked.

use std::process::ExitCode;

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::Error;
use fuzzy_checkpoint_store::RestoreId;
use serde::Serialize;

use super::text;
use crate::output;

/// Something that was refused or went wrong: a stable code, what it means here, and what to do next.
#[derive(Debug, Serialize)]
pub(super) struct Problem {
    status: &'static str,
    code: &'static str,
    message: Box<str>,
    next_step: Box<str>,
    /// The paths that it is about, if it is about paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<RepoPath>,
    /// The restore that has to be finished first.
    #[serde(skip_serializing_if = "Option::is_none")]
    restore_id: Option<RestoreId>,
}

/// Codes of what was tried and could not be done, or was no sensible request. Every other code is a refusal.
const NOT_TRIED: [&str; 8] = ["bad_input", "invalid", "io", "store", "git", "timeout", "disk_full", "backend"];

impl Problem {
    pub(super) fn new(code: &'static str, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let (message, next_step) = (message.into().into(), next_step.into().into());
        Self { status: "failed", code, message, next_step, paths: Vec::new(), restore_id: None }
    }

    pub(super) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new("bad_input", message, next_step)
    }

    /// Returns code and message, on one line.
    pub(super) fn reason(&self) -> String {
        // Git explains itself in several lines.
        let message = text::plain(&self.message.split_whitespace().collect::<Vec<_>>().join(" "));
        format!("{}: {}", self.code, message.trim_end_matches('.'))
    }

    /// Returns 1 for a refusal, 2 for what could not be tried.
    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if NOT_TRIED.contains(&self.code) { 2 } else { 1 })
    }

    /// Prints it: for people on standard error, as JSON on standard output.
    pub(super) fn report(&self, json: bool) -> ExitCode {
        output::print(json, self, String::new);
        self.complain();
        self.exit_code()
    }

    pub(super) fn complain(&self) {
        output::complain(&format!("{}. {}", self.reason(), self.next_step));
        // Five stand in the message.
        for path in self.paths.iter().skip(5) {
            output::complain(&format!("{}: {}", self.code, text::quoted(path)));
        }
    }

    /// Reports a restore that has to be finished before anything else.
    pub(super) fn unfinished(mut self, restore: &RestoreId) -> Self {
        self.next_step = format!(
            "Finish it with `fuzzy-edit checkpoint recover`, or give it up with `fuzzy-edit checkpoint restore --abort \
             {restore}`."
        )
        .into();
        self.restore_id = Some(restore.clone());
        self
    }
}

impl From<fuzzy_checkpoint::Error> for Problem {
    fn from(error: fuzzy_checkpoint::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<fuzzy_checkpoint_store::Error> for Problem {
    fn from(error: fuzzy_checkpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let next_step = match &error {
            Error::Engine(error) => return engine(error),
            Error::Store(fuzzy_checkpoint_store::Error::Newer { .. }) => {
                "Nothing was changed. Another database can be named with --database.".to_owned()
            }
            Error::Store(_) => {
                "Check that it may be written; if it is no such database, move it away or name another with --database."
                    .to_owned()
            }
            Error::AgentRunning { .. } => {
                "End the turn first, or add --force; --stop-command ends it for you.".to_owned()
            }
            Error::RestoreInProgress => "Finish it with `fuzzy-edit checkpoint recover`.".to_owned(),
            Error::NotInSession { .. } => "See `fuzzy-edit checkpoint list --all`.".to_owned(),
            Error::Retired { .. } => "Undo the restore that hid it: `fuzzy-edit checkpoint list --all`.".to_owned(),
            Error::Lost { .. } => "Choose another: `fuzzy-edit checkpoint list`.".to_owned(),
            Error::Refused { .. } => "Mend that, then restore anew.".to_owned(),
            Error::BackedOff { .. } => "Mend the cause, or wait.".to_owned(),
            Error::Backend(_) => "Check --stop-command and --reset-command.".to_owned(),
            _ => "Read `fuzzy-edit checkpoint --help`.".to_owned(),
        };
        Self::new(error.code(), error.to_string(), next_step)
    }
}

fn engine(error: &fuzzy_checkpoint::Error) -> Problem {
    use fuzzy_checkpoint::Error;

    let next_step = match error {
        Error::NotAWorktree { .. } => "Change to a directory inside a git worktree, or make one with `git init`.",
        Error::DubiousOwnership { .. } => "If you trust its files, tell git so as it says.",
        Error::ProtectedDir { .. } => "Work in a repository of its own below this directory.",
        Error::TooLarge { .. } => "Ignore what need not be captured, build output for example, in .gitignore.",
        Error::Locked => "Wait until the other capture or restore has ended.",
        Error::Timeout { .. } => "Try again when the machine is less busy, or ignore large directories.",
        Error::Obstructed { .. } => "Move these away, or restore other paths with --paths.",
        Error::ChangedDuring { .. } => "Stop what writes to the worktree, then try again.",
        Error::HeadMismatch { .. } => "Go back to where the checkpoint was taken, or leave the branch: --head keep.",
        Error::DiskFull { .. } => "Free some space and try again.",
        Error::Lost { .. } => "Choose another: `fuzzy-edit checkpoint list`.",
        Error::Git { .. } => "Mend what git says; `fuzzy-edit checkpoint doctor` looks for more.",
        _ => "Check that the directory is there and may be written; XDG_STATE_HOME names another state directory.",
    };
    let mut problem = Problem::new(error.code(), error.to_string(), next_step);
    if let Error::Obstructed { paths } | Error::ChangedDuring { paths } = error {
        problem.paths.clone_from(paths);
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::NOT_TRIED;

    #[test]
    fn the_page_lists_the_codes_under_their_exit_code() {
        let page = include_str!("../../../../../docs/checkpoints.md");
        let codes = |row: &str| -> Vec<String> {
            let line = page.lines().find(|line| line.starts_with(row)).unwrap();
            line.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let (refused, not_tried) = (codes("| 1: refused |"), codes("| 2: not tried |"));
        assert_eq!(not_tried, NOT_TRIED);
        assert!(refused.iter().all(|code| !NOT_TRIED.contains(&code.as_str())), "{refused:?}");
    }
}
