//! `checkpoint diff`: prints the changes since a checkpoint, or between two.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Change, Detail, Diff, DiffOptions, Differing, Patch};
use fuzzy_checkpoint_service::{ProcessBackend, Side};
use fuzzy_checkpoint_store::CheckpointId;
use schemars::JsonSchema;
use serde::Serialize;

use super::options::{Session, Shared};
use super::place::Place;
use super::refused::Refused;
use super::text;
use crate::{colour, output};

/// Print the changes since a checkpoint, or between two
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The checkpoint to compare from
    from: String,
    /// The checkpoint to compare with [default: the files on disk]
    to: Option<String>,
    /// Compare only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Print only the names of the files that differ
    #[arg(long)]
    names: bool,
    #[command(flatten)]
    session: Session,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit checkpoint diff 01KAN3F2
  fuzzy-edit checkpoint diff 01KAN3F2 01KAN4QX --names
  fuzzy-edit checkpoint diff 01KAN3F2 --paths src";

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    from: CheckpointId,
    /// The checkpoint to compare with; `None` for the files on disk.
    to: Option<CheckpointId>,
    files: Vec<Differing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<Patch>,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let place = Place::open(shared, ProcessBackend::default())?;
    let session = place.session(&arguments.session)?;
    let from = place.checkpoint(session.as_ref(), &arguments.from)?;
    let to = arguments.to.as_ref().map(|id| place.checkpoint(session.as_ref(), id)).transpose()?.map(|row| row.id);
    let paths = place.paths(&arguments.paths)?.unwrap_or_default();
    let side = to.clone().map_or(Side::Worktree, Side::Checkpoint);
    let detail = if arguments.names { Detail::Names } else { patch(shared.json) };
    let options = DiffOptions { paths, detail, renames: true };
    let diff = place.service.diff(&from.session_id, &Side::Checkpoint(from.id.clone()), &side, &options)?;
    if !shared.json {
        return Ok(print(&diff, arguments.names));
    }
    let patch = (!arguments.names).then(|| diff.patch.into());
    Ok(output::answer(true, &Report { from: from.id, to, files: diff.files, patch }, String::new))
}

/// Returns the detail of a patch: `git apply` takes it, except at a terminal, which shows no contents of binary files.
pub(crate) fn patch(json: bool) -> Detail {
    if !json && io::stdout().is_terminal() { Detail::Patch } else { Detail::Binary }
}

/// Writes one line of `--names`.
fn named(file: &Differing) -> String {
    let letter = match file.change {
        Change::Added => 'A',
        Change::Changed => 'M',
        Change::Deleted => 'D',
        Change::Renamed => 'R',
    };
    let from = file.renamed_from.as_ref().map(|from| format!("{} -> ", text::quoted(from))).unwrap_or_default();
    format!("{letter} {from}{}\n", text::quoted(&file.path))
}

/// Prints the bytes of the patch unchanged, or rendered for a terminal, or only the names; complains if no file differs.
pub(crate) fn print(diff: &Diff, names: bool) -> ExitCode {
    if diff.files.is_empty() {
        output::complain("no difference");
    }
    if names {
        output::answer_bytes(&diff.files.iter().map(named).collect::<String>().into_bytes())
    } else {
        print_patch(&diff.patch)
    }
}

/// Prints a patch; on a terminal it is rendered, and a pager shows it.
pub(crate) fn print_patch(patch: &[u8]) -> ExitCode {
    output::answer_paged(&colour::rendered(patch, io::stdout().is_terminal()))
}
