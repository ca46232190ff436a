//! `checkpoint undo` and `checkpoint redo`: undo a restore, and redo it.

use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::{Checkpointer, Result as Done, Undoable};
use fuzzy_checkpoint_store::{RestoreId, SessionId};
use fuzzy_report::Code;

use super::options::{Reset, Session, Shared};
use super::place::Place;
use super::refused::Refused;
use super::restore;

/// Undo a restore: files, transcript and hidden checkpoints, without confirmation
#[derive(Args)]
#[command(after_help = UNDO_HELP)]
pub(super) struct Undo {
    /// The id of the restore, or a prefix of it [default: the last restore of the worktree that is not undone]
    #[arg(value_name = "RESTORE")]
    id: Option<String>,
    #[command(flatten)]
    which: Which,
}

/// Redo the last restore that was undone, without confirmation
#[derive(Args)]
#[command(after_help = REDO_HELP)]
pub(super) struct Redo {
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
struct Which {
    /// Only restores of this session: its title, a host, `latest`, the number of a turn in it, or a prefix of its id
    #[arg(long = "session", value_name = "SESSION")]
    session: Option<String>,
    #[command(flatten)]
    agent: Reset,
}

const UNDO_HELP: &str = "\
The files are as they were just before the restore; changes made since are in a checkpoint of their own. Several restores
are undone from the last to the first. If the session has new messages, or a later restore is not undone, the transcript
is kept, and the output says so.

Examples:
  fuzzy-edit checkpoint undo
  fuzzy-edit checkpoint undo 01KAN4QX
  fuzzy-edit checkpoint undo 01KAN4QX --json";

const REDO_HELP: &str = "\
Reverts the last undo: the files are as they were just before it. Possible until the session has a new message or another
restore.

Examples:
  fuzzy-edit checkpoint redo
  fuzzy-edit checkpoint redo --json";

pub(super) fn run(shared: &Shared, arguments: &Undo) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, arguments.which.agent.backend())?;
    let id = match &arguments.id {
        Some(id) => place.restore(id)?.id,
        None => arguments.which.newest(&place, "undo", Checkpointer::undoable, Checkpointer::undoable_in)?,
    };
    carry_out(shared, &place, &id)
}

pub(super) fn redo(shared: &Shared, arguments: &Redo) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, arguments.which.agent.backend())?;
    let id = arguments.which.newest(&place, "do again", Checkpointer::redoable, Checkpointer::redoable_in)?;
    carry_out(shared, &place, &id)
}

impl Which {
    fn newest(
        &self,
        place: &Place,
        what: &str,
        of_session: fn(&Checkpointer, &SessionId) -> Done<Option<Undoable>>,
        of_worktree: fn(&Checkpointer, &str) -> Done<Option<Undoable>>,
    ) -> Result<RestoreId, Refused> {
        let (found, where_) = match &self.session {
            Some(name) => {
                let session = place.session(&Session { name: name.clone() })?;
                (session.map(|id| of_session(&place.service, &id)).transpose()?.flatten(), "session")
            }
            None => (of_worktree(&place.service, place.worktree.id())?, "worktree"),
        };
        let nothing = || {
            let message = format!("there is nothing to {what} in this {where_}");
            Refused::new(Code::Invalid, message, "`fuzzy-edit checkpoint list --all` lists all checkpoints.")
        };
        found.map(|found| found.restore).ok_or_else(nothing)
    }
}

fn carry_out(shared: &Shared, place: &Place, id: &RestoreId) -> Result<ExitCode, Refused> {
    let row = place.service.store().restore(id)?;
    let whole = row.as_ref().is_none_or(|row| row.options.paths.is_empty());
    let outcome = place.service.undo(id, None).map_err(|error| place.explain(error))?;
    let done = if row.is_some_and(|row| row.takes_back()) { restore::Done::Again } else { restore::Done::Undone };
    restore::report(shared, &outcome, &done, whole);
    Ok(ExitCode::SUCCESS)
}
