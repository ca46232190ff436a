//! `undo`: undoes a batch, or lists the batches.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use fuzzy_edit::{Batches, Code, Failure, PastBatch, Undone, UndoneAction, Workspace};
use fuzzy_report::printable;

use crate::options::Writing;
use crate::output;

/// Undo the last batch of edits, or another one
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The batch to undo, by its name in --list, or the beginning or end of its whole name [default: the last one]
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
that changed since is `stale`; other batches can be undone by name. A batch whose file a newer batch changed, too, can be
undone after that one.

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

/// The characters of a batch's name that are printed: its end, because the beginning is the time.
const SHORT: usize = 8;

/// The most files of a batch to name.
const NAMED: usize = 3;

/// Undoes a batch and reports its files, or lists the batches.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    arguments.undo().unwrap_or_else(|failure| output::failure(arguments.json, &failure))
}

impl Arguments {
    fn undo(&self) -> Result<ExitCode, Box<Failure>> {
        let workspace = self.writing.beneath_root(Workspace::default())?;
        if self.list {
            let batches = workspace.batches();
            return Ok(output::answer(self.json, &batches, || list_of(&batches)));
        }
        let batch = self.batch.as_ref().map(|name| whole(&workspace, name)).transpose()?;
        let undone = workspace.undo_batch(batch.as_deref(), self.dry_run).map_err(|mut failure| {
            if failure.code == Code::Stale {
                failure.next_step = next_step(&workspace, batch.as_deref());
            }
            failure
        })?;
        Ok(output::answer(self.json, &undone, || output::unless_quiet(|| describe(&undone))))
    }
}

/// Returns the whole name of a batch of which the beginning or the end is given.
fn whole(workspace: &Workspace, name: &str) -> Result<String, Box<Failure>> {
    let all = workspace.batches().batches.into_iter().map(|past| past.batch);
    let mut alike: Vec<String> = all.filter(|batch| batch.ends_with(name) || batch.starts_with(name)).collect();
    match (alike.pop(), alike.len()) {
        (Some(only), 0) => Ok(only),
        (Some(_), more) => {
            let message = format!("{} batches have a name with `{}`", more + 1, printable(name));
            Err(Failure::bad_input(message, "Write the name as `fuzzy-edit undo --list` prints it.").into())
        }
        // The failure for an unknown batch names it.
        (None, _) => Ok(name.to_owned()),
    }
}

/// Returns the next step after a batch could not be undone because a file changed since.
fn next_step(workspace: &Workspace, batch: Option<&str>) -> String {
    let batches = workspace.batches().batches;
    let past = batches.iter().find(|past| batch.is_none_or(|batch| past.batch == batch));
    match past.and_then(|past| past.waits_for.as_ref()) {
        Some(newer) => format!("First undo the newer batch: `fuzzy-edit undo {}`.", short(newer, &batches)),
        None => "`fuzzy-edit undo --list` lists the other batches.".to_owned(),
    }
}

/// Returns the end of a batch's name, or the whole name if another one ends alike.
fn short<'b>(batch: &'b str, all: &[PastBatch]) -> &'b str {
    let end = batch.len().checked_sub(SHORT).and_then(|start| batch.get(start..)).unwrap_or(batch);
    let alike = all.iter().filter(|past| past.batch.ends_with(end)).count();
    if alike > 1 { batch } else { end }
}

fn list_of(batches: &Batches) -> String {
    let mut text = String::new();
    for journal in &batches.unreadable {
        let _ = writeln!(text, "unreadable journal: {}", printable(journal));
    }
    let all = &batches.batches;
    if all.is_empty() {
        return text + "there is no batch to undo\n";
    }
    let here = std::env::current_dir().unwrap_or_default();
    let shown = |path: &str| {
        let path = Path::new(path);
        format!("`{}`", printable(&path.strip_prefix(&here).unwrap_or(path).to_string_lossy()))
    };
    for PastBatch { batch, time_ms, code, file_path, waits_for, paths, .. } in all {
        let ago = time_ms.map_or_else(String::new, ago);
        let files: Vec<String> = paths.iter().take(NAMED).map(|path| shown(path)).collect();
        let more = paths.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let state = match (waits_for, code, file_path) {
            (Some(newer), ..) => format!("  after {}", short(newer, all)),
            (None, Some(code), Some(path)) => format!("  {code}: {}", shown(path)),
            _ => String::new(),
        };
        let _ = writeln!(text, "{}  {ago:>10}  {}{more}{state}", short(batch, all), files.join(", "));
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
