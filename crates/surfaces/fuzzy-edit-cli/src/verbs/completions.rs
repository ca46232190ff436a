//! `completions`: prints a script that completes command lines.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use fuzzy_hosts::Host;
use fuzzy_pipeline::ladder;

use super::schema;
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

/// A name without a hyphen. The generator for bash replaces one in two ways, and finds no verb then:
/// <https://github.com/clap-rs/clap/issues/6421>.
const PLAIN: &str = "fuzzy_edit";

/// Prints the script for a command.
pub(crate) fn run(arguments: &Arguments, command: Command) -> ExitCode {
    let mut command = with_values(command);
    let mut script = Vec::new();
    if arguments.shell != Shell::Bash {
        clap_complete::generate(arguments.shell, &mut command, "fuzzy-edit", &mut script);
        return output::answer_bytes(&script);
    }
    clap_complete::generate(Shell::Bash, &mut command.name(PLAIN), PLAIN, &mut script);
    let named = |line: &str| match line.trim_start().starts_with("complete -F ").then(|| line.strip_suffix(PLAIN)) {
        Some(Some(start)) => format!("{start}fuzzy-edit\n"),
        _ => format!("{line}\n"),
    };
    let script: String = String::from_utf8_lossy(&script).lines().map(named).collect();
    output::answer_bytes(script.as_bytes())
}

/// Names the values of arguments that are checked by other means, so that they are completed.
fn with_values(command: Command) -> Command {
    // The parser borrows the names; the process ends after the script.
    let verbs: Vec<&str> = command.get_subcommands().map(|verb| &*verb.get_name().to_owned().leak()).collect();
    let values = |arg: Arg, verb: &str| match (verb, arg.get_id().as_str()) {
        (_, "ladder") => arg.value_parser(PossibleValuesParser::new(ladder::names())),
        ("init", "hosts") | ("hook", "host") => {
            arg.value_parser(PossibleValuesParser::new(Host::all().map(|host| host.name)))
        }
        ("schema", "name") => arg.value_parser(PossibleValuesParser::new(schema::names())),
        ("man", "verb") => arg.value_parser(PossibleValuesParser::new(verbs.clone())),
        _ => arg,
    };
    command.mut_subcommands(|verb| {
        let name = verb.get_name().to_owned();
        verb.mut_args(|arg| values(arg, &name))
    })
}
