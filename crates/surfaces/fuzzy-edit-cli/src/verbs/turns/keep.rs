//! `turns keep`: excludes a turn from pruning.

use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_store::TurnNote;

use super::project::{Shared, Turns};
use super::reports::Kept;
use crate::output;
use crate::verbs::checkpoint::refused::Refused;

/// Keep the checkpoints of a turn when old ones are pruned
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The number of the turn
    #[arg(value_name = "TURN")]
    number: i64,
    /// Allow pruning again
    #[arg(long)]
    release: bool,
}

const AFTER_HELP: &str = "\
By default, a project keeps the checkpoints of its newest 200 turns for at most 30 days. Older ones are deleted when a
session ends.

Examples:
  fuzzy-edit turns keep 1
  fuzzy-edit turns keep 1 --release";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let turns = Turns::read(shared)?;
    let mut turn = turns.chosen(Some(arguments.number))?.clone();
    turn.kept = !arguments.release;
    turns.place.service.store().note(&turn.id, TurnNote::Kept(turn.kept))?;
    let done = if turn.kept { "kept until it is released" } else { "pruned when it is old" };
    let text = format!("turn {} is {done}\n", turn.number);
    output::print(shared.json, &Kept { turn }, || text);
    Ok(ExitCode::SUCCESS)
}
