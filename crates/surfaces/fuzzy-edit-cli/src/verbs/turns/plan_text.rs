//! Describes plans, origins and conflicts for people.

use std::borrow::Cow;
use std::fmt::Write as _;

use fuzzy_checkpoint::{Change, Differing, RepoPath};
use fuzzy_checkpoint_service::{ListedTurn, Origin, PlannedFile, TakeBackOptions, TurnConflict, TurnPlan, TurnState};
use fuzzy_checkpoint_store::{NotKept, TakeBack, now_ms};

use super::list::{prompt, submodules};
use super::numbers::named;
use super::project::Turns;
use crate::verbs::checkpoint::text;

/// The most files of a list.
const MOST: usize = 20;

/// The context of a description.
pub(super) struct Words<'w> {
    pub(super) turns: &'w Turns,
    pub(super) options: &'w TakeBackOptions,
    /// The first line; without it, the turns are named.
    pub(super) head: Option<&'w str>,
}

/// Returns what was done with turns; `is_back` tells an undo from a redo.
pub(super) fn head(verb: TakeBack, turns: &[i64], is_back: bool) -> String {
    let of = || if turns.is_empty() { String::new() } else { format!(": {}", named(turns)) };
    match (verb, turns.first()) {
        (TakeBack::Revert, _) => format!("reverted{}", of()),
        (TakeBack::Restore, Some(first)) => format!("restored to before turn {first}"),
        (TakeBack::Restore, None) => "restored".to_owned(),
        (TakeBack::Undo, Some(_)) if is_back => format!("undone, brought back{}", of()),
        (TakeBack::Undo, Some(_)) => format!("redone, taken back{}", of()),
        (TakeBack::Undo, None) => if is_back { "undone" } else { "redone" }.to_owned(),
    }
}

/// Returns the name of an origin.
pub(super) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Turn { turns } => {
            let numbers: Vec<String> = turns.iter().map(ToString::to_string).collect();
            format!("turn {}", numbers.join(" or "))
        }
        Origin::Git => "git".to_owned(),
        Origin::Restore { .. } => "a restore".to_owned(),
        Origin::You => "you or another program".to_owned(),
    }
}

/// Returns the names of origins; a file without one is older than the turns.
pub(super) fn origins(all: &[Origin]) -> String {
    let mut names: Vec<String> = all.iter().map(origin).collect();
    names.dedup();
    names.join(", ")
}

