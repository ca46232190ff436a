//! The turns of a project, and the options of the verbs that read them.

use clap::Args;
use fuzzy_checkpoint_service::ListedTurn;
use fuzzy_report::Code;

use super::failed::FailedEvent;
use super::{edits, queue};
use crate::output;
use crate::verbs::checkpoint::options::Database;
use crate::verbs::checkpoint::place::{Place, current};
use crate::verbs::checkpoint::refused::Refused;

/// Options of every verb.
#[derive(Args)]
pub(super) struct Shared {
    /// Print one report as JSON
    #[arg(short, long, global = true, display_order = 100)]
    pub(super) json: bool,
    #[command(flatten)]
    database: Database,
}

/// The turns of the worktree around the current directory.
pub(super) struct Turns {
    pub(super) place: Place,
    pub(super) all: Vec<ListedTurn>,
    /// The events of the worktree that could not be recorded.
    pub(super) failed: Vec<FailedEvent>,
}

impl Turns {
    /// Reads the turns, after all pending events are recorded.
    ///
    /// # Errors
    ///
    /// Refuses if a process that records events of the project hangs: it may be about to capture the files.
    pub(super) fn read(shared: &Shared) -> Result<Self, Refused> {
        let (turns, hangs) = Self::read_now(shared)?;
        let next_step = "Let that process go on (`kill -CONT`), or end it, then try again.";
        hangs.map_or(Ok(turns), |why| Err(Refused::new(Code::Locked, format!("an event of a turn: {why}"), next_step)))
    }

    /// Reads the turns that are recorded; also returns the reason, if a process hangs that records another event.
    pub(super) fn read_now(shared: &Shared) -> Result<(Self, Option<String>), Refused> {
        let place = Place::of_turns(&current()?, &shared.database.clone().settled()?)?;
        let waits = || output::complain("waiting for the checkpoint of a turn");
        let sessions = place.service.store().sessions(place.worktree.id())?;
        let titles: Vec<String> = sessions.into_iter().map(|session| session.title).collect();
        let (failed, hangs) = queue::settle(place.worktree.root(), &titles, waits).map_err(|error| {
            let next_step = "Make the folder `turns` in the state directory readable and writable.";
            Refused::of_io("events of turns", &error, next_step)
        })?;
        // That process may also have locked the database.
        if hangs.is_none() {
            edits::note_running(&place)?;
        }
        let all = place.service.turns(place.worktree.id())?;
        Ok((Self { place, all, failed }, hangs))
    }

    /// Returns the turn with a number; without one, the last that is not undone.
    pub(super) fn chosen(&self, number: Option<i64>) -> Result<&ListedTurn, Refused> {
        let found = match number {
            Some(number) => self.all.iter().find(|turn| turn.number == number),
            None => self.all.iter().rev().find(|turn| !turn.taken_back),
        };
        found.ok_or_else(|| {
            let message = number.map_or("there is no turn".to_owned(), |number| format!("there is no turn {number}"));
            Refused::unknown(message, "`fuzzy-edit turns` lists all turns.")
        })
    }
}
