//! `turns`: lists, compares and takes back the work of agents in this project, prompt by prompt.

pub(crate) mod begin;
pub(crate) mod bisect;
mod blame;
mod conversation;
mod diff;
pub(crate) mod edits;
mod end;
mod entry;
pub(crate) mod failed;
mod forget;
mod keep;
mod list;
mod log;
pub(crate) mod numbers;
mod plan_text;
pub(crate) mod project;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod reports;
pub(crate) mod run;
mod search;
pub(crate) mod take_back;
pub(crate) mod told;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use project::Shared;

/// List the turns of agents in this project, show their changes, or take them back
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    which: list::Which,
    #[command(flatten)]
    shared: Shared,
}

const AFTER_HELP: &str = "\
A turn is the work of an agent from a prompt to its answer. The hooks of `fuzzy-edit init` take a checkpoint at its start
and at its end, so it includes all changes by edit tools, shell commands and subagents. Ignored files are not captured.
A turn without an end was interrupted; the next prompt of the session ends it, or `turns end`. The number of a turn never
changes.

Examples:
  fuzzy-edit turns
  fuzzy-edit turns --path src/cart.py
  fuzzy-edit turns diff 1
  fuzzy-edit turns revert 1 --yes
  fuzzy-edit turns blame src/cart.py

Each command has examples: fuzzy-edit turns revert --help";

#[derive(Subcommand)]
enum Verb {
    Show(diff::Show),
    Diff(diff::Arguments),
    Log(log::Arguments),
    Blame(blame::Arguments),
    Bisect(bisect::Arguments),
    Revert(take_back::Revert),
    Restore(take_back::Restore),
    End(end::Arguments),
    Keep(keep::Arguments),
    Forget(forget::Arguments),
}

/// Runs a verb, and reports its result or its failure.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let shared = &arguments.shared;
    let done = match &arguments.verb {
        None => list::run(shared, &arguments.which),
        Some(Verb::Show(arguments)) => diff::show(shared, arguments),
        Some(Verb::Diff(arguments)) => diff::run(shared, arguments),
        Some(Verb::Log(arguments)) => log::run(shared, arguments),
        Some(Verb::Blame(arguments)) => blame::run(shared, arguments),
        Some(Verb::Bisect(arguments)) => bisect::run(shared, arguments),
        Some(Verb::Revert(arguments)) => take_back::revert(shared, arguments),
        Some(Verb::Restore(arguments)) => take_back::restore(shared, arguments),
        Some(Verb::End(arguments)) => end::run(shared, arguments),
        Some(Verb::Keep(arguments)) => keep::run(shared, arguments),
        Some(Verb::Forget(arguments)) => forget::run(shared, arguments),
    };
    done.unwrap_or_else(|problem| problem.report(shared.json))
}
