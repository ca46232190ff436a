//! `patch`: applies a patch in any supported format.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Failure, PatchOptions};

use crate::output;
use crate::verbs::before::Execution;

/// Apply a patch: SEARCH/REPLACE blocks, a unified diff, *** Begin Patch, or text that contains any of these
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The patch, or - for standard input
    #[arg(value_name = "PATCH", default_value = "-")]
    patch: PathBuf,
    /// The file for blocks and hunks without a file name
    #[arg(long, value_name = "TARGET")]
    file: Option<String>,
    /// Apply the patch in reverse
    #[arg(short = 'R', long)]
    reverse: bool,
    /// Strip N leading components from every file name [default: only the a/ and b/ of a diff, which count as the first]
    #[arg(short = 'p', long, value_name = "N")]
    strip: Option<usize>,
    #[command(flatten)]
    execution: Execution,
}

const AFTER_HELP: &str = "\
A patch is atomic: if any part of it fails, no file is written. Its files must be beneath the root. Added and moved
files never overwrite others.

Hunks are matched line by line, and otherwise as by `apply`, so counts and line numbers may be wrong. If a hunk matches
several places equally, its line number, the order of the hunks, an @@ anchor or *** End of File decides.

Examples:
  fuzzy-edit patch answer.md -n -d
  fuzzy-edit patch fix.diff && fuzzy-edit patch fix.diff --reverse
  git diff | fuzzy-edit patch --root ../other-clone
  fuzzy-edit patch --file src/cart.py < block.txt
  fuzzy-edit patch fix.diff --checkpoint
  fuzzy-edit patch fix.diff --ladder adaptive --json";

/// Applies the patch and reports each of its edits.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    arguments.carry_out().unwrap_or_else(|failure| output::failure(arguments.execution.json, &failure))
}

impl Arguments {
    fn carry_out(&self) -> Result<ExitCode, Box<Failure>> {
        let Execution { search, writing, .. } = &self.execution;
        let settled = search.settled()?;
        let editor = settled.editor(writing.beneath_root(settled.workspace()?)?)?;
        let text = search.input("PATCH", &self.patch, "Give a patch in UTF-8, or - for standard input.")?;
        let (target, reverse, strip) = (self.file.as_deref(), self.reverse, self.strip);
        let operations = editor.workspace().read_patch_with(&text, &PatchOptions { target, reverse, strip })?;
        self.execution.run(&editor, &operations, true, |_| ())
    }
}
