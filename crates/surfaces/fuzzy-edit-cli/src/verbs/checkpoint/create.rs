//! `checkpoint create`: takes a checkpoint.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{CreateOptions, Created, ProcessBackend};
use fuzzy_checkpoint_store::Checkpoint;
use schemars::JsonSchema;
use serde::Serialize;

use super::options::{Session, Shared};
use super::place::Place;
use super::refused::Refused;
use super::text;
use crate::output;

/// Take a checkpoint of the worktree around the current directory
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// A short description
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    label: String,
    #[command(flatten)]
    session: Session,
}

const AFTER_HELP: &str = "\
Ignored files are captured only if they are staged. Nested repositories, sockets, pipes and files over 10 MiB are never
captured. Files that were left out are listed. A new --session is created.

Examples:
  fuzzy-edit checkpoint create
  fuzzy-edit checkpoint create --label 'before the refactoring'
  fuzzy-edit checkpoint create --session experiment
  fuzzy-edit checkpoint create --json";

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report<'a> {
    #[serde(flatten)]
    checkpoint: &'a Checkpoint,
    /// Files captured for the first time whose names suggest secrets.
    secrets: &'a [RepoPath],
    warnings: Vec<String>,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, ProcessBackend::default())?;
    let session = place.session_or_new(&arguments.session)?;
    let options = CreateOptions { label: arguments.label.clone(), ..CreateOptions::default() };
    let is_first = place.service.store().checkpoints_of(place.worktree.id())?.is_empty();
    let waiting = output::waiting(is_first && !output::is_quiet(), "the first checkpoint reads every file");
    let created = place.service.create(&session, &options);
    waiting.finish_and_clear();
    let created = created.map_err(|error| place.explain(error))?;
    let warnings = warnings(&created, place.worktree.is_sidecar() || place.worktree.is_abandoned());
    let report = Report { checkpoint: &created.checkpoint, secrets: &created.secrets, warnings };
    // The checkpoint exists, even if this cannot be printed.
    let id = || format!("{}\n", report.checkpoint.id);
    output::print(shared.json, &report, || if output::is_quiet() { id() } else { describe(&report) });
    // The checkpoint exists, even if pruning fails.
    let _ = place.service.prune_daily(place.worktree.id());
    Ok(ExitCode::SUCCESS)
}

fn warnings(created: &Created, sidecar: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    for path in &created.secrets {
        warnings.push(format!(
            "{} looks like a secret and is now in the state directory. Add it to .gitignore to leave it out",
            text::quoted(path)
        ));
    }
    if created.checkpoint.index_tree_oid.is_none() && !sidecar {
        let why = text::index_left(created.checkpoint.index_left);
        warnings.push(format!("this checkpoint cannot restore the index: {why}; a restore keeps the index"));
    }
    warnings
}

fn describe(report: &Report<'_>) -> String {
    let id = &report.checkpoint.id;
    let mut out = format!("checkpoint {id}\n");
    out += &text::uncovered(&report.checkpoint.uncovered);
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    let _ = writeln!(out, "to restore it: fuzzy-edit checkpoint restore {id}");
    out
}
