//! Undoes and lists batches of edits.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fuzzy_edit::{Batches, Code, Failure, PastBatch, Undone, Workspace};
use fuzzy_report::printable;

/// The characters of a batch's name that are printed: its end, because the beginning is the time.
const SHORT: usize = 8;

/// The most files of a batch to name.
const NAMED: usize = 3;

/// Undoes a batch; the failure of one that changed since names the next step.
pub(super) fn undo_batch(workspace: &Workspace, batch: Option<&str>, dry_run: bool) -> Result<Undone, Box<Failure>> {
    workspace.undo_batch(batch, dry_run).map_err(|mut failure| {
        if failure.code == Code::Stale {
            failure.next_step = next_step(workspace, batch);
        }
        failure
    })
}

/// Returns the whole id of an operation of which the beginning or the end is given.
pub(super) fn whole(all: impl Iterator<Item = String>, id: &str) -> Result<String, Box<Failure>> {
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
pub(super) fn short<'b>(batch: &'b str, all: impl Iterator<Item = &'b str>) -> &'b str {
    let end = batch.len().checked_sub(SHORT).and_then(|start| batch.get(start..)).unwrap_or(batch);
    let alike = all.filter(|other| other.ends_with(end)).count();
    if alike > 1 { batch } else { end }
}

fn names(all: &[PastBatch]) -> impl Iterator<Item = &str> {
    all.iter().map(|past| past.batch.as_str())
}

pub(super) fn list_of(batches: &Batches) -> String {
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
pub(super) fn ago(time_ms: u64) -> String {
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

pub(super) fn describe(undone: &Undone) -> String {
    let would = if undone.status == "dry_run" { "would be " } else { "" };
    undone.files.iter().fold(String::new(), |mut text, file| {
        let _ = writeln!(text, "{would}{}: `{}`", file.action.as_str(), printable(&file.file_path));
        for note in file.note.iter().flat_map(|note| note.lines()) {
            let _ = writeln!(text, "  {}", printable(note));
        }
        text
    })
}
