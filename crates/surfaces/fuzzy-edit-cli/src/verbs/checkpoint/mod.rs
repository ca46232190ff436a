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
pub(crate) mod sessions;
pub(crate) mod show;
pub(crate) mod storage;
pub(crate) mod take;
pub(crate) mod text;
mod variables;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use options::Shared;

/// Take checkpoints of the worktree, and restore them
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    shared: Shared,
}

const AFTER_HELP: &str = "\
A checkpoint contains every file of the worktree that git does not ignore, as it is on disk, and the staged changes.
Taking one changes no file, branch or index; restoring one can be undone. An id can be shortened to a unique prefix.

Exit codes:
  0  the command succeeded
  1  it was refused: no worktree, no such checkpoint, an obstacle, an unfinished restore, ...
  2  it could not run: bad input, no space, an error of git or of a file

Checkpoints and their records are stored in $XDG_STATE_HOME/fuzzy-edit, otherwise in ~/.local/state/fuzzy-edit.

With --sidecar, the checkpoints of a folder are stored in the state directory: it needs no git, or none that is writable.
They contain the files but no staged changes. Add --sidecar to each command; other commands do not list these
checkpoints.

Examples:
  fuzzy-edit checkpoint create --label 'before the refactoring'
  fuzzy-edit checkpoint list
  fuzzy-edit checkpoint diff 01KAN3F2
  fuzzy-edit checkpoint restore 01KAN3F2 --dry-run
  fuzzy-edit checkpoint restore 01KAN3F2
  fuzzy-edit undo

Each command has examples: fuzzy-edit checkpoint restore --help";

#[derive(Subcommand)]
enum Verb {
    Create(create::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    Diff(diff::Arguments),
    Restore(restore::Arguments),
    Prune(prune::Arguments),
    Doctor(doctor::Arguments),
    Recover(recover::Arguments),
}

/// Runs a verb, and reports its result or its failure.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let shared = &match arguments.shared.settled() {
        Ok(shared) => shared,
        Err(refused) => return refused.report(arguments.shared.json),
    };
    let done = match &arguments.verb {
        Verb::Create(arguments) => create::run(shared, arguments),
        Verb::List(arguments) => list::run(shared, arguments),
        Verb::Show(arguments) => show::run(shared, arguments),
        Verb::Diff(arguments) => diff::run(shared, arguments),
        Verb::Restore(arguments) => restore::run(shared, arguments),
        Verb::Prune(arguments) => prune::run(shared, arguments),
        Verb::Doctor(arguments) => doctor::run(shared, arguments),
        Verb::Recover(arguments) => recover::run(shared, arguments),
    };
    done.unwrap_or_else(|problem| problem.report(shared.json))
}
