//! `undo`: undoes a batch, or lists the batches.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use fuzzy_edit::{Batches, Code, PastBatch, Undone, UndoneAction, Workspace};
use fuzzy_report::printable;

use crate::options::Writing;
use crate::output;

/// Take back the last batch of edits, or another one
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The batch to take back, as --list names it [default: the last one]
    #[arg(value_name = "BATCH", conflicts_with = "list")]
    batch: Option<String>,
    /// List the batches that can be taken back, the newest first
    #[arg(long)]
    list: bool,
    /// Write nothing, only say what would be done
    #[arg(short = 'n', long, conflicts_with = "list")]
    dry_run: bool,
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    writing: Writing,
}

const AFTER_HELP: &str = "\
The last batch is that of the last command that wrote files and was run in the root or beneath it, or wrote only there.
All its files get their old text again, or none does: each has to hold what the batch wrote. Files that it created are
removed; those that it removed or moved are back. Another undo takes back the batch before. A batch whose files changed
since is `stale`; others can be taken back by their names.

It takes the permissions that `apply` takes: --allow-git for files in `.git`, --in-place for those with several hard
links, and with --root no file outside of it is touched.

The newest 64 batches are known, up to 64 MiB of what they replaced, in $XDG_STATE_HOME/fuzzy-edit, else in
~/.local/state/fuzzy-edit, which only you can read.

Exit codes:
  0  the batch was taken back
  1  a file changed since (stale)
  2  there is no such batch (missing), or a file cannot be written

Examples:
  fuzzy-edit undo
  fuzzy-edit undo --list
  fuzzy-edit undo --dry-run
  fuzzy-edit undo --root ~/project --json";

/// Undoes a batch and reports its files, or lists the batches.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let Arguments { batch, list, dry_run, json, writing } = arguments;
    let workspace = match writing.beneath_root(Workspace::default()) {
        Ok(workspace) => workspace,
        Err(failure) => return output::failure(*json, &failure),
    };
    if *list {
        let batches = workspace.batches();
        return output::answer(*json, &batches, || list_of(&batches));
    }
    match workspace.undo_batch(batch.as_deref(), *dry_run) {
        Ok(undone) => output::answer(*json, &undone, || describe(&undone)),
        Err(mut failure) => {
            if failure.code == Code::Stale {
                "See `fuzzy-edit undo --list` for what else can be taken back.".clone_into(&mut failure.next_step);
            }
            output::failure(*json, &failure)
        }
    }
}

fn list_of(batches: &Batches) -> String {
    if batches.batches.is_empty() {
        return "nothing can be taken back\n".to_owned();
    }
    let mut text = String::new();
    for PastBatch { batch, time_ms, code, file_path, paths, .. } in &batches.batches {
        let ago = time_ms.map_or_else(String::new, ago);
        let _ = match (code, file_path) {
            (Some(code), Some(path)) => writeln!(text, "{batch}  {ago}  {code}: `{}`", printable(path)),
            _ => writeln!(text, "{batch}  {ago}"),
        };
        for path in paths {
            let _ = writeln!(text, "    {}", printable(path));
        }
    }
    text
}

/// Returns how long ago a time was.
fn ago(time_ms: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let seconds = now.saturating_sub(time_ms / 1000);
    let (count, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3_600 => (seconds / 60, "min"),
        3_600..86_400 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{count} {unit} ago")
}

fn describe(undone: &Undone) -> String {
    let would = if undone.status == "dry_run" { "would be " } else { "" };
    undone.files.iter().fold(String::new(), |mut text, file| {
        let action = match file.action {
            UndoneAction::Restored => "restored",
            UndoneAction::Removed => "removed",
            UndoneAction::Recreated => "recreated",
        };
        let _ = writeln!(text, "{would}{action}: `{}`", printable(&file.file_path));
        text
    })
}
