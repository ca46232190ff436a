//! `checkpoint list`: lists checkpoints.

use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::Reason;
use fuzzy_checkpoint_service::ProcessBackend;
use fuzzy_checkpoint_store::{Checkpoint, ListFilter, SessionId, now_ms};
use schemars::JsonSchema;
use serde::Serialize;

use super::options::{Session, Shared};
use super::place::Place;
use super::refused::Refused;
use super::text;
use crate::output;

/// List the checkpoints of this worktree, oldest first
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Also list checkpoints that a restore has hidden
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    session: Session,
}

const AFTER_HELP: &str = "\
A restore first takes a checkpoint of its own, of the kind `safety`. It hides the checkpoints of later turns until it is
undone; checkpoints taken by hand remain visible.

Examples:
  fuzzy-edit checkpoint list
  fuzzy-edit checkpoint list --all
  fuzzy-edit checkpoint list --json";

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    session_id: Option<SessionId>,
    checkpoints: Vec<Checkpoint>,
    /// Whether the newest checkpoint of the worktree still borrows objects from the repository, and is lost with it.
    borrowing: bool,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, ProcessBackend::default())?;
    let session_id = place.session(&arguments.session)?;
    let checkpoints = match &session_id {
        Some(session) => place.service.list(session, ListFilter { retired: arguments.all })?,
        None => Vec::new(),
    };
    let everything = place.service.store().checkpoints_of(place.worktree.id())?;
    let length = text::distinct_length(everything.iter().map(|row| row.id.as_str()));
    let report = Report { session_id, checkpoints, borrowing: place.worktree.is_borrowing() };
    let other = everything.iter().find(|row| Some(&row.session_id) != report.session_id.as_ref());
    let other = other.map(|row| row.session_id.clone());
    Ok(output::answer(shared.json, &report, || describe(&report, length, other.as_ref())))
}

fn describe(report: &Report, length: usize, other: Option<&SessionId>) -> String {
    if let (true, Some(other)) = (report.checkpoints.is_empty(), other) {
        return format!("no checkpoints in this session; another session has some: --session {other}\n");
    }
    if report.checkpoints.is_empty() {
        return "no checkpoints yet; take one with: fuzzy-edit checkpoint create\n".to_owned();
    }
    let now = now_ms();
    let mut rows = vec![(["ID", "TAKEN", "KIND", "BRANCH", "LABEL"].map(str::to_owned), String::new())];
    for row in &report.checkpoints {
        let notes = notes(row).join(", ");
        let notes = if notes.is_empty() { notes } else { format!("({notes})") };
        let id = text::short(row.id.as_str(), length).to_owned();
        let kind = row.kind.as_str().to_owned();
        rows.push(([id, text::age(now, row.created_at), kind, branch(row), text::plain(&row.label)], notes));
    }
    text::noted_table(&rows, output::columns()) + if report.borrowing { text::BORROWING } else { "" }
}

/// Returns the branch, or the commit if no branch was checked out.
pub(super) fn branch(row: &Checkpoint) -> String {
    match (&row.head_ref, &row.head_oid) {
        (Some(name), _) => text::plain(name.strip_prefix("refs/heads/").unwrap_or(name)),
        (None, Some(commit)) => text::short(commit.as_str(), 10).to_owned(),
        (None, None) => "-".to_owned(),
    }
}

fn notes(row: &Checkpoint) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(restore) = &row.retired_by {
        notes.push(format!("hidden by restore {restore}"));
    }
    let suspect = row.uncovered.iter().filter(|left| left.reason == Reason::Suspect).count();
    if row.uncovered.len() > suspect {
        notes.push(format!("{} not covered", row.uncovered.len() - suspect));
    }
    if suspect > 0 {
        notes.push(format!("{suspect} suspect"));
    }
    notes
}
