//! `checkpoint prune`: gives up old checkpoints.

use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::ProcessBackend;
use fuzzy_checkpoint_store::{CheckpointId, Retention};
use serde::Serialize;

use super::options::Shared;
use super::place::Place;
use super::problem::Problem;
use super::text;
use crate::output;

/// Give up old checkpoints of this worktree, for good
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Keep this many of a session's newest turns, and its first
    #[arg(long, value_name = "N", default_value_t = Retention::default().turns)]
    turns: usize,
    /// Keep checkpoints taken by hand for this many days
    #[arg(long, value_name = "DAYS", default_value_t = days(Retention::default().other_ms))]
    days: u32,
    /// Keep checkpoints that a restore took or has hidden for this many days
    #[arg(long, value_name = "DAYS", default_value_t = days(Retention::default().safety_ms))]
    safety_days: u32,
    /// Beyond these rules give up the oldest until the rest holds at most this much; the newest always stays
    #[arg(long, value_name = "BYTES", default_value_t = Retention::default().max_bytes)]
    max_bytes: u64,
}

const AFTER_HELP: &str = "\
Nothing is asked: what the rules do not keep cannot be restored any more. The space is freed by git's own housekeeping,
which never runs from here.

Examples:
  fuzzy-edit checkpoint prune
  fuzzy-edit checkpoint prune --days 7 --safety-days 1
  fuzzy-edit checkpoint prune --max-bytes 100000000 --json";

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn days(ms: i64) -> u32 {
    u32::try_from(ms / DAY_MS).unwrap_or(u32::MAX)
}

#[derive(Serialize)]
struct Report {
    pruned: Vec<CheckpointId>,
    messages_deleted: u64,
    held_bytes: u64,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Problem> {
    let place = Place::open(shared, ProcessBackend::default())?;
    let retention = Retention {
        turns: arguments.turns,
        safety_ms: i64::from(arguments.safety_days) * DAY_MS,
        other_ms: i64::from(arguments.days) * DAY_MS,
        max_bytes: arguments.max_bytes,
    };
    let done = place.service.prune(&retention, Some(place.worktree.id()))?;
    let report =
        Report { pruned: done.pruned, messages_deleted: done.messages, held_bytes: place.worktree.held_bytes()? };
    output::print(shared.json, &report, || {
        let number = report.pruned.len() as u64;
        let held = text::size(report.held_bytes);
        format!("{} given up; the others hold {held} besides your own commits\n", text::count(number, "checkpoint"))
    });
    Ok(ExitCode::SUCCESS)
}
