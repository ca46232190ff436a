//! `checkpoint show`: prints the details of a checkpoint.

use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::{Details, ProcessBackend};
use fuzzy_checkpoint_store::{Checkpoint, now_ms};
use schemars::JsonSchema;
use serde::Serialize;

use super::list::branch;
use super::options::{Session, Shared};
use super::place::Place;
use super::refused::Refused;
use super::text;
use crate::output;

/// Print the details of a checkpoint: time, branch, uncovered files, and whether it can be restored
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Its id or a prefix of it
    id: String,
    #[command(flatten)]
    session: Session,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit checkpoint show 01KAN3F2
  fuzzy-edit checkpoint show 01KAN3F2 --json";

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report<'a> {
    #[serde(flatten)]
    checkpoint: &'a Checkpoint,
    pinned: bool,
    refs: Vec<String>,
    size_bytes: u64,
    commits_since: u64,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, ProcessBackend::default())?;
    let session = place.session(&arguments.session)?;
    let row = place.checkpoint(session.as_ref(), &arguments.id)?;
    let Details { pinned, refs, size_bytes, commits_since, .. } = place.service.show(&row.session_id, &row.id)?;
    let report = Report { checkpoint: &row, pinned, refs, size_bytes, commits_since };
    Ok(output::answer(shared.json, &report, || describe(&report)))
}

fn describe(report: &Report<'_>) -> String {
    let row = report.checkpoint;
    let commit = row.head_oid.as_ref().map_or_else(|| "no commit yet".to_owned(), ToString::to_string);
    let since = match report.commits_since {
        0 => String::new(),
        number => format!(", {} since", text::count(number, "commit")),
    };
    let state = match (&row.retired_by, report.pinned) {
        (_, false) => "lost: its ref is missing, so it cannot be restored".to_owned(),
        (Some(restore), true) => format!("hidden by restore {restore}; undo that restore first"),
        (None, true) => "can be restored".to_owned(),
    };
    let index = match row.index_tree_oid {
        Some(_) => "captured".to_owned(),
        None => format!("not captured: {}", text::index_left(row.index_left)),
    };
    let lines = [
        ["checkpoint", row.id.as_str()].map(str::to_owned),
        ["state".to_owned(), state],
        ["taken".to_owned(), format!("{} ({})", text::utc(row.created_at), text::age(now_ms(), row.created_at))],
        ["label".to_owned(), text::plain(&row.label)],
        ["kind", row.kind.as_str()].map(str::to_owned),
        ["session", row.session_id.as_str()].map(str::to_owned),
        ["branch".to_owned(), branch(row)],
        ["head".to_owned(), commit + &since],
        ["tree", row.tree_oid.as_str()].map(str::to_owned),
        ["index".to_owned(), index],
        ["size".to_owned(), format!("{} held only by checkpoints", text::size(report.size_bytes))],
    ];
    text::table(&lines) + &text::uncovered(&row.uncovered)
}
