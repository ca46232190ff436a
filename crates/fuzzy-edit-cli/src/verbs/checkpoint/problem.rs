//! What is reported when a checkpoint verb did not do what was asked.

use std::process::ExitCode;

use fuzzy_checkpoint_service::{Error, Problem as Words};
use fuzzy_checkpoint_store::RestoreId;
use schemars::JsonSchema;
use serde::Serialize;

use super::text;
use crate::output;

/// Something that was refused or went wrong, with next steps that name the options of this command.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Problem(Box<Words>);

/// Codes of what was tried and could not be done, or was no sensible request. Every other code is a refusal.
const NOT_TRIED: [&str; 8] = ["bad_input", "invalid", "io", "store", "git", "timeout", "disk_full", "backend"];

impl Problem {
    pub(crate) fn new(code: &'static str, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self(Box::new(Words::new(code, message, next_step)))
    }

    pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new("bad_input", message, next_step)
    }

    /// Returns code and message, on one line.
    pub(crate) fn reason(&self) -> String {
        // Git explains itself in several lines.
        let message = text::plain(&self.0.message.split_whitespace().collect::<Vec<_>>().join(" "));
        format!("{}: {}", self.0.code, message.trim_end_matches('.'))
    }

    /// Returns 1 for a refusal, 2 for what could not be tried.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if NOT_TRIED.contains(&self.0.code) { 2 } else { 1 })
    }

    /// Prints it: for people on standard error, as JSON on standard output.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        output::print(json, self, String::new);
        self.complain();
        self.exit_code()
    }

    pub(crate) fn complain(&self) {
        output::complain(&format!("{}. {}", self.reason(), self.0.next_step));
        // Five stand in the message.
        for path in self.0.paths.iter().skip(5) {
            output::complain(&format!("{}: {}", self.0.code, text::quoted(path)));
        }
    }

    /// Reports a restore that has to be finished before anything else.
    pub(crate) fn unfinished(mut self, restore: &RestoreId) -> Self {
        self.0.next_step = format!(
            "Finish it with `fuzzy-edit checkpoint recover`, or give it up with `fuzzy-edit checkpoint restore --abort \
             {restore}`."
        )
        .into();
        self.0.restore_id = Some(restore.clone());
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
        let words = Words::from(&error);
        Self(Box::new(match ours(&error) {
            Some(next_step) => words.next(next_step),
            None => words,
        }))
    }
}

/// Returns the next step where it is one of this command's.
fn ours(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::Engine(error) => return engine(error),
        Error::Store(fuzzy_checkpoint_store::Error::Full) => return None,
        Error::Store(fuzzy_checkpoint_store::Error::Newer { .. }) => {
            "Nothing was changed. Another database can be named with --database."
        }
        Error::Store(_) => {
            "A file must be writable; if it is no such database, move it away or name another with --database."
        }
        Error::AgentRunning { .. } => "End the turn first, or add --force; --stop-command ends it for you.",
        Error::RestoreInProgress => "Finish it with `fuzzy-edit checkpoint recover`.",
        Error::NotInSession { .. } => "See `fuzzy-edit checkpoint list --all`.",
        Error::Retired { .. } => "Undo the restore that hid it: `fuzzy-edit checkpoint list --all`.",
        Error::Lost { .. } => "Choose another: `fuzzy-edit checkpoint list`.",
        Error::Backend(_) => "Check --stop-command and --reset-command.",
        Error::Invalid(_) => "Read `fuzzy-edit checkpoint --help`.",
        _ => return None,
    })
}

fn engine(error: &fuzzy_checkpoint::Error) -> Option<&'static str> {
    use fuzzy_checkpoint::Error;

    Some(match error {
        Error::NotAWorktree { .. } => "Change to a directory inside a git worktree, or make one with `git init`.",
        Error::Obstructed { .. } => "Move these away, or restore other paths with --paths.",
        Error::HeadMismatch { .. } => "Go back to where the checkpoint was taken, or leave the branch: --head keep.",
        Error::Lost { .. } => "Choose another: `fuzzy-edit checkpoint list`.",
        _ => return None,
    })
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
