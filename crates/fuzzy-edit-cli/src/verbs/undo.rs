//! `undo`: takes back the last batch.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Failure, Undone, UndoneAction, Workspace};

use crate::options::Writing;
use crate::output;

/// Take back the last batch of edits
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    writing: Writing,
}

const AFTER_HELP: &str = "\
The last batch is that of the last command that wrote files and was run in the root or beneath it, or wrote only there.
All its files get their old text again, or none does: each has to hold what the batch wrote. Files that it created are
removed; those that it removed or moved are back. Another undo takes back the batch before.

The newest 64 batches are known, up to 64 MiB of what they replaced, in $XDG_STATE_HOME/fuzzy-edit, else in
~/.local/state/fuzzy-edit, which only you can read.

Exit codes:
  0  the batch was taken back
  1  a file changed since (stale)
  2  there is no such batch (missing), or a file cannot be written

Examples:
  fuzzy-edit undo
  fuzzy-edit undo --root ~/project --json";

/// Takes back the last batch and says what became of its files.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match arguments.undo() {
        Ok(undone) => output::answer(arguments.json, &undone, || describe(&undone)),
        Err(failure) => output::failure(arguments.json, &failure),
    }
}

impl Arguments {
    fn undo(&self) -> Result<Undone, Box<Failure>> {
        self.writing.beneath_root(Workspace::default())?.undo()
    }
}

fn describe(undone: &Undone) -> String {
    undone.files.iter().fold(String::new(), |mut text, file| {
        let action = match file.action {
            UndoneAction::Restored => "restored",
            UndoneAction::Removed => "removed",
            UndoneAction::Recreated => "recreated",
        };
        let _ = writeln!(text, "{action}: `{}`", file.file_path);
        text
    })
}
