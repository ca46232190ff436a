//! Formats lists and tables for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use fuzzy_checkpoint::{Gone, Reason, RepoPath, Uncovered};
use fuzzy_checkpoint_service::text::{gone_path, reason};
use fuzzy_checkpoint_store::HeadMode;
use fuzzy_report::{common_start, excerpt};

use crate::output;

pub(crate) use fuzzy_checkpoint_service::text::{
    age, count, index_kept, index_left, plain, quoted, size, transcript_kept, utc,
};

/// The note of lists if the newest checkpoint is not independent of the repository.
pub(crate) const BORROWING: &str =
    "the newest checkpoint still borrows files from the repository, and is lost with it\n";

/// The most paths that a list prints.
const MAX_PATHS: usize = 20;

/// Lists the first paths under a title.
pub(crate) fn paths<'a>(title: &str, paths: impl ExactSizeIterator<Item = &'a RepoPath>) -> String {
    entries(title, paths.map(quoted))
}

/// Says that a checkpoint belongs to another branch than the one that is checked out, and the effect of a restore.
pub(crate) fn of_branch(branch: &str, head: HeadMode) -> String {
    let branch = plain(branch);
    let rest = match head {
        HeadMode::Keep => "the files are those of that branch",
        HeadMode::Restore => "it is checked out again",
    };
    format!("the checkpoint is of branch {branch}, which is not checked out: {rest}")
}

/// Lists the files that a checkpoint does not cover, with the reasons, and those that it may not have as they were.
pub(crate) fn uncovered(all: &[Uncovered]) -> String {
    let (suspect, left): (Vec<&Uncovered>, Vec<&Uncovered>) =
        all.iter().partition(|left| left.reason == Reason::Suspect);
    entries("not covered", left.iter().map(|left| format!("{} ({})", quoted(&left.path), reason(left.reason))))
        + &entries(
            "may not be as they were before the turn; they changed after the prompt, before the checkpoint had them",
            suspect.iter().map(|left| quoted(&left.path)),
        )
}

/// Lists the paths that no checkpoint has, with the reasons and sizes.
pub(crate) fn gone(all: &[Gone]) -> String {
    entries("gone, and in no checkpoint", all.iter().map(gone_path))
}

fn entries(title: &str, entries: impl ExactSizeIterator<Item = String>) -> String {
    let all = entries.len();
    let mut text = String::new();
    if all > 0 {
        let _ = writeln!(text, "{title}:");
    }
    for entry in entries.take(MAX_PATHS) {
        let _ = writeln!(text, "  {entry}");
    }
    if all > MAX_PATHS {
        let _ = writeln!(text, "  … and {} more; --json lists all", all - MAX_PATHS);
    }
    text
}

/// Aligns columns. At a terminal, the last one ends where the terminal does.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<_> = rows.iter().map(|row| (row.clone(), String::new())).collect();
    noted_table(&rows, output::columns())
}

/// Aligns columns, with notes after the last one, which is cut at the given number of columns so that the notes fit.
pub(crate) fn noted_table<const N: usize>(rows: &[([String; N], String)], columns: Option<usize>) -> String {
    let mut text = String::new();
    let length = |text: &str| text.chars().count();
    let width = |column: usize| rows.iter().map(|(row, _)| length(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let left: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
    for (row, notes) in rows {
        let mut cells: Vec<Cow<'_, str>> = row.iter().map(|cell| cell.as_str().into()).collect();
        if let (Some(columns), Some(last)) = (columns, cells.last_mut()) {
            let room = columns.saturating_sub(left + length(notes) + usize::from(!notes.is_empty()));
            *last = excerpt(last, 0, room.max(SHORTEST)).into();
        }
        if let (false, Some(last)) = (notes.is_empty(), cells.last_mut()) {
            *last = format!("{last} {notes}").trim_start().to_owned().into();
        }
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// The least length of a printed id, and of the last column of a table.
const SHORTEST: usize = 8;

/// Returns the length from which prefixes of these ids are distinct.
pub(crate) fn distinct_length<'a>(ids: impl Iterator<Item = &'a str>) -> usize {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    ids.windows(2).map(|pair| common_start(pair[0], pair[1]) + 1).max().unwrap_or(0).max(SHORTEST)
}

/// Returns the prefix of an id.
pub(crate) fn short(id: &str, length: usize) -> &str {
    id.get(..length).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::{distinct_length, noted_table, table};

    #[test]
    fn columns_and_short_ids() {
        let rows = [["a", "bb", ""], ["ccc", "d", "e"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows), "a    bb\nccc  d   e\n");
        let noted = [["1", "one two three four"], ["22", "five"]].map(|row| row.map(str::to_owned));
        let noted: Vec<_> = noted.into_iter().zip(["(undone)", ""].map(str::to_owned)).collect();
        assert_eq!(noted_table(&noted, Some(24)), "1   one two th… (undone)\n22  five\n");
        assert_eq!(noted_table(&noted, Some(3)), "1   one two… (undone)\n22  five\n");
        assert_eq!(noted_table(&noted, None), "1   one two three four (undone)\n22  five\n");
        assert_eq!(distinct_length(["0123456789A", "0123456789B"].into_iter()), 11);
        assert_eq!(distinct_length(["0123456789A"].into_iter()), 8);
    }
}
