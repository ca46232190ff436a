//! `turns end`: ends a turn that has no end.

use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::{ListedTurn, TurnState};
use fuzzy_report::Code;

use super::edits;
use super::list::prompt;
use super::project::{Shared, Turns};
use super::reports::Ended;
use crate::output;
use crate::verbs::checkpoint::refused::Refused;

/// End a turn whose agent was interrupted, and capture its changes
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The number of the turn [default: the only one that is running]
    #[arg(value_name = "TURN")]
    number: Option<i64>,
}

const AFTER_HELP: &str = "\
Hosts do not report the end of an interrupted turn, so it counts as running until the next prompt of its session. Make
sure that its agent no longer writes.

Examples:
  fuzzy-edit turns end
  fuzzy-edit turns end 1";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let turns = Turns::read(shared)?;
    let turn = match arguments.number {
        Some(number) => turns.chosen(Some(number))?,
        None => only(&turns)?,
    };
    if turn.state != TurnState::Running {
        let message = format!("turn {} has ended already", turn.number);
        return Err(Refused::new(Code::Invalid, message, "`fuzzy-edit turns` marks the turns that are running."));
    }
    let service = &turns.place.service;
    let title = service.session(&turn.session_id)?.title;
    service.end_turn_late(&turn.session_id, &turn.id, edits::last_action(&title, None))?;
    let now = service.turns(turns.place.worktree.id())?;
    let turn = now.into_iter().find(|now| now.number == turn.number).unwrap_or_else(|| turn.clone());
    let text = format!("turn {} has ended: {}\n", turn.number, prompt(&turn));
    output::print(shared.json, &Ended { turn }, || text);
    Ok(ExitCode::SUCCESS)
}

/// Returns the only running turn.
fn only(turns: &Turns) -> Result<&ListedTurn, Refused> {
    let mut running = turns.all.iter().filter(|turn| turn.state == TurnState::Running);
    match (running.next(), running.next()) {
        (Some(turn), None) => Ok(turn),
        (None, _) => Err(Refused::unknown("no turn is running", "`fuzzy-edit turns` lists all turns.")),
        (Some(first), Some(second)) => {
            let message = format!("several turns are running, such as {} and {}", first.number, second.number);
            Err(Refused::bad_input(message, format!("Name one: `fuzzy-edit turns end {}`.", first.number)))
        }
    }
}