/// Describes a plan.
pub(super) fn describe(words: &Words<'_>, plan: &TurnPlan) -> String {
    let mut out = String::new();
    let known = |number: &i64| words.turns.all.iter().find(|turn| turn.number == *number);
    if let Some(head) = words.head {
        let _ = writeln!(out, "{head}");
    } else {
        if let Some((step, turn)) = words.options.step.zip(plan.turns.first()) {
            let _ = writeln!(out, "restore the files to before the command of step {turn}.{step}");
        }
        for turn in plan.turns.iter().rev().filter_map(known) {
            let _ = writeln!(out, "take back {}", title(turn));
            out += &late(turn);
        }
    }
    for session in &plan.agents_running {
        let name = words.turns.all.iter().find(|turn| turn.session_id == *session).map(|turn| turn.session.as_str());
        let _ = writeln!(out, "an agent is working here: {}", text::plain(name.unwrap_or(session.as_str())));
    }
    if plan.files.is_empty() && plan.conflicts.is_empty() && plan.brought_back.is_empty() {
        out += "no file differs\n";
    }
    if words.options.late.is_none() {
        out += &late_files(words.turns, plan);
    }
    let (deleted, written): (Vec<_>, Vec<_>) =
        plan.files.iter().partition(|file| file.change.change == Change::Deleted);
    out += &files("write", &written);
    out += &files("delete", &deleted);
    let yours = |file: &&PlannedFile| file.origins.iter().any(|origin| matches!(origin, Origin::You | Origin::Git));
    let is_restore = plan.verb == TakeBack::Restore;
    let yours: Vec<String> =
        plan.files.iter().filter(|_| is_restore).filter(yours).map(|file| text::quoted(&file.change.path)).collect();
    out += &entries("changes outside these turns go, too", &yours);
    let kept = plan.files.iter().filter(|file| !file.stays.is_empty()).map(|file| (&file.change.path, &file.stays));
    let left = plan.left.iter().map(|left| (&left.path, &left.origins));
    let stays = kept.chain(left).map(|(path, by)| format!("{}: changed by {}", text::quoted(path), origins(by)));
    out += &entries("changes that stay", &stays.collect::<Vec<_>>());
    out += &text::paths("keep, because the checkpoint did not cover them", plan.kept.iter());
    out += &text::paths("bring back from copies", plan.brought_back.iter());
    let lost: Vec<String> = plan.not_brought_back.iter().map(not_kept_line).collect();
    out += &entries("in no checkpoint, and not brought back", &lost);
    out += &text::paths("in the way and in no checkpoint", plan.obstructed.iter());
    out += &text::paths("restore without the setuid, setgid or sticky bit", plan.bits_dropped.iter());
    out += &text::gone(&plan.gone);
    if !plan.gone.is_empty() {
        out += "files in ignored directories that are still there are not watched\n";
    }
    out += &text::uncovered(&plan.uncovered);
    if let Some(kept) = plan.index_kept {
        let _ = writeln!(out, "leave the staged changes alone: {}", text::index_kept(kept, None));
    }
    out += &entries("repositories of their own, left at their commits", &submodules(&plan.submodules));
    let proposed: Vec<String> = plan.proposed.iter().map(text::quoted).collect();
    out += &entries("written as proposed, because their changes touch later ones", &proposed);
    if !plan.conflicts.is_empty() {
        out += "conflicts, of which nothing is written:\n";
    }
    for conflict in &plan.conflicts {
        describe_conflict(words, plan, conflict, &mut out);
    }
    out
}

/// Lists the files that changed after the last actions of interrupted turns, with their times.
pub(super) fn late_files(turns: &Turns, plan: &TurnPlan) -> String {
    let (mut out, now) = (String::new(), now_ms());
    for number in &plan.turns {
        let changes = plan.late.iter().filter(|change| change.turn == *number).map(|change| &change.file);
        let changes: Vec<String> = changes
            .map(|file| {
                let what = if file.gone { "deleted" } else { "changed" };
                format!("{} ({what} {})", text::quoted(&file.path), text::age(now, file.changed_at))
            })
            .collect();
        if let Some(turn) = turns.all.iter().find(|turn| turn.number == *number && !changes.is_empty()) {
            let _ = writeln!(out, "turn {number} was interrupted: {}", prompt(turn));
        }
        let files = text::count(changes.len() as u64, "file");
        out += &entries(&format!("{files} changed after its last action"), &changes);
    }
    out
}

/// Returns a line if the checkpoint may have changes of the turn.
pub(super) fn late(turn: &ListedTurn) -> String {
    match turn.captured_after_ms {
        Some(late) if !turn.suspect.is_empty() => {
            let late = late.max(0);
            format!("its checkpoint was taken {}.{} s after the prompt\n", late / 1_000, late % 1_000 / 100)
        }
        _ => String::new(),
    }
}

/// Returns the number, the state and the prompt of a turn.
fn title(turn: &ListedTurn) -> String {
    let running = if turn.state == TurnState::Running { ", which has not ended" } else { "" };
    format!("turn {}{running}: {}", turn.number, prompt(turn))
}

/// Lists files with their lines and origins.
fn files(title: &str, files: &[&PlannedFile]) -> String {
    let rows: Vec<[String; 3]> =
        files.iter().map(|file| [changed(&file.change), counts(&file.change), origins(&file.origins)]).collect();
    entries(title, &text::table(&rows).lines().map(str::to_owned).collect::<Vec<_>>())
}

