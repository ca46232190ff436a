//! `checkpoint recover`: finishes interrupted restores; and `restore --abort`, which aborts one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use fuzzy_checkpoint_service::{Error, Settings};
use fuzzy_checkpoint_store::{Phase, RestoreId};
use schemars::JsonSchema;
use serde::Serialize;

use super::options::{Agent, LEASE, Shared};
use super::place::{Place, current};
use super::refused::Refused;
use crate::output;

/// Finish interrupted restores, and make records and repository consistent
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Give up the checkpoints of this worktree whose directory does not exist here, and begin a new one
    #[arg(long)]
    new_store: bool,
    #[command(flatten)]
    agent: Agent,
}

const AFTER_HELP: &str = "\
It covers every worktree in the database, so it can run in any directory. A restore whose process has died is taken over
at once on the same machine; otherwise when its lease expires, within ten seconds, or thirty for `fuzzy-edit mcp`.
Repeating the command is safe.

Examples:
  fuzzy-edit checkpoint recover
  fuzzy-edit checkpoint recover --json";

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    recovered: Vec<One>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct One {
    restore_id: RestoreId,
    phase: Phase,
    /// Why the restore is still unfinished.
    error: Option<String>,
}

/// The time between two checks of a lease.
const PAUSE: Duration = Duration::from_millis(200);

/// Returns the longest time to wait for a lease: a server may hold a longer one than these commands do.
fn patience() -> Duration {
    Settings::default().lease.max(LEASE) + Duration::from_secs(2)
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let service = shared.service(&Shared::state()?, arguments.agent.backend())?;
    if arguments.new_store {
        service.begin_store(&current()?)?;
    }
    let mut known: BTreeMap<String, One> = BTreeMap::new();
    let deadline = Instant::now() + patience();
    let mut waits = false;
    loop {
        for one in service.recover()? {
            let one = One { restore_id: one.restore, phase: one.phase, error: one.error };
            known.insert(one.restore_id.0.clone(), one);
        }
        let open = service.store().open_restores()?;
        let held: Vec<_> = open.into_iter().filter(|row| !known.contains_key(row.id.as_str())).collect();
        if held.is_empty() {
            break;
        }
        if Instant::now() >= deadline {
            let error = Some("another process is working on it".to_owned());
            known.extend(
                held.into_iter()
                    .map(|row| (row.id.0.clone(), One { restore_id: row.id, phase: row.phase, error: error.clone() })),
            );
            break;
        }
        if !waits {
            output::complain(&format!(
                "waiting at most {} s for the process that began restore {}",
                patience().as_secs(),
                held[0].id
            ));
            waits = true;
        }
        thread::sleep(PAUSE);
    }
    let report = Report { recovered: known.into_values().collect() };
    output::print(shared.json, &report, || output::unless_quiet(|| describe(&report)));
    let stuck = report.recovered.iter().filter_map(|one| Some((one, one.error.as_ref()?)));
    let mut code = ExitCode::SUCCESS;
    for (one, error) in stuck {
        let next_step = format!(
            "Fix the cause and recover again, or abort it: `fuzzy-edit checkpoint restore --abort {}`",
            one.restore_id
        );
        output::complain(&format!("restore {} cannot be finished: {error}. {next_step}.", one.restore_id));
        code = ExitCode::from(1);
    }
    Ok(code)
}

fn describe(report: &Report) -> String {
    if report.recovered.is_empty() {
        return "there are no interrupted restores\n".to_owned();
    }
    let mut text = String::new();
    for one in report.recovered.iter().filter(|one| one.error.is_none()) {
        let end = match one.phase {
            Phase::Done => "is finished",
            Phase::Refused => "was aborted before it wrote any file",
            _ => "was rolled back",
        };
        let _ = writeln!(text, "restore {} {end}", one.restore_id);
    }
    text
}

/// Aborts a restore.
pub(super) fn abort(shared: &Shared, place: &Place, id: &str) -> Result<ExitCode, Refused> {
    let row = place.restore(id)?;
    if !row.phase.is_open() {
        let message = format!("restore {} is over: {}", row.id, row.phase.as_str());
        return Err(Refused::bad_input(message, format!("If it is done, `fuzzy-edit undo {}` undoes it.", row.id)));
    }
    let deadline = Instant::now() + patience();
    // The lease of a process that died has to expire first.
    while let Err(error) = place.service.abort(&row.id) {
        if !matches!(error, Error::RestoreInProgress) || Instant::now() >= deadline {
            return Err(error.into());
        }
        thread::sleep(PAUSE);
    }
    let phase = place.service.store().restore(&row.id)?.map_or(Phase::RolledBack, |row| row.phase);
    let one = One { restore_id: row.id, phase, error: None };
    output::print(shared.json, &one, || {
        format!("restore {} is aborted; the files are as they were before it\n", one.restore_id)
    });
    Ok(ExitCode::SUCCESS)
}
