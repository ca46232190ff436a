//! Reports the failures of the checkpoint verbs.

use std::io;
use std::process::ExitCode;

use fuzzy_checkpoint::Error as Engine;
use fuzzy_checkpoint_service::{Error, OfCheckpoint};
use fuzzy_checkpoint_store::RestoreId;
use fuzzy_report::{Code, Failure, Surface};
use schemars::JsonSchema;
use serde::Serialize;

use super::text;
use super::variables::selectors;
use crate::output;

/// A failure whose next steps name the options of this command.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Refused(Failure<OfCheckpoint>);

impl Refused {
    pub(crate) fn new(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self(Failure::of(code, message, next_step))
    }

    pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message, next_step)
    }

    /// Refuses a question without a terminal; `next_step` names the options that need no question.
    pub(crate) fn if_no_terminal(next_step: &str) -> Result<(), Self> {
        let refused = || Self::bad_input("there is no terminal for the question", next_step);
        output::can_ask().then_some(()).ok_or_else(refused)
    }

    /// Returns the failure for an error of the system.
    pub(crate) fn of_io(what: &str, error: &io::Error, next_step: impl Into<String>) -> Self {
        let message = format!("{what}: {error}");
        if fuzzy_system::is_disk_full(error) {
            Self::new(Code::DiskFull, message, "Free some space and try again.")
        } else {
            Self::new(Code::Io, message, next_step)
        }
    }

    /// Returns the failure for a name that does not exist in the session.
    pub(crate) fn unknown(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::NotInSession, message, next_step)
    }

    /// Returns the failure as that of a larger step, with another next step.
    pub(crate) fn in_context(mut self, what: &str, next_step: &str) -> Self {
        self.0.message = format!("{what}: {}", self.0.message);
        next_step.clone_into(&mut self.0.next_step);
        self
    }

    /// Returns code and message, on one line.
    pub(crate) fn reason(&self) -> String {
        // Git's messages have several lines.
        let message = text::plain(&self.0.message.split_whitespace().collect::<Vec<_>>().join(" "));
        format!("{}: {}", self.0.code, message.trim_end_matches('.'))
    }

    pub(crate) fn code(&self) -> Code {
        self.0.code
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.0.code.exit_code())
    }

    /// Prints the failure: on standard error for people, with `json` also on standard output.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        output::print(json, self, String::new);
        self.complain();
        self.exit_code()
    }

    pub(crate) fn complain(&self) {
        output::complain(&format!("{}. {}", self.reason(), self.0.next_step));
        // The message contains five.
        for path in self.0.details.paths.iter().skip(5) {
            output::complain(&format!("{}: {}", self.0.code, text::quoted(path)));
        }
    }

    /// Returns the failure with the restore that has to be finished first.
    pub(crate) fn unfinished(mut self, restore: &RestoreId, is_under_way: bool) -> Self {
        self.0.next_step = if is_under_way {
            "Wait: another process is working on it. `fuzzy-edit checkpoint recover` waits, and finishes it if that process has died."
                .to_owned()
        } else {
            format!(
                "Finish it with `fuzzy-edit checkpoint recover`, or abort it with `fuzzy-edit checkpoint restore --abort \
                 {restore}`."
            )
        };
        self.0.details.restore_id = Some(restore.clone());
        self
    }
}

impl<E: Into<Error>> From<E> for Refused {
    fn from(error: E) -> Self {
        let error = error.into();
        let mut failure = error.failure(Surface::Command);
        let step = &failure.next_step;
        match &error {
            Error::Engine(Engine::Io { path, .. } | Engine::Unreadable { path, .. }) => {
                if let Some((name, _)) = selectors(path).into_iter().find(|(_, is_around)| *is_around) {
                    failure.next_step = format!("{step} {name} selects this directory.");
                }
            }
            Error::Engine(Engine::StoreMissing { path }) => {
                if let Some((name, false)) = selectors(path).into_iter().next() {
                    failure.next_step = format!("{name} selects another directory. {step}");
                }
            }
            _ => {}
        }
        Self(failure)
    }
}

#[cfg(test)]
mod tests {
    use fuzzy_report::Code;

    #[test]
    fn the_page_lists_the_codes_under_their_exit_code() {
        let page = include_str!("../../../../../../docs/checkpoints.md");
        for (row, exit_code) in [("| 1: refused |", 1), ("| 2: not tried |", 2)] {
            let line = page.lines().find(|line| line.starts_with(row)).unwrap();
            let codes: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
            assert!(codes.len() > 8, "{line}");
            for code in codes {
                let known = Code::ALL.iter().find(|known| known.as_str() == code);
                assert_eq!(known.map(|known| known.exit_code()), Some(exit_code), "{code}");
            }
        }
    }
}
