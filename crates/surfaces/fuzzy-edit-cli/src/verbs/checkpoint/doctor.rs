//! `checkpoint doctor`: looks for problems.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::Worktree;
use fuzzy_checkpoint_service::{Health, ProcessBackend, WorktreeHealth};
use schemars::JsonSchema;
use serde::Serialize;

use super::options::Shared;
use super::refused::Refused;
use super::{storage, text};
use crate::output;

/// Look for problems with the checkpoints of all worktrees; changes nothing by itself
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Adopt the checkpoints of another directory from which this worktree was moved
    #[arg(long, value_name = "WORKTREE")]
    #[arg(num_args = 0..=1, default_missing_value = "")]
    adopt: Option<String>,
    /// Recreate records for checkpoints in this repository after the database was lost
    #[arg(long)]
    adopt_refs: bool,
    /// Read every object of every checkpoint, and name the checkpoints that are damaged
    #[arg(long)]
    read_data: bool,
}

const AFTER_HELP: &str = "\
Reports records without a ref and refs without a record, the size of data that only checkpoints need, leftovers of
interrupted commands, unfinished restores, files in checkpoints that look like secrets, storage that does not last, and
git's version. The exit code is 1 if there is a problem.

A moved worktree keeps its checkpoints. --adopt is for a worktree that was copied, moved to another disk, or moved before
it had an id: it adopts the checkpoints of the directory with this id, or prefix of an id.

--adopt-refs is for a lost database: the checkpoints in the repository are listed again, in the session of checkpoints
taken by hand.

Examples:
  fuzzy-edit checkpoint doctor
  fuzzy-edit checkpoint doctor --read-data
  fuzzy-edit checkpoint doctor --json";

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    healthy: bool,
    state_dir: PathBuf,
    /// A warning if the checkpoints are on storage that may lose them.
    storage: Option<String>,
    #[serde(flatten)]
    health: Health,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let state_dir = Shared::state()?;
    let service = shared.service(&state_dir, ProcessBackend::default())?;
    let dir = env::current_dir().unwrap_or_default();
    if let Some(id) = &arguments.adopt {
        service.adopt(&dir, Some(id.as_str()).filter(|id| !id.is_empty()))?;
    }
    if arguments.adopt_refs {
        let adopted = service.adopt_refs(&dir)?;
        output::complain(&format!("{} found again", text::count(adopted.len() as u64, "checkpoint")));
    }
    let engine = shared.engine(&state_dir);
    let here = engine.open(&dir).ok();
    let mut health = service.doctor(here.as_ref(), arguments.read_data)?;
    health.worktrees.extend(here.and_then(|worktree| unknown(&worktree, &health).transpose()).transpose()?);
    let storage = storage::warning(engine.state_dir());
    let report = Report { healthy: health.is_well(), state_dir, storage, health };
    let code = output::answer(shared.json, &report, || describe(&report));
    Ok(if report.healthy { code } else { ExitCode::from(1) })
}

/// Examines the worktree around the current directory if the database does not contain it: the database may be lost
/// while the checkpoints still exist.
fn unknown(worktree: &Worktree, health: &Health) -> Result<Option<WorktreeHealth>, Refused> {
    let pins = worktree.pins()?;
    if pins.is_empty() || health.worktrees.iter().any(|known| known.id == worktree.id()) {
        return Ok(None);
    }
    let refs = pins.iter().map(|(name, _)| worktree.checkpoint_ref(name));
    Ok(Some(WorktreeHealth {
        id: worktree.id().to_owned(),
        root: worktree.root().to_string_lossy().into_owned(),
        refs_without_rows: refs.collect::<Result<_, _>>()?,
        held_bytes: worktree.held_bytes()?,
        borrowing: worktree.is_borrowing(),
        secrets: worktree.stored_secrets()?,
        ..WorktreeHealth::default()
    }))
}

fn describe(report: &Report) -> String {
    let health = &report.health;
    let mut out = format!("{}\nkept in {}\n", health.git_version.trim(), report.state_dir.display());
    if let Some(warning) = &report.storage {
        let _ = writeln!(out, "warning: {warning}");
    }
    for restore in &health.open_restores {
        let _ = writeln!(
            out,
            "problem: restore {restore} is not finished; finish it with `fuzzy-edit checkpoint recover`, or abort it \
             with `fuzzy-edit checkpoint restore --abort {restore}`"
        );
    }
    for worktree in &health.worktrees {
        out += &of_worktree(worktree);
    }
    if health.worktrees.iter().any(|worktree| worktree.error.is_none() && worktree.damaged.is_none()) {
        out += "the contents of the checkpoints were not read; --read-data reads them\n";
    }
    out += match (health.worktrees.is_empty(), report.healthy) {
        (true, _) => "no checkpoints yet\n",
        (false, true) => "no problems found\n",
        (false, false) => "",
    };
    out
}

fn of_worktree(worktree: &WorktreeHealth) -> String {
    let mut lines = vec![format!("worktree {}", text::plain(&worktree.root))];
    if let Some(error) = &worktree.error {
        lines.push(format!("problem: {}", text::plain(error)));
        lines.push(format!(
            "if it was moved: run `fuzzy-edit checkpoint doctor --adopt {}` in its new place",
            worktree.id
        ));
    } else {
        lines.push(format!("{} held by checkpoints", text::size(worktree.held_bytes)));
        if worktree.borrowing {
            lines.push(format!("note: {}", text::BORROWING.trim_end()));
        }
    }
    for id in &worktree.rows_without_refs {
        lines.push(format!(
            "problem: the ref of checkpoint {id} is missing; `fuzzy-edit checkpoint recover` makes it again if its files \
             are there"
        ));
    }
    for name in &worktree.refs_without_rows {
        lines.push(format!(
            "problem: {name} has no record; unless another database has it, `doctor --adopt-refs` creates one"
        ));
    }
    for id in worktree.damaged.iter().flatten() {
        lines.push(format!(
            "problem: checkpoint {id} is damaged: some of its objects are missing or have another content"
        ));
    }
    for path in &worktree.stale_scratch {
        lines.push(format!(
            "problem: {} was left by an interrupted command; the next command removes it",
            path.display()
        ));
    }
    for path in &worktree.left_beside {
        lines.push(format!("problem: {} was left by a restore; delete it if you do not need it", text::quoted(path)));
    }
    for path in &worktree.secrets {
        lines.push(format!("warning: {} looks like a secret, and only checkpoints contain it", text::quoted(path)));
    }
    lines.join("\n  ") + "\n"
}
