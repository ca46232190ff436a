//! `undo`: undoes a batch, or lists the batches.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use fuzzy_edit::{Batches, Code, PastBatch, Undone, UndoneAction, Workspace};
use fuzzy_report::printable;

use crate::options::Writing;
use crate::output;

/// Undo the last batch of edits, or another one
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The batch to undo, by its name in --list [default: the last one]
    #[arg(value_name = "BATCH", conflicts_with = "list")]
    batch: Option<String>,
    /// List the batches that can be undone, the newest first
    #[arg(long)]
    list: bool,
    /// Write nothing; report what would be done
    #[arg(short = 'n', long, conflicts_with = "list")]
    dry_run: bool,
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    writing: Writing,
}

const AFTER_HELP: &str = "\
A batch contains all files that one command wrote. The last batch is the newest one whose command ran in the root or
beneath it, or wrote only there. Undo restores all its files or none; each file must be unchanged since the batch. Created
files are removed, and removed or moved files are restored. A second undo undoes the batch before. A batch with a file
that changed since is `stale`; other batches can be undone by name.

Undo needs the same permissions as `apply`: --allow-git for files in `.git`, --in-place for files with several hard links;
with --root, it changes no file outside that directory.

The newest 64 batches are kept, with at most 64 MiB of replaced contents, in $XDG_STATE_HOME/fuzzy-edit or otherwise
~/.local/state/fuzzy-edit, which only you can read.

Exit codes:
  0  the batch was undone
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
                "`fuzzy-edit undo --list` lists the other batches.".clone_into(&mut failure.next_step);
            }
            output::failure(*json, &failure)
        }
    }
}

fn list_of(batches: &Batches) -> String {
    let mut text = String::new();
    for journal in &batches.unreadable {
        let _ = writeln!(text, "unreadable journal: {}", printable(journal));
    }
    if batches.batches.is_empty() {
        return text + "there is no batch to undo\n";
    }
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
        for note in file.note.iter().flat_map(|note| note.lines()) {
            let _ = writeln!(text, "  {}", printable(note));
        }
        text
    })
}
