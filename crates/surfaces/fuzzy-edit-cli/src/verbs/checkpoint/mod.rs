//! `checkpoint`: captures the state of a worktree, and restores it.

pub(crate) mod create;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod list;
pub(crate) mod options;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod prune;
pub(crate) mod recover;
pub(crate) mod refused;
pub(crate) mod restore;
pub(crate) mod show;
pub(crate) mod take;
pub(crate) mod text;
mod undo;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use options::Shared;

/// Take checkpoints of the worktree, and take it back to one
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    shared: Shared,
}

const AFTER_HELP: &str = "\
A checkpoint holds every file of the worktree that git does not ignore, as it is on disk, and what is staged. Taking one
changes nothing that you can see; restoring one can be undone. Any unique beginning of an id will do.

Exit codes:
  0  it was done
  1  it was refused: no worktree, no such checkpoint, something in the way, an unfinished restore, ...
  2  it could not be tried: bad input, no space, git or a file failed

Checkpoints are kept in the repository itself and, what is known of them, in $XDG_STATE_HOME/fuzzy-edit, or
~/.local/state/fuzzy-edit.

With --sidecar a folder needs no git, and its .git need not be writable: the checkpoints are kept in the state directory,
and hold the files alone, not what is staged. Name it with each command; checkpoints taken with it are not shown without.

Examples:
  fuzzy-edit checkpoint create --label 'before the refactoring'
  fuzzy-edit checkpoint list
  fuzzy-edit checkpoint diff 01KAN3F2
  fuzzy-edit checkpoint restore 01KAN3F2 --dry-run
  fuzzy-edit checkpoint restore 01KAN3F2
  fuzzy-edit checkpoint undo

Each command has examples: fuzzy-edit checkpoint restore --help";

#[derive(Subcommand)]
enum Verb {
    Create(create::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    Diff(diff::Arguments),
    Restore(restore::Arguments),
    Undo(undo::Undo),
    Redo(undo::Redo),
    Prune(prune::Arguments),
    Doctor(doctor::Arguments),
    Recover(recover::Arguments),
}

/// Runs a verb, and reports its result or its failure.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let shared = &arguments.shared;
    let done = match &arguments.verb {
        Verb::Create(arguments) => create::run(shared, arguments),
        Verb::List(arguments) => list::run(shared, arguments),
        Verb::Show(arguments) => show::run(shared, arguments),
        Verb::Diff(arguments) => diff::run(shared, arguments),
        Verb::Restore(arguments) => restore::run(shared, arguments),
        Verb::Undo(arguments) => undo::run(shared, arguments),
        Verb::Redo(arguments) => undo::redo(shared, arguments),
        Verb::Prune(arguments) => prune::run(shared, arguments),
        Verb::Doctor(arguments) => doctor::run(shared, arguments),
        Verb::Recover(arguments) => recover::run(shared, arguments),
    };
    done.unwrap_or_else(|problem| problem.report(shared.json))
}
