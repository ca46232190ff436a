//! `turns undo`: restores the files to the state before a turn.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_store::{MessageStatus, RestoreOptions, Trim};
use fuzzy_report::Code;

use super::list::prompt;
use super::project::{Shared, Turns};
use super::reports::{Planned, Undone};
use super::rows::{State, Turn};
use crate::output;
use crate::verbs::checkpoint::plan::Plan;
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::restore::{Done, describe};

/// Restore the files to their state before a turn, after printing the plan and asking for confirmation
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The number of the turn; all later turns are undone, too [default: the last that is not undone]
    number: Option<usize>,
    /// Change nothing; print the plan
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Undo while a turn is running; make sure that the agent no longer writes
    #[arg(long)]
    force: bool,
}

const AFTER_HELP: &str = "\
The files are restored to their state when the prompt was sent, which also undoes changes made by hand since then. Ignored
files and the agent's own transcript are not changed. A checkpoint is taken first, and the output has the command that
restores it.

An interrupted turn counts as running until the next prompt of its session. The confirmation covers running turns; with
--yes, add --force for them. Without a terminal, --yes is required.

Examples:
  fuzzy-edit turns undo
  fuzzy-edit turns undo 1 --dry-run
  fuzzy-edit turns undo 1 --yes --json";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let asks = !arguments.yes && !arguments.dry_run;
    if asks && !output::can_ask() {
        let next_step = "Add --yes to undo the turn, or --dry-run to print the plan.";
        return Err(Refused::bad_input("there is no terminal for the question", next_step));
    }
    let turns = Turns::read(shared)?;
    let turn = turns.chosen(arguments.number)?;
    let place = &turns.place;
    let Some(checkpoint) = &turn.checkpoint else { return Err(uncheckpointed(turn)) };
    let since: Vec<&Turn> = turns.all.iter().filter(|other| other.number >= turn.number && !other.taken_back).collect();
    let numbers: Vec<usize> = since.iter().map(|turn| turn.number).collect();
    let store = place.service.store();
    let target = store.checkpoint(&turn.session_id, checkpoint)?.ok_or_else(|| uncheckpointed(turn))?;
    // With a question, its answer covers running turns, too.
    let force = arguments.force || asks || arguments.dry_run;
    let mut options = RestoreOptions { trim: Trim::None, force, ..RestoreOptions::default() };
    if asks || arguments.dry_run {
        let plan = Plan::make(place, &target, &options)?;
        let text = titles(&since) + &late(turn) + &plan.details();
        if let Some(refused) = plan.refused {
            return Err(refused);
        }
        if arguments.dry_run {
            let report = Planned { turns: numbers, preview: plan.preview };
            return Ok(output::answer(shared.json, &report, || text));
        }
        if !output::agreed(&text, "undo") {
            return Err(Refused::new(Code::Declined, "nothing was changed", "Answer y to undo the turn."));
        }
        // The restore fails if the files changed since the plan.
        options.seen = plan.preview.tree;
    }
    if options.force {
        for running in since.iter().filter(|turn| turn.state == State::Running) {
            // Counts the changes of the turn before they are undone.
            place.service.end_turn(&running.session_id, &running.id, MessageStatus::Failed)?;
        }
    }
    let outcome = place.service.restore(&target.session_id, &target.id, options, None);
    let outcome = outcome.map_err(|error| place.explain(error))?;
    let sidecar = if place.worktree.is_sidecar() { " --sidecar" } else { "" };
    let undo_with = format!("fuzzy-edit checkpoint undo {}{sidecar}", outcome.restore_id);
    let report = Undone { turns: numbers, undo_with, outcome };
    output::print(shared.json, &report, || {
        let taken = Done::TakenBack { turns: &report.turns, undo_with: &report.undo_with };
        describe(&report.outcome, &taken, true) + &late(turn)
    });
    Ok(ExitCode::SUCCESS)
}

/// Returns a line for each turn to undo, the last first.
fn titles(turns: &[&Turn]) -> String {
    let mut text = String::new();
    for turn in turns.iter().rev() {
        let running = if turn.state == State::Running { ", which has not ended" } else { "" };
        let _ = writeln!(text, "undo turn {}{running}: {}", turn.number, prompt(turn));
    }
    text
}

/// Returns a line if the checkpoint may have changes of the turn.
fn late(turn: &Turn) -> String {
    match turn.captured_after_ms {
        Some(late) if !turn.suspect.is_empty() => {
            let late = late.max(0);
            format!("its checkpoint was taken {}.{} s after the prompt\n", late / 1_000, late % 1_000 / 100)
        }
        _ => String::new(),
    }
}

fn uncheckpointed(turn: &Turn) -> Refused {
    let why = turn.no_checkpoint.as_deref().unwrap_or("it was pruned");
    let message = format!("turn {} has no checkpoint: {why}", turn.number);
    Refused::unknown(message, "Name another turn: `fuzzy-edit turns` lists them.")
}
