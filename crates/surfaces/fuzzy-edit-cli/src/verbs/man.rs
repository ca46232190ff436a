//! `man`: prints manual pages.

use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;
use fuzzy_edit::{Code, Failure};

use crate::output;

/// Print the manual page of the command or of a verb, which may have verbs of its own
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The verb, such as apply or checkpoint restore
    verb: Vec<String>,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit man > fuzzy-edit.1
  fuzzy-edit man apply > fuzzy-edit-apply.1
  fuzzy-edit man checkpoint restore > fuzzy-edit-checkpoint-restore.1";

/// Prints the page of a command, or of one of its verbs.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> ExitCode {
    // Gives the verbs their full names, such as `fuzzy-edit apply`.
    command.build();
    for (at, verb) in arguments.verb.iter().enumerate() {
        let Some(found) = command.find_subcommand(verb) else {
            let known = arguments.verb[..=at].join(" ");
            let failure = Failure::bad_input(format!("there is no verb `{known}`"), "Read `fuzzy-edit help`.");
            return output::failure(false, &failure);
        };
        command = found.clone();
    }
    let mut page = Vec::new();
    match Man::new(command).render(&mut page) {
        Ok(()) => output::answer_bytes(&page),
        Err(error) => {
            let next_step = "Read `fuzzy-edit help` instead.";
            output::failure(false, &Failure::new(Code::Io, format!("no manual page: {error}"), next_step))
        }
    }
}
