//! `turns`: lists the turns.

use std::process::ExitCode;

use fuzzy_checkpoint_store::now_ms;

use super::project::{Shared, Turns};
use super::reports::List;
use super::rows::{State, Turn};
use crate::output;
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text;

/// The most characters of a prompt to print.
const MAX_PROMPT: usize = 60;

/// The longest time that a host waits for a checkpoint, in milliseconds.
const HELD_UP_MS: i64 = 1_000;

pub(super) fn run(shared: &Shared) -> Result<ExitCode, Refused> {
    let Turns { place, all } = Turns::read(shared)?;
    let root = place.worktree.root().to_string_lossy().into_owned();
    let report = List { root, borrowing: place.worktree.is_borrowing(), turns: all };
    Ok(output::answer(shared.json, &report, || {
        describe(&report.turns) + if report.borrowing { text::BORROWING } else { "" }
    }))
}

fn describe(turns: &[Turn]) -> String {
    if turns.is_empty() {
        return "no turns yet; `fuzzy-edit init` configures hosts to record them\n".to_owned();
    }
    let now = now_ms();
    let mut rows = vec![["N", "WHEN", "HOST", "FILES", "+/-", "PROMPT"].map(str::to_owned)];
    for turn in turns {
        let known = turn.files.zip(turn.insertions.zip(turn.deletions));
        let (files, lines) = known.map_or_else(
            || ("?".to_owned(), "?".to_owned()),
            |(files, (insertions, deletions))| (files.to_string(), format!("+{insertions}/-{deletions}")),
        );
        rows.push([
            turn.number.to_string(),
            text::age(now, turn.began_at),
            text::plain(&turn.host),
            files,
            lines,
            [prompt(turn), notes(turn)].join(" ").trim_end().to_owned(),
        ]);
    }
    text::table(&rows)
}

/// Returns the prompt on one line.
pub(super) fn prompt(turn: &Turn) -> String {
    let words = turn.prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return "(no prompt)".to_owned();
    }
    let cut: String = words.chars().take(MAX_PROMPT).collect();
    text::plain(&if cut.len() < words.len() { cut + "…" } else { cut })
}

/// Returns the state of a turn and its notes, in brackets.
fn notes(turn: &Turn) -> String {
    let mut notes = Vec::new();
    match turn.state {
        State::Running => notes.push("running".to_owned()),
        State::Interrupted => notes.push("interrupted".to_owned()),
        State::Done => {}
    }
    if turn.taken_back {
        notes.push("undone".to_owned());
    }
    if turn.kept {
        notes.push("kept".to_owned());
    }
    if let Some(why) = &turn.no_checkpoint {
        notes.push(format!("no checkpoint: {}", text::plain(why)));
    }
    if let Some(late) = turn.captured_after_ms.filter(|late| *late > HELD_UP_MS) {
        notes.push(format!("checkpoint {} s late", late / 1_000));
    }
    if notes.is_empty() { String::new() } else { format!("({})", notes.join(", ")) }
}
