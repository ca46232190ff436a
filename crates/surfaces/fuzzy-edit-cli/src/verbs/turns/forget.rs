//! `turns forget`: deletes the texts and contents of turns at once.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::{Forgotten, ListedTurn};
use fuzzy_checkpoint_store::SessionId;
use fuzzy_edit::State;
use fuzzy_hosts::Views;
use fuzzy_report::Code;
use fuzzy_safe_write::{Done, Record, recover};

use super::entry::id_of;
use super::numbers::{named, turns_of};
use super::project::{Shared, Turns};
use super::{edits, failed, reports};
use crate::output;
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text;

/// Delete the prompts, transcripts and checkpoints of turns at once
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The numbers of turns, or ranges such as `2..4`
    #[arg(value_name = "TURN", required_unless_present = "all", conflicts_with = "all")]
    turns: Vec<String>,
    /// Everything of this project: all turns, kept ones too, and checkpoints taken by hand
    #[arg(long)]
    all: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

const AFTER_HELP: &str = "\
Numbers, times and names of files remain; the turns can no longer be taken back. The batches of edits of these turns can
no longer be undone. No file of the project is changed.

A content that another turn's checkpoint has, too, remains in it: the files are named. With --all nothing of the project
is left. A running turn is refused: end it first. The next checkpoint reads every file.

Examples:
  fuzzy-edit turns forget 1 --yes
  fuzzy-edit turns forget 1..2 --yes --json
  fuzzy-edit turns forget --all --yes";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let numbers = (!arguments.all).then(|| turns_of(&arguments.turns)).transpose()?;
    let numbers: Option<BTreeSet<i64>> = numbers.map(|numbers| numbers.into_iter().collect());
    let Turns { place, all, .. } = Turns::read(shared)?;
    if !arguments.yes {
        Refused::if_no_terminal("Add --yes to go on.")?;
    }
    let what = numbers.as_ref().map_or_else(
        || "all turns and checkpoints of this project".to_owned(),
        |numbers| named(&numbers.iter().copied().collect::<Vec<_>>()),
    );
    let plan = format!("texts and contents of {what} are deleted; this cannot be undone\n");
    if !arguments.yes && !output::agreed(&plan, "forget") {
        return Err(Refused::new(Code::Declined, "nothing was deleted", "Answer y to go on."));
    }
    let (root, worktree) = (place.worktree.root(), place.worktree.id());
    let is_meant = |turn: &ListedTurn| numbers.as_ref().is_none_or(|numbers| numbers.contains(&turn.number));
    let meant: BTreeSet<SessionId> = all.into_iter().filter(is_meant).map(|turn| turn.session_id).collect();
    let sessions = place.service.store().sessions(worktree)?;
    let forgotten = place.service.forget(worktree, numbers.as_ref()).map_err(|error| place.explain(error))?;
    let batches = forget_batches(root, numbers.is_some().then_some(&forgotten.times[..]))?;
    let views = Views::from_environment();
    for session in sessions.iter().filter(|session| meant.contains(&session.id)) {
        let named = session.host.as_deref().and_then(|host| Some((host, id_of(host, &session.title)?)));
        if let (Some(views), Some((host, id))) = (&views, named) {
            views.forget_session(host, id);
        }
    }
    if numbers.is_none() {
        let titles: Vec<String> = sessions.into_iter().map(|session| session.title).collect();
        for title in &titles {
            edits::forget_all(title);
        }
        if let Some(views) = &views {
            views.forget_below(root);
        }
        let failure = |error| Refused::of_io("events of turns", &error, "Try again.");
        failed::forget(root, &titles).map_err(failure)?;
    }
    let report = reports::Forgot { status: "forgotten", batches, forgotten };
    output::print(shared.json, &report, || describe(&report));
    Ok(ExitCode::SUCCESS)
}

/// Deletes the journals of edits in a directory; with `times`, only of batches that were made then.
fn forget_batches(root: &Path, times: Option<&[(i64, i64)]>) -> Result<usize, Refused> {
    let state = State::from_environment();
    // An interrupted batch is finished or rolled back first; its journal has contents, too.
    drop(recover(&state));
    let is_then = |id: &str, record: &Record| {
        let time = record.time_ms(id).and_then(|time| i64::try_from(time).ok());
        times.is_none_or(|times| times.iter().any(|(from, to)| time.is_none_or(|time| (*from..=*to).contains(&time))))
    };
    let is_here = |record: &Record| record.paths().iter().any(|path| path.starts_with(root));
    Done::forget(&state, |id, record| is_here(record) && is_then(id, record)).map_err(|error| {
        Refused::new(Code::Io, format!("batches of edits: {error}"), "Make the folder `done` writable, then try again.")
    })
}

fn describe(report: &reports::Forgot) -> String {
    let Forgotten { turns, pruned, freed_bytes, still_held, .. } = &report.forgotten;
    let what = if turns.is_empty() { "no turn".to_owned() } else { named(turns) };
    let mut out = format!(
        "forgotten: {what}; {} deleted, {} freed\n",
        text::count(pruned.len() as u64, "checkpoint"),
        text::size(*freed_bytes)
    );
    if report.batches > 0 {
        let _ = writeln!(out, "{} can no longer be undone", text::count(report.batches as u64, "batch"));
    }
    if !still_held.is_empty() {
        let paths: Vec<String> = still_held.iter().map(text::quoted).collect();
        let _ = writeln!(out, "other checkpoints still have contents of: {}", paths.join(" "));
    }
    out
}
