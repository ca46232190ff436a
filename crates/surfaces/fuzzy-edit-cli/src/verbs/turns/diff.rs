//! `turns diff` and `turns show`: print the changes of a turn.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Detail, Diff as Changes, DiffOptions};
use fuzzy_checkpoint_service::{ListedTurn, TurnShow, TurnStep};
use fuzzy_checkpoint_store::now_ms;

use super::list::notes;
use super::numbers::named;
use super::plan_text::{changed, counts, not_kept_line};
use super::project::{Shared, Turns};
use super::reports::{Diff, SharedFile};
use crate::output;
use crate::verbs::checkpoint::diff::{patch, print, print_patch};
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text;

/// Print the changes of a turn; a running turn is compared with the files on disk
#[derive(Args)]
#[command(after_help = DIFF_HELP)]
pub(super) struct Arguments {
    /// The number of the turn [default: the last that is not undone]
    #[arg(value_name = "TURN")]
    number: Option<i64>,
    /// Compare only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Print only the names of the files that differ
    #[arg(long)]
    names: bool,
}

const DIFF_HELP: &str = "\
Examples:
  fuzzy-edit turns diff
  fuzzy-edit turns diff 1 --names
  fuzzy-edit turns diff 1 --json";

/// Print a turn: its session, prompt, state, files and changes
#[derive(Args)]
#[command(after_help = SHOW_HELP)]
pub(super) struct Show {
    /// The number of the turn [default: the last that is not undone]
    #[arg(value_name = "TURN")]
    number: Option<i64>,
    /// Print no diff
    #[arg(long)]
    stat: bool,
}

const SHOW_HELP: &str = "\
Examples:
  fuzzy-edit turns show 1
  fuzzy-edit turns show 1 --stat
  fuzzy-edit turns show 1 --json";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let turns = Turns::read(shared)?;
    let number = turns.chosen(arguments.number)?.number;
    let paths = turns.place.paths(&arguments.paths)?.unwrap_or_default();
    let detail = if arguments.names { Detail::Names } else { patch(shared.json) };
    let options = DiffOptions { paths, detail, renames: true };
    let shown = turns.place.service.show_turn(turns.place.worktree.id(), number, &options)?;
    if !shared.json {
        let patch = numbered(&shown.diff.patch);
        return Ok(print(&Changes { patch, ..shown.diff }, arguments.names));
    }
    Ok(output::answer(true, &report(shown, !arguments.names), String::new))
}

pub(super) fn show(shared: &Shared, arguments: &Show) -> Result<ExitCode, Refused> {
    let turns = Turns::read(shared)?;
    let number = turns.chosen(arguments.number)?.number;
    let detail = if arguments.stat { Detail::Lines } else { Detail::Patch };
    let options = DiffOptions { paths: Vec::new(), detail, renames: true };
    let mut shown = turns.place.service.show_turn(turns.place.worktree.id(), number, &options)?;
    let steps = std::mem::take(&mut shown.steps);
    if !shared.json {
        let head = (heading(&shown) + &step_lines(number, &steps) + "\n").into_bytes();
        return Ok(print_patch(&[head, numbered(&shown.diff.patch)].concat()));
    }
    Ok(output::answer(true, &Diff { steps, ..report(shown, !arguments.stat) }, String::new))
}

/// Writes the number that `--hunks` takes after the header of each hunk, where `git apply` reads nothing.
fn numbered(patch: &[u8]) -> Vec<u8> {
    let (mut count, mut out) = (0, Vec::with_capacity(patch.len()));
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"diff ") {
            count = 0;
        }
        let end = line.strip_prefix(b"@@ ").and_then(|rest| Some(rest.windows(3).position(|it| it == b" @@")? + 6));
        let Some(end) = end else {
            out.extend_from_slice(line);
            continue;
        };
        count += 1;
        out.extend_from_slice(&line[..end]);
        out.extend_from_slice(format!(" hunk {count}").as_bytes());
        out.extend_from_slice(&line[end..]);
    }
    out
}

/// Returns the JSON of a turn's changes.
pub(super) fn report(shown: TurnShow, has_patch: bool) -> Diff {
    let TurnShow { turn, diff, shared, gone, .. } = shown;
    let shared = shared.into_iter().map(|(path, turns)| SharedFile { path, turns }).collect();
    Diff {
        turn,
        files: diff.files,
        shared,
        gone,
        steps: Vec::new(),
        patch: has_patch.then(|| numbered(&diff.patch).into()),
    }
}

/// Lists the steps of a turn.
fn step_lines(number: i64, steps: &[TurnStep]) -> String {
    let mut out = if steps.is_empty() { String::new() } else { "steps, each with the command after it:\n".to_owned() };
    for TurnStep { step, command, at, late, kept, not_kept } in steps {
        let late = if *late { ", late: the command ran before the capture was complete" } else { "" };
        let _ = writeln!(out, "  {number}.{step}  {}{late}  {}", text::utc(*at), text::plain(command));
        for path in kept {
            let _ = writeln!(out, "    kept: {}", text::quoted(path));
        }
        for line in not_kept.iter().map(not_kept_line) {
            let _ = writeln!(out, "    not kept: {line}");
        }
    }
    out
}

/// Describes a turn, with its files.
pub(super) fn heading(shown: &TurnShow) -> String {
    let ListedTurn { number, session, prompt, began_at, .. } = &shown.turn;
    let mut out = format!("turn {number} {}", notes(&shown.turn)).trim_end().to_owned();
    let _ = write!(out, "\nsession: {}\n", text::plain(session));
    let _ = writeln!(out, "began:   {} ({})", text::utc(*began_at), text::age(now_ms(), *began_at));
    let _ = writeln!(out, "prompt:");
    for line in prompt.lines() {
        let _ = writeln!(out, "  {}", text::plain(line));
    }
    let rows: Vec<[String; 2]> = shown.diff.files.iter().map(|file| [changed(file), counts(file)]).collect();
    out += if rows.is_empty() { "no file differs\n" } else { "files:\n" };
    for line in text::table(&rows).lines() {
        let _ = writeln!(out, "  {line}");
    }
    out += &text::gone(&shown.gone);
    for (path, turns) in &shown.shared {
        let _ = writeln!(out, "{} may be a change of any of these: {}", text::quoted(path), named(turns));
    }
    out
}
