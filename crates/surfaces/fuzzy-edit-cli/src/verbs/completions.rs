//! `completions`: prints a script that completes command lines.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, Resettable};
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

/// The words in place of the names that a script asks for when it completes: value name, word and command.
const ASKED: [(&str, &str, &str); 2] = [
    ("SESSION", "__fuzzy_edit_sessions__", "fuzzy-edit complete sessions 2>/dev/null"),
    ("TURN", "__fuzzy_edit_turns__", "fuzzy-edit complete turns 2>/dev/null"),
];

/// Prints the script for a command.
pub(crate) fn run(arguments: &Arguments, command: Command) -> ExitCode {
    let mut command = with_values(command);
    let mut script = Vec::new();
    let name = if arguments.shell == Shell::Bash { PLAIN } else { "fuzzy-edit" };
    if arguments.shell == Shell::Bash {
        command = command.name(PLAIN);
    }
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    let script = asking(arguments.shell, String::from_utf8_lossy(&script).into_owned());
    if arguments.shell != Shell::Bash {
        return output::answer_bytes(script.as_bytes());
    }
    let named = |line: &str| match line.trim_start().starts_with("complete -F ").then(|| line.strip_suffix(PLAIN)) {
        Some(Some(start)) => format!("{start}fuzzy-edit\n"),
        _ => format!("{line}\n"),
    };
    let script: String = script.lines().map(named).collect();
    output::answer_bytes(script.as_bytes())
}

/// Puts the commands that print names into a script. Shells whose words cannot contain a command complete no names.
fn asking(shell: Shell, mut script: String) -> String {
    for (value, word, command) in ASKED {
        match shell {
            Shell::Bash | Shell::Zsh => script = script.replace(word, &format!("$({command})")),
            Shell::Fish => {
                script = script.replace(&format!("{word}\\t''"), &format!("({command})"));
                if value == "TURN" {
                    // The generator leaves out values without an option.
                    let verbs = "show diff revert restore end keep";
                    let seen = format!("__fish_seen_subcommand_from turns; and __fish_seen_subcommand_from {verbs}");
                    let _ = writeln!(script, "complete -c fuzzy-edit -n '{seen}' -f -a '({command})'");
                }
            }
            _ => script = script.replace(word, ""),
        }
    }
    script
}

/// Names the values of arguments that are checked by other means, so that they are completed.
fn with_values(command: Command) -> Command {
    // The parser borrows the names; the process ends after the script.
    let verbs: Vec<&str> = command.get_subcommands().map(|verb| &*verb.get_name().to_owned().leak()).collect();
    with_values_of(command, &verbs)
}

fn with_values_of(command: Command, verbs: &[&'static str]) -> Command {
    let values = |arg: Arg, verb: &str| match (verb, arg.get_id().as_str()) {
        (_, "ladder") => arg.value_parser(PossibleValuesParser::new(ladder::names())),
        ("init", "hosts") | ("hook", "host") => {
            arg.value_parser(PossibleValuesParser::new(Host::all().map(|host| host.name)))
        }
        ("schema", "name") => arg.value_parser(PossibleValuesParser::new(schema::names())),
        ("man", "verb") => arg.value_parser(PossibleValuesParser::new(verbs.to_vec())),
        _ => match ASKED.iter().find(|(name, ..)| arg.get_value_names().is_some_and(|names| names[0] == *name)) {
            // The usual value need not be one of the names.
            Some((_, word, _)) if cfg!(feature = "checkpoint") => {
                arg.default_value(Resettable::Reset).value_parser(PossibleValuesParser::new([*word]))
            }
            _ => arg,
        },
    };
    let name = command.get_name().to_owned();
    command.mut_args(|arg| values(arg, &name)).mut_subcommands(|verb| with_values_of(verb, verbs))
}