fn entries(title: &str, all: &[String]) -> String {
    let mut out = String::new();
    if !all.is_empty() {
        let _ = writeln!(out, "{title}:");
    }
    for entry in all.iter().take(MOST) {
        let _ = writeln!(out, "  {entry}");
    }
    if all.len() > MOST {
        let _ = writeln!(out, "  … and {} more; --json lists all", all.len() - MOST);
    }
    out
}

/// Returns the path of a changed file, with its earlier one if it was renamed.
pub(super) fn changed(file: &Differing) -> String {
    let from = file.renamed_from.as_ref().map(|from| format!("{} -> ", text::quoted(from))).unwrap_or_default();
    from + &text::quoted(&file.path)
}

/// Returns the numbers of added and removed lines, if they are known.
pub(super) fn counts(file: &Differing) -> String {
    match (file.insertions, file.deletions) {
        (Some(insertions), Some(deletions)) => format!("+{insertions}/-{deletions}"),
        _ => "-".to_owned(),
    }
}

fn describe_conflict(words: &Words<'_>, plan: &TurnPlan, conflict: &TurnConflict, out: &mut String) {
    let lines: Vec<String> = conflict
        .lines
        .iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    let lines = match &conflict.lines[..] {
        [] => String::new(),
        [(first, last)] if first == last => format!(", line {}", lines.join("")),
        _ => format!(", lines {}", lines.join(", ")),
    };
    let by = if conflict.changed_by.is_empty() { "since".to_owned() } else { origins(&conflict.changed_by) };
    let _ = writeln!(out, "  {}{lines}: changed by {by}", text::quoted(&conflict.path));
    for line in conflict.proposal.iter().flat_map(|patch| patch.lines().filter(|line| !line.starts_with("diff "))) {
        let _ = writeln!(out, "      {}", text::plain(line));
    }
    for (command, meaning) in commands(words, plan, conflict) {
        let _ = writeln!(out, "    {command}    # {meaning}");
    }
}

/// Returns the commands that work in spite of a conflict, each with its meaning.
fn commands(words: &Words<'_>, plan: &TurnPlan, conflict: &TurnConflict) -> Vec<(String, String)> {
    let path = |path: &RepoPath| words.turns.place.named(path);
    let numbers = |turns: &[i64]| turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut commands = Vec::new();
    if conflict.proposal.is_some() {
        let file = quoted(&path(&conflict.path));
        let command = format!("fuzzy-edit turns revert {} --paths {file} --propose", numbers(&plan.turns));
        commands.push((command, "this proposal: the changes only touch".to_owned()));
    }
    if !conflict.other_hunks.is_empty() {
        let hunks: Vec<String> = conflict.other_hunks.iter().map(ToString::to_string).collect();
        let hunks = quoted(&format!("{}:{}", path(&conflict.path), hunks.join(",")));
        let command = format!("fuzzy-edit turns revert {} --hunks {hunks}", numbers(&plan.turns));
        commands.push((command, "the other hunks".to_owned()));
    }
    if !conflict.together.is_empty() {
        let command = format!("fuzzy-edit turns revert {}", numbers(&conflict.together));
        commands.push((command, format!("{} together", named(&conflict.together))));
    }
    if let Some(first) = conflict.restore {
        let command = format!("fuzzy-edit turns restore {first} --paths {}", quoted(&path(&conflict.path)));
        commands.push((command, format!("the whole file as before turn {first}")));
    }
    commands
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word)).into_owned()
}

/// Describes a file or a directory that is not kept.
pub(super) fn not_kept_line(NotKept { path, why, files, bytes }: &NotKept) -> String {
    let counted = if *files == 1 { String::new() } else { text::count(*files, "file") + ", " };
    format!("{} ({why}; {counted}{})", text::quoted(path), text::size(*bytes))
}
