//! The options of `undo` and `redo`.

use clap::Args;

use crate::options::Writing;
#[cfg(feature = "checkpoint")]
use crate::verbs::checkpoint::options::{Reset, Shared};

/// The records of the project, and the agent that works with them.
#[cfg(feature = "checkpoint")]
#[derive(Args)]
pub(super) struct Records {
    #[command(flatten)]
    pub(super) shared: Shared,
    #[command(flatten)]
    pub(super) agent: Reset,
}

/// Undo the last batch of edits, take-back or restore in this project, or another one
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The operation, by its id in --list, or the beginning or end of its whole id [default: the newest one]
    #[arg(value_name = "ID", conflicts_with = "list")]
    pub(super) id: Option<String>,
    /// List the operations that can be undone, the newest first
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) list: bool,
    #[command(flatten)]
    pub(super) how: How,
}

/// Undo the last undo
#[derive(Args)]
#[command(after_help = REDO_HELP)]
#[cfg(feature = "checkpoint")]
pub(crate) struct Redo {
    #[command(flatten)]
    pub(super) how: How,
}

/// Options of both verbs.
#[derive(Args)]
pub(super) struct How {
    /// Write nothing; report what would be done
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    pub(super) yes: bool,
    #[cfg(feature = "checkpoint")]
    #[command(flatten)]
    pub(super) records: Records,
    /// Print one report as JSON
    #[cfg(not(feature = "checkpoint"))]
    #[arg(short, long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) writing: Writing,
}

const AFTER_HELP: &str = "\
An operation is a batch, with all files that one command wrote, a take-back of turns, or a restore. The newest one is the
last of this project that is not undone; a batch belongs to the project if its command ran in the root or beneath it, or
wrote only there. Undo takes back all of its files or none. Changes that were made since stay, by a merge; if they touch
the same lines, nothing is written, and the operation is `stale` or in conflict. A second undo undoes the operation before.
The undo of a restore brings back the transcript and the hidden checkpoints, too, unless messages were added since.

At a terminal it asks if a turn began after the operation, if it may be the work of another session, or if it is older than
an hour. Without a terminal it refuses then and prints the id; the id, or --yes, goes on. The id of an undo redoes it.

Undo needs the same permissions as `apply`: --allow-git for files in `.git`, --in-place for files with several hard links;
with --root, it changes no file outside that directory.

The newest 64 batches are kept, with at most 64 MiB of contents, in $XDG_STATE_HOME/fuzzy-edit or otherwise
~/.local/state/fuzzy-edit, which only you can read.

Exit codes:
  0  the operation was undone
  1  it was refused: later changes in the same lines, or a question without an answer
  2  there is no such operation (missing), or a file cannot be written

Examples:
  fuzzy-edit undo
  fuzzy-edit undo --list
  fuzzy-edit undo --dry-run
  fuzzy-edit undo --root ~/project --json";

#[cfg(feature = "checkpoint")]
const REDO_HELP: &str = "\
Redo takes back the newest undo of this project, as long as nothing else was written here by this program; changes of yours
stay. Repeat it for the undos before.

Examples:
  fuzzy-edit redo
  fuzzy-edit redo --dry-run";
