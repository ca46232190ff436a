//! `checkpoint prune`: deletes old checkpoints.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::{ProcessBackend, PruneReport};
use fuzzy_checkpoint_store::{CheckpointId, Retention};
use schemars::JsonSchema;
use serde::Serialize;

use super::options::Shared;
use super::place::Place;
use super::refused::Refused;
use super::text;
use crate::output;

/// Delete old checkpoints of this worktree permanently, and the texts of old turns
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Keep the newest N turns of a worktree
    #[arg(long, value_name = "N", default_value_t = Retention::default().turns)]
    turns: usize,
    /// Keep turns, and checkpoints taken by hand, for N days
    #[arg(long, value_name = "DAYS", default_value_t = days(Retention::default().other_ms))]
    days: u32,
    /// Keep checkpoints that a restore took or has hidden for N days
    #[arg(long, value_name = "DAYS", default_value_t = days(Retention::default().safety_ms))]
    safety_days: u32,
    /// Then delete the oldest until the rest holds at most N bytes; the newest is always kept
    #[arg(long, value_name = "BYTES", default_value_t = Retention::default().max_bytes)]
    max_bytes: u64,
    /// Prune all worktrees of the database, including removed ones
    #[arg(long)]
    all: bool,
    /// Also prune worktrees whose repository no longer exists, and removed folders without git
    #[arg(long)]
    gone: bool,
}

const AFTER_HELP: &str = "\
There is no confirmation, and deleted checkpoints cannot be restored. Their space is freed at once.
Checkpoints of a repository that no longer exists may be the only copies of its files, so they remain without --gone.

Examples:
  fuzzy-edit checkpoint prune
  fuzzy-edit checkpoint prune --days 7 --safety-days 1
  fuzzy-edit checkpoint prune --all
  fuzzy-edit checkpoint prune --all --gone
  fuzzy-edit checkpoint prune --max-bytes 100000000 --json";

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn days(ms: i64) -> u32 {
    u32::try_from(ms / DAY_MS).unwrap_or(u32::MAX)
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    pruned: Vec<CheckpointId>,
    messages_deleted: u64,
    /// The number of messages whose texts were deleted.
    texts: u64,
    /// The number of freed bytes.
    freed_bytes: u64,
    /// The bytes that checkpoints of the worktree hold now; `None` if all worktrees were pruned.
    held_bytes: Option<u64>,
    /// Worktrees that could not be opened.
    unreachable: Vec<String>,
    /// Worktrees whose old checkpoints are kept, because their repository no longer exists.
    gone: Vec<String>,
    /// Worktrees in which a restore was running.
    busy: Vec<String>,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let retention = Retention {
        turns: arguments.turns,
        safety_ms: i64::from(arguments.safety_days) * DAY_MS,
        other_ms: i64::from(arguments.days) * DAY_MS,
        max_bytes: arguments.max_bytes,
        gone: arguments.gone,
    };
    let (done, held_bytes) = if arguments.all {
        (shared.service(&Shared::state()?, ProcessBackend::default())?.prune(&retention, None)?, None)
    } else {
        let place = Place::open(shared, ProcessBackend::default())?;
        let done = place.service.prune(&retention, Some(place.worktree.id()));
        (done.map_err(|error| place.explain(error))?, Some(place.worktree.held_bytes()?))
    };
    let PruneReport { pruned, messages, texts, unreachable, gone, busy, freed_bytes } = done;
    let report = Report { pruned, messages_deleted: messages, texts, freed_bytes, held_bytes, unreachable, gone, busy };
    output::print(shared.json, &report, || describe(&report));
    Ok(ExitCode::SUCCESS)
}

const LOOK: &str = "see `fuzzy-edit checkpoint doctor`";

fn describe(report: &Report) -> String {
    let mut out = format!("{} deleted", text::count(report.pruned.len() as u64, "checkpoint"));
    if report.texts > 0 {
        let _ = write!(out, ", {} of transcripts", text::count(report.texts, "text"));
    }
    let _ = write!(out, ", {} freed", text::size(report.freed_bytes));
    if let Some(bytes) = report.held_bytes {
        let _ = write!(out, "; {} still held", text::size(bytes));
    }
    out.push('\n');
    for (names, why, next_step) in [
        (&report.unreachable, "cannot be opened", LOOK),
        (&report.gone, "has no repository any more", "--gone deletes old ones, too"),
        (&report.busy, "is being restored", LOOK),
    ] {
        for name in names {
            let _ = writeln!(out, "worktree {name} {why}, so its checkpoints are kept; {next_step}");
        }
    }
    out
}
