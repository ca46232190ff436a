//! `turns log`: prints the turns that changed files, the newest first, with their changes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Detail, DiffOptions};

use super::diff::{heading, report};
use super::list::unchanged;
use super::project::{Shared, Turns};
use super::reports::Log;
use crate::output;
use crate::verbs::checkpoint::diff::print_patch;
use crate::verbs::checkpoint::refused::Refused;

/// Print the turns that changed files, the newest first
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Only these files, and files in these directories
    paths: Vec<PathBuf>,
    /// Also print the changes
    #[arg(short, long)]
    patch: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit turns log
  fuzzy-edit turns log -p src/cart.py
  fuzzy-edit turns log --json";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let Turns { place, .. } = Turns::read(shared)?;
    let paths = place.paths(&arguments.paths)?.unwrap_or_default();
    let detail = if arguments.patch { Detail::Patch } else { Detail::Lines };
    let options = DiffOptions { paths, detail, renames: true };
    let mut shown = place.service.turns_with(place.worktree.id(), &options)?;
    shown.reverse();
    if shared.json {
        let turns = shown.into_iter().map(|shown| report(shown, arguments.patch)).collect();
        return Ok(output::answer(true, &Log { turns }, String::new));
    }
    if shown.is_empty() && !arguments.paths.is_empty() {
        output::complain(&unchanged(&arguments.paths));
    }
    let mut text = Vec::new();
    for shown in shown {
        text.extend_from_slice(heading(&shown).as_bytes());
        if arguments.patch {
            text.extend_from_slice(&shown.diff.patch);
        }
        text.push(b'\n');
    }
    Ok(print_patch(&text))
}
