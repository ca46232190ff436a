//! `undo` and `redo`: undo the newest batch of edits, take-back or restore, or another one, or list them.

#[cfg(feature = "checkpoint")]
mod project;

#[cfg(feature = "checkpoint")]
pub(crate) use project::Listed;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use fuzzy_edit::{Batches, Code, Failure, PastBatch, Undone, UndoneAction, Workspace};
use fuzzy_report::printable;

use crate::options::Writing;
#[cfg(not(feature = "checkpoint"))]
use crate::output;

/// Undo the last batch of edits, take-back or restore in this project, or another one
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The operation, by its id in --list, or the beginning or end of its whole id [default: the newest one]
    #[arg(value_name = "ID", conflicts_with = "list")]
    id: Option<String>,
    /// List the operations that can be undone, the newest first
    #[arg(long, conflicts_with = "dry_run")]
    list: bool,
    #[command(flatten)]
    how: How,
}

/// Undo the last undo
#[derive(Args)]
#[command(after_help = REDO_HELP)]
#[cfg(feature = "checkpoint")]
pub(crate) struct Redo {
    #[command(flatten)]
    how: How,
}

/// Options of both verbs.
#[derive(Args)]
struct How {
    /// Write nothing; report what would be done
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    #[cfg(feature = "checkpoint")]
    #[command(flatten)]
    records: project::Records,
    /// Print one report as JSON
    #[cfg(not(feature = "checkpoint"))]
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    writing: Writing,
}

const AFTER_HELP: &str = "\
An operation is a batch, with all files that one command wrote, a take-back of turns, or a restore. The newest one is the
last of this project that is not undone; a batch belongs to the project if its command ran in the root or beneath it, or
wrote only there. Undo takes back all of its files or none. Changes that were made since stay, by a merge; if they touch
the same lines, nothing is written, and the operation is `stale` or in conflict. A second undo undoes the operation before.
The undo of a restore brings back the transcript and the hidden checkpoints, too, unless messages were added since.

At a terminal it asks if a turn began after the operation, if it may be the work of another session, or if it is older than
an hour. Without a terminal it refuses then and prints the id; the id, or --yes, goes on. The id of an undo redoes it.

Undo needs the same permissions as `apply`: --allow-git for files in `.git`, --in-place for files with several hard links;
with --root, it changes no file outside that directory.

The newest 64 batches are kept, with at most 64 MiB of contents, in $XDG_STATE_HOME/fuzzy-edit or otherwise
~/.local/state/fuzzy-edit, which only you can read.

Exit codes:
  0  the operation was undone
  1  it was refused: later changes in the same lines, or a question without an answer
  2  there is no such operation (missing), or a file cannot be written

Examples:
  fuzzy-edit undo
  fuzzy-edit undo --list
  fuzzy-edit undo --dry-run
  fuzzy-edit undo --root ~/project --json";

#[cfg(feature = "checkpoint")]
const REDO_HELP: &str = "\
Redo takes back the newest undo of this project, as long as nothing else was written here by this program; changes of yours
stay. Repeat it for the undos before.

Examples:
  fuzzy-edit redo
  fuzzy-edit redo --dry-run";

/// The characters of a batch's name that are printed: its end, because the beginning is the time.
const SHORT: usize = 8;

/// The most files of a batch to name.
const NAMED: usize = 3;

/// Undoes an operation and reports its files, or lists the operations.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    #[cfg(feature = "checkpoint")]
    return project::undo(arguments);
    #[cfg(not(feature = "checkpoint"))]
    arguments.batches_only().unwrap_or_else(|failure| output::failure(arguments.how.json, &failure))
}

/// Undoes the last undo.
#[cfg(feature = "checkpoint")]
pub(crate) fn redo(arguments: &Redo) -> ExitCode {
    project::redo(arguments)
}

impl Arguments {
    /// Undoes batches in a build without records.
    #[cfg(not(feature = "checkpoint"))]
    fn batches_only(&self) -> Result<ExitCode, Box<Failure>> {
        let (workspace, json) = (self.how.writing.beneath_root(Workspace::default())?, self.how.json);
        if self.list {
            let batches = workspace.batches();
            return Ok(output::answer(json, &batches, || list_of(&batches)));
        }
        let all = workspace.batches().batches.into_iter().map(|past| past.batch);
        let batch = self.id.as_ref().map(|id| whole(all, id)).transpose()?;
        let undone = undo_batch(&workspace, batch.as_deref(), self.how.dry_run)?;
        Ok(output::answer(json, &undone, || output::unless_quiet(|| describe(&undone))))
    }
}

/// Undoes a batch; the failure of one that changed since names the next step.
fn undo_batch(workspace: &Workspace, batch: Option<&str>, dry_run: bool) -> Result<Undone, Box<Failure>> {
    workspace.undo_batch(batch, dry_run).map_err(|mut failure| {
        if failure.code == Code::Stale {
            failure.next_step = next_step(workspace, batch);
        }
        failure
    })
}

/// Returns the whole id of an operation of which the beginning or the end is given.
fn whole(all: impl Iterator<Item = String>, id: &str) -> Result<String, Box<Failure>> {
    let is_it = |known: &String| {
        let (known, id) = (known.to_ascii_lowercase(), id.to_ascii_lowercase());
        known.ends_with(&id) || known.starts_with(&id)
    };
    let mut alike: Vec<String> = all.filter(is_it).collect();
    match (alike.pop(), alike.len()) {
        (Some(only), 0) => Ok(only),
        (Some(_), more) => {
            let message = format!("{} operations have an id with `{}`", more + 1, printable(id));
            Err(Failure::bad_input(message, "Write the id as `fuzzy-edit undo --list` prints it.").into())
        }
        // The failure for an unknown batch names it.
        (None, _) => Ok(id.to_owned()),
    }
}

/// Returns the next step after a batch could not be undone because a file changed since.
fn next_step(workspace: &Workspace, batch: Option<&str>) -> String {
    let batches = workspace.batches().batches;
    let past = batches.iter().find(|past| batch.is_none_or(|batch| past.batch == batch));
    match past.and_then(|past| past.waits_for.as_ref()) {
        Some(newer) => format!("First undo the newer batch: `fuzzy-edit undo {}`.", short(newer, names(&batches))),
        None => "`fuzzy-edit undo --list` lists the other operations; each can be undone by its id.".to_owned(),
    }
}

/// Returns the end of a batch's name, or the whole name if another one ends alike.
fn short<'b>(batch: &'b str, all: impl Iterator<Item = &'b str>) -> &'b str {
    let end = batch.len().checked_sub(SHORT).and_then(|start| batch.get(start..)).unwrap_or(batch);
    let alike = all.filter(|other| other.ends_with(end)).count();
    if alike > 1 { batch } else { end }
}

fn names(all: &[PastBatch]) -> impl Iterator<Item = &str> {
    all.iter().map(|past| past.batch.as_str())
}

fn list_of(batches: &Batches) -> String {
    let mut text = String::new();
    for journal in &batches.unreadable {
        let _ = writeln!(text, "unreadable journal: {}", printable(journal));
    }
    let all = &batches.batches;
    if all.is_empty() {
        return text + "there is nothing to undo\n";
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
            (Some(newer), ..) => format!("  after {}", short(newer, names(all))),
            (None, Some(code), Some(path)) => format!("  {code}: {}", shown(path)),
            _ => String::new(),
        };
        let _ = writeln!(text, "{}  {ago:>10}  {}{more}{state}", short(batch, names(all)), files.join(", "));
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
