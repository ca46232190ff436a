//! `turns`: lists, compares and undoes the work of agents in this project, prompt by prompt.

mod diff;
mod entry;
pub(crate) mod failed;
mod keep;
mod list;
mod project;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod reports;
mod rows;
mod undo;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use project::Shared;

/// List the turns of agents in this project, show their changes, or undo them
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    shared: Shared,
}

const AFTER_HELP: &str = "\
A turn is the work of an agent from a prompt to its answer. The hooks of `fuzzy-edit init` take a checkpoint at its start
and at its end, so it includes all changes by edit tools, shell commands and subagents. Ignored files are not captured.
A turn without an end was interrupted; the next prompt of the session ends it. The number of a turn never changes.

Examples:
  fuzzy-edit turns
  fuzzy-edit turns --json
  fuzzy-edit turns diff 1
  fuzzy-edit turns undo

Each command has examples: fuzzy-edit turns undo --help";

#[derive(Subcommand)]
enum Verb {
    Diff(diff::Arguments),
    Undo(undo::Arguments),
    Keep(keep::Arguments),
}

/// Runs a verb, and reports its result or its failure.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let shared = &arguments.shared;
    let done = match &arguments.verb {
        None => list::run(shared),
        Some(Verb::Diff(arguments)) => diff::run(shared, arguments),
        Some(Verb::Undo(arguments)) => undo::run(shared, arguments),
        Some(Verb::Keep(arguments)) => keep::run(shared, arguments),
    };
    done.unwrap_or_else(|problem| problem.report(shared.json))
}
