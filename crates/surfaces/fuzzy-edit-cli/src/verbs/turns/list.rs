//! `turns`: lists the turns.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Detail, DiffOptions, Oid};
use fuzzy_checkpoint_service::{Happened, ListedTurn, MovedSubmodule, TurnState};
use fuzzy_checkpoint_store::now_ms;

use super::failed::FailedEvent;
use super::project::{Shared, Turns, told};
use super::reports::List;
use crate::output;
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::{sessions, text};

/// The options of the list.
#[derive(Args)]
pub(super) struct Which {
    /// Only turns that changed these files, or files in these directories
    #[arg(long, value_name = "PATH")]
    path: Vec<PathBuf>,
    /// Only turns of this session: its title or its name in lists, a host, `latest`, the number of a turn in it, or a
    /// prefix of its id
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
}

/// The most characters of a prompt to print.
const MAX_PROMPT: usize = 60;

/// The most suspect paths to print; `turns show` prints more.
const MAX_SUSPECT: usize = 3;

/// The longest time that a host usually waits for a checkpoint, in milliseconds.
const HELD_UP_MS: i64 = 1_000;

pub(super) fn run(shared: &Shared, which: &Which) -> Result<ExitCode, Refused> {
    let Turns { place, mut all, failed, others, .. } = Turns::read_to_list(shared)?;
    let has_turns = !all.is_empty();
    if let Some(paths) = place.paths(&which.path)?.filter(|paths| !paths.is_empty()) {
        let options = DiffOptions { paths, detail: Detail::Lines, renames: true };
        let changed = place.service.turns_with(place.worktree.id(), &options)?.into_iter();
        all = changed.map(|shown| limited(shown.turn, &shown.diff.files)).collect();
    }
    if let Some(name) = &which.session {
        let found = sessions::find(&place, name)?;
        let Some(id) = found else { return Err(sessions::unknown(&place, name)?) };
        all.retain(|turn| turn.session_id == id);
    }
    let root = place.worktree.root().to_string_lossy().into_owned();
    let report = List {
        root,
        borrowing: place.worktree.is_borrowing(),
        turns: all,
        other_places: others,
        failed_events: failed,
    };
    Ok(output::answer(shared.json, &report, || {
        if has_turns && report.turns.is_empty() && !which.path.is_empty() {
            return unchanged(&which.path) + "\n";
        }
        describe(&report) + &failures(&report.failed_events) + if report.borrowing { text::BORROWING } else { "" }
    }))
}

/// Says that no turn changed some files.
pub(super) fn unchanged(paths: &[PathBuf]) -> String {
    let named: Vec<String> = paths.iter().map(|path| format!("`{}`", text::plain(&path.to_string_lossy()))).collect();
    format!("no turn changed {}", named.join(" or "))
}

/// Returns a turn with the numbers of some files.
fn limited(turn: ListedTurn, files: &[fuzzy_checkpoint::Differing]) -> ListedTurn {
    ListedTurn {
        files: Some(files.len() as u64),
        insertions: Some(files.iter().filter_map(|file| file.insertions).sum()),
        deletions: Some(files.iter().filter_map(|file| file.deletions).sum()),
        ..turn
    }
}

fn describe(report: &List) -> String {
    let mut text = match (report.turns.is_empty(), report.other_places.is_empty()) {
        (true, true) => "no turns yet; `fuzzy-edit init` configures hosts to record them\n".to_owned(),
        (true, false) => "this project has no turns of its own\n".to_owned(),
        (false, _) => listed(&report.turns),
    };
    for other in &report.other_places {
        let count = text::count(other.turns.len() as u64, "turn");
        let _ = writeln!(text, "{count} of the place {}: {}", &other.id, told(other));
        text += &listed(&other.turns);
        let _ = match other.happened {
            Happened::Removed => writeln!(
                text,
                "to take them back: make the folder again, and run `fuzzy-edit checkpoint doctor --adopt {}` in it",
                other.id
            ),
            _ => writeln!(text, "to take them back: `fuzzy-edit turns restore N --place {}`", &other.id[..4]),
        };
    }
    text
}

