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

/// Take a restore back: files, transcript and hidden checkpoints; never asks
#[derive(Args)]
#[command(after_help = UNDO_HELP)]
pub(super) struct Undo {
    /// The id of the restore, or a beginning of it; the session's last one that is not undone, unless told
    #[arg(value_name = "RESTORE")]
    id: Option<String>,
    #[command(flatten)]
    which: Which,
}

/// Do a restore again that was undone; never asks
#[derive(Args)]
#[command(after_help = REDO_HELP)]
pub(super) struct Redo {
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
struct Which {
    #[command(flatten)]
    session: Session,
    #[command(flatten)]
    agent: Reset,
}

const UNDO_HELP: &str = "\
The files become what they were just before the restore; what was changed since is in a checkpoint of its own. Several
restores are undone from the last to the first. When the session has gone on since, or a later restore stands, the
transcript stays as it is, and the answer says so.

Examples:
  fuzzy-edit checkpoint undo
  fuzzy-edit checkpoint undo 01KAN4QX
  fuzzy-edit checkpoint undo 01KAN4QX --json";

const REDO_HELP: &str = "\
What the last undo brought back goes again, and the files become what they were just before it. Possible until something
is said or restored.

Examples:
  fuzzy-edit checkpoint redo
  fuzzy-edit checkpoint redo --json";

pub(super) fn run(shared: &Shared, arguments: &Undo) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, arguments.which.agent.backend())?;
    let id = match &arguments.id {
        Some(id) => place.restore(id)?.id,
        None => arguments.which.newest(&place, Checkpointer::undoable, "undo")?,
    };
    carry_out(shared, &place, &id)
}

pub(super) fn redo(shared: &Shared, arguments: &Redo) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, arguments.which.agent.backend())?;
    let id = arguments.which.newest(&place, Checkpointer::redoable, "do again")?;
    carry_out(shared, &place, &id)
}

impl Which {
    fn newest(
        &self,
        place: &Place,
        of: fn(&Checkpointer, &SessionId) -> Done<Option<Undoable>>,
        what: &str,
    ) -> Result<RestoreId, Refused> {
        let session = place.session(&self.session)?;
        let found = session.map(|id| of(&place.service, &id)).transpose()?.flatten();
        let nothing = || {
            let message = format!("there is nothing to {what} in this session");
            Refused::new(Code::Invalid, message, "`fuzzy-edit checkpoint list --all` shows what there is.")
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
