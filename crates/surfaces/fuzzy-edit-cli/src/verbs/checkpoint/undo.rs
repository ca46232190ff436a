//! `checkpoint undo`: takes a restore back.

use std::process::ExitCode;

use clap::Args;

use super::options::{Reset, Shared};
use super::place::Place;
use super::refused::Refused;
use super::restore;

/// Take a restore back: files, transcript and hidden checkpoints; never asks
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The id of the restore, or a beginning of it
    #[arg(value_name = "RESTORE")]
    id: String,
    #[command(flatten)]
    agent: Reset,
}

const AFTER_HELP: &str = "\
The files become what they were just before the restore; what was changed since is in a checkpoint of its own. When the
session has gone on since, its transcript stays as it is.

Examples:
  fuzzy-edit checkpoint undo 01KAN4QX
  fuzzy-edit checkpoint undo 01KAN4QX --json";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, arguments.agent.backend())?;
    let row = place.restore(&arguments.id)?;
    if let Some(undone) = &row.options.undo_of {
        let message = format!("{} is itself the undo of {undone}", row.id);
        let next_step =
            format!("To restore once more: `fuzzy-edit checkpoint restore {}`.", journal_target(&place, undone));
        return Err(Refused::bad_input(message, next_step));
    }
    let outcome = place.service.undo(&row.id, None).map_err(|error| place.explain(error))?;
    restore::report(shared, &outcome, None, row.options.paths.is_empty());
    Ok(ExitCode::SUCCESS)
}

/// Returns the id of the checkpoint that a restore went back to.
fn journal_target(place: &Place, restore: &fuzzy_checkpoint_store::RestoreId) -> String {
    let row = place.service.store().restore(restore).ok().flatten();
    row.map_or_else(|| "CHECKPOINT".to_owned(), |row| row.checkpoint_id.0)
}
