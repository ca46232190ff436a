//! `patch`: carries out a patch, whatever format it is in.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, ListReport, Operation, PatchOptions};

use crate::options::{Logging, Search, Writing};
use crate::output;
use crate::verbs::before::Carrying;

/// Apply a patch: SEARCH/REPLACE blocks, a unified diff, *** Begin Patch, or text with all of these in it
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The patch, or - for standard input
    #[arg(value_name = "PATCH", default_value = "-")]
    patch: PathBuf,
    /// The file of blocks and hunks that name none
    #[arg(long, value_name = "TARGET")]
    file: Option<String>,
    /// Take back what the patch does
    #[arg(short = 'R', long)]
    reverse: bool,
    /// Take N components off the front of every name; the a/ and b/ of a diff, which is taken off anyway, is the first
    #[arg(short = 'p', long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    strip: usize,
    #[command(flatten)]
    carrying: Carrying,
    /// Show what changes; without the indentation that all shown lines share
    #[arg(short, long)]
    diff: bool,
    /// Print one report as JSON, with the whole diff
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    logging: Logging,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
A patch is one: if any part of it fails, no file is written. Its files must be beneath the root. Files are
added and moved, but never over others.

Hunks are found line by line, else as `apply` finds a text, so counts and line numbers may be wrong. A line number, the
order of the hunks, an @@ anchor or *** End of File chooses between places that the lines fit equally well.

Examples:
  fuzzy-edit patch answer.md -n -d
  fuzzy-edit patch fix.diff && fuzzy-edit patch fix.diff --reverse
  git diff | fuzzy-edit patch --root ../other-clone
  fuzzy-edit patch --file src/cart.py < block.txt
  fuzzy-edit patch fix.diff --checkpoint
  fuzzy-edit patch fix.diff --ladder adaptive --json";

/// Carries out the patch and reports each of its edits.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    arguments.carry_out().unwrap_or_else(|failure| output::failure(arguments.json, &failure))
}

impl Arguments {
    fn carry_out(&self) -> Result<ExitCode, Box<Failure>> {
        let editor = self.search.editor(self.writing.beneath_root(self.search.workspace()?)?)?;
        let operations = self.operations(&editor)?;
        let mut session = self.logging.session()?;
        let (before, reports) = self.carrying.out(&editor, &self.writing, &mut session, &operations)?;
        self.logging.complain(&mut session);
        Ok(before.report(&ListReport::from(reports), self.json, self.diff))
    }

    fn operations(&self, editor: &Editor) -> Result<Vec<Operation>, Box<Failure>> {
        let text = self.search.input("PATCH", &self.patch, "Give a patch in UTF-8, or - for standard input.")?;
        let (target, reverse, strip) = (self.file.as_deref(), self.reverse, self.strip);
        editor.workspace().read_patch_with(&text, &PatchOptions { target, reverse, strip })
    }
}
