//! `man`: prints manual pages.

use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;
use fuzzy_edit::{Code, Failure};

use crate::output;

/// Print the manual page of the command or of a verb
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The verb
    verb: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit man > fuzzy-edit.1
  fuzzy-edit man apply > fuzzy-edit-apply.1";

/// Prints the page of a command, or of one of its verbs.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> ExitCode {
    // Gives the verbs their full names, such as `fuzzy-edit apply`.
    command.build();
    if let Some(verb) = &arguments.verb {
        let Some(found) = command.find_subcommand(verb) else {
            let failure = Failure::bad_input(format!("there is no verb `{verb}`"), "Read `fuzzy-edit help`.");
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
