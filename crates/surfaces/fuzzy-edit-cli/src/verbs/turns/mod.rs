//! `turns`: what agents did in this project, prompt by prompt, and the way back.

mod diff;
mod keep;
mod list;
pub(crate) mod queue;
mod record;
pub(crate) mod reports;
mod rows;
mod undo;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use fuzzy_report::Code;

use super::checkpoint::options::Database;
use super::checkpoint::place::{Place, current};
use super::checkpoint::refused::Refused;
use crate::output;
use rows::Turn;

/// List the turns of agents in this project; show what one changed, or take turns back
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Print one report as JSON
    #[arg(short, long, global = true, display_order = 100)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

const AFTER_HELP: &str = "\
A turn goes from a prompt to the agent's answer. The hooks that `fuzzy-edit init` puts into the settings of hosts take a
checkpoint at its begin and at its end, so it has all changes: those of edit tools, shell commands and subagents. Files
that git ignores are not captured. A turn without an end was interrupted; the next prompt of the session ends it.

Numbers stay: a turn has the same number tomorrow.

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

/// Does what was asked, and reports it or why not.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let done = match &arguments.verb {
        None => list::run(arguments),
        Some(Verb::Diff(diff)) => diff::run(arguments, diff),
        Some(Verb::Undo(undo)) => undo::run(arguments, undo),
        Some(Verb::Keep(keep)) => keep::run(arguments, keep),
    };
    done.unwrap_or_else(|problem| problem.report(arguments.json))
}

/// The turns of the worktree around the current directory.
struct Turns {
    place: Place,
    all: Vec<Turn>,
}

impl Turns {
    /// Reads the turns, after the processes that still record some are done.
    fn read(arguments: &Arguments) -> Result<Self, Refused> {
        let place = Place::of_turns(&current()?, &arguments.database)?;
        let waits = || output::complain("waiting for the checkpoint of a turn");
        queue::settle(place.worktree.root(), waits).map_err(|error| {
            let next_step = "Make the folder `turns` of the state directory readable and writable.";
            Refused::new(Code::Io, format!("events of turns: {error}"), next_step)
        })?;
        let all = rows::turns(&place)?;
        Ok(Self { place, all })
    }

    /// Returns the turn of a number; without one, the last that is not taken back.
    fn chosen(&self, number: Option<usize>) -> Result<&Turn, Refused> {
        let found = match number {
            Some(number) => self.all.iter().find(|turn| turn.number == number),
            None => self.all.iter().rev().find(|turn| !turn.taken_back),
        };
        found.ok_or_else(|| {
            let message = number.map_or("there is no turn".to_owned(), |number| format!("there is no turn {number}"));
            Refused::unknown(message, "`fuzzy-edit turns` lists those that there are.")
        })
    }
}
