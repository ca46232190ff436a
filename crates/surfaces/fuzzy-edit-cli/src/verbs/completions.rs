//! `completions`: prints a script that completes command lines.

use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::output;

/// Print a script that completes command lines in a shell
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit completions bash > fuzzy-edit.bash
  fuzzy-edit completions zsh > _fuzzy-edit
  fuzzy-edit completions fish > fuzzy-edit.fish";

/// Prints the script for a command.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "fuzzy-edit", &mut script);
    output::answer_bytes(&script)
}