/// Returns turns as a table.
fn listed(turns: &[ListedTurn]) -> String {
    let now = now_ms();
    let mut rows = vec![(["N", "WHEN", "HOST", "FILES", "+/-", "PROMPT"].map(str::to_owned), String::new())];
    for turn in turns {
        let known = turn.files.zip(turn.insertions.zip(turn.deletions));
        let (files, lines) = known.map_or_else(
            || ("?".to_owned(), "?".to_owned()),
            |(files, (insertions, deletions))| (files.to_string(), format!("+{insertions}/-{deletions}")),
        );
        let host = text::plain(&turn.host);
        let row = [turn.number.to_string(), text::age(now, turn.began_at), host, files, lines, prompt(turn)];
        rows.push((row, notes(turn)));
    }
    text::noted_table(&rows, output::columns())
}

/// Returns a line for each event that could not be recorded.
fn failures(events: &[FailedEvent]) -> String {
    let now = now_ms();
    let mut text = String::new();
    for event in events {
        let prompt = if event.prompt.is_empty() { String::new() } else { format!(": {}", one_line(&event.prompt)) };
        let after = if event.retried { "it is tried again" } else { "it is kept in" };
        let file = if event.retried { String::new() } else { format!(" {}", text::plain(&event.file)) };
        let (host, age) = (text::plain(&event.host), text::age(now, event.at));
        let _ = writeln!(text, "not recorded: {} of {host}, {age}{prompt}", event.event);
        let _ = writeln!(text, "  {}; {after}{file}", text::plain(&event.why));
    }
    text
}

/// Returns the prompt on one line.
pub(super) fn prompt(turn: &ListedTurn) -> String {
    one_line(&turn.prompt)
}

/// Returns a prompt on one line.
pub(super) fn one_line(prompt: &str) -> String {
    let words = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return "(no prompt)".to_owned();
    }
    // At a terminal, its width decides.
    let cut: String = words.chars().take(output::columns().unwrap_or(MAX_PROMPT)).collect();
    text::plain(&if cut.len() < words.len() { cut + "…" } else { cut })
}

/// Returns the state of a turn and its notes, in brackets.
pub(super) fn notes(turn: &ListedTurn) -> String {
    let mut notes = Vec::new();
    match turn.state {
        TurnState::Running => notes.push("running".to_owned()),
        TurnState::Interrupted => notes.push("interrupted".to_owned()),
        TurnState::Done => {}
    }
    let open = turn.late.iter().filter(|file| file.kept.is_none()).count();
    if open > 0 {
        notes.push(format!("{} changed after its last action", text::count(open as u64, "file")));
    }
    if turn.taken_back {
        notes.push("taken back".to_owned());
    }
    if turn.partly_taken_back {
        notes.push(format!("partly taken back{}", if turn.continued { ", continued" } else { "" }));
    }
    if turn.kept {
        notes.push("kept".to_owned());
    }
    if let Some(why) = &turn.no_checkpoint {
        notes.push(format!("no checkpoint: {}", text::plain(why)));
    }
    if !turn.submodules.is_empty() {
        notes.push(format!("commits of {}", submodules(&turn.submodules).join(" ")));
    }
    if let Some(late) = turn.captured_after_ms.filter(|late| *late > HELD_UP_MS) {
        notes.push(format!("checkpoint {} s late", late / 1_000));
    }
    if !turn.suspect.is_empty() {
        let shown: Vec<String> = turn.suspect.iter().take(MAX_SUSPECT).map(text::quoted).collect();
        let more = if turn.suspect.len() > MAX_SUSPECT { " …" } else { "" };
        notes.push(format!("changes before the checkpoint may be missing: {}{more}", shown.join(" ")));
    }
    if notes.is_empty() { String::new() } else { format!("({})", notes.join(", ")) }
}

/// Returns the names of submodules with their commits before and after turns.
pub(super) fn submodules(moved: &[MovedSubmodule]) -> Vec<String> {
    let short = |commit: &Option<Oid>| commit.as_ref().map_or("none", |oid| &oid.as_str()[..10]).to_owned();
    moved.iter().map(|one| format!("{} {} -> {}", text::quoted(&one.path), short(&one.from), short(&one.to))).collect()
}
