//! `turns diff`: prints the changes of a turn.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Detail, DiffOptions};
use fuzzy_checkpoint_service::TurnPart;

use super::project::{Shared, Turns};
use super::reports::Diff;
use crate::output;
use crate::verbs::checkpoint::diff::print;
use crate::verbs::checkpoint::refused::Refused;

/// Print the changes of a turn; a running turn is compared with the files on disk
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The number of the turn [default: the last that is not undone]
    number: Option<usize>,
    /// Compare only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Print only the names of the files that differ
    #[arg(long)]
    names: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit turns diff
  fuzzy-edit turns diff 1 --names
  fuzzy-edit turns diff 1 --json";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let turns = Turns::read(shared)?;
    let turn = turns.chosen(arguments.number)?;
    let paths = turns.place.paths(&arguments.paths)?.unwrap_or_default();
    let detail = if arguments.names { Detail::Names } else { Detail::Patch };
    let options = DiffOptions { paths, detail, renames: true };
    let diff = turns.place.service.turn_diff(&turn.session_id, &turn.id, TurnPart::Turn, &options)?;
    if !shared.json {
        return Ok(print(&diff, arguments.names));
    }
    let patch = (!arguments.names).then(|| diff.patch.into());
    let report = Diff { turn: turn.clone(), files: diff.files, patch };
    Ok(output::answer(true, &report, String::new))
}
