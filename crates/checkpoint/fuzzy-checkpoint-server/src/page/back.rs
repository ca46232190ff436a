//! The plan to take turns back, to be confirmed, and its result.

use fuzzy_checkpoint::{Change, Diff, Differing, RepoPath};
use fuzzy_checkpoint_service::text::{count, index_kept, plain, quoted};
use fuzzy_checkpoint_service::{
    LateChange, LateChoice, LeftFile, ListedTurn, MovedSubmodule, Origin, PlannedFile, TurnConflict, TurnPlan,
};
use fuzzy_checkpoint_store::{Restore, SessionId, TakeBack};
use maud::{Markup, html};

use super::banner::links;
use super::blame::named;
use super::cards::{self, address, in_query, submodules, title, undo};
use super::files::{self, Files, PER_PAGE, Tense, encoded};
use super::layout::moment;
use super::paths::{SHOWN, paths, rest, section};
use super::turn::summed;

/// The data of a plan.
#[expect(clippy::struct_excessive_bools, reason = "each is a property of the page, and they combine freely")]
pub(super) struct View<'a> {
    pub(super) worktree: &'a str,
    /// The turns of the plan, the newest first.
    pub(super) turns: &'a [ListedTurn],
    pub(super) plan: &'a TurnPlan,
    /// Whether all turns after the first one are taken back, too.
    pub(super) later: bool,
    /// Whether proposals are written.
    pub(super) propose: bool,
    /// The files to choose from: of a revert of one turn, the turn's own changes; else the planned ones.
    pub(super) files: &'a [Differing],
    /// Whether the files are the turn's own changes.
    pub(super) own: bool,
    /// The files that another turn may have changed, too.
    pub(super) shared: &'a [(RepoPath, Vec<i64>)],
    /// The page of files to show, from 1.
    pub(super) number: usize,
    /// The changes of that page's files.
    pub(super) diff: Option<&'a Diff>,
    /// The files with ticked checkboxes, sorted.
    pub(super) ticked: &'a [RepoPath],
    /// The ticked hunks and lines, each by the name and value of its checkbox.
    pub(super) parts: &'a [String],
    /// The address of single diffs, up to the path; empty if there are none.
    pub(super) diffs: &'a str,
    /// The address of this plan.
    pub(super) here: &'a str,
    /// Whether all diffs are unfolded.
    pub(super) open: bool,
    /// Why an earlier form had no effect.
    pub(super) again: Option<Again<'a>>,
    /// Sessions with running agents.
    pub(super) agents: &'a [(SessionId, String)],
    pub(super) csrf: &'a str,
}

/// The reason why an earlier form had no effect.
#[derive(Clone, Copy)]
pub(super) enum Again<'a> {
    /// Nothing was ticked.
    Unticked,
    /// These files changed meanwhile.
    Changed(&'a [RepoPath]),
}

/// Returns the heading of a plan.
pub(super) fn heading(plan: &TurnPlan) -> String {
    let first = plan.turns.first().copied().unwrap_or_default();
    match plan.verb {
        TakeBack::Revert => format!("Take back {}", numbers(&plan.turns)),
        TakeBack::Restore => format!("Restore to before turn {first}"),
        TakeBack::Undo if plan.turns.is_empty() => "Undo a restore".to_owned(),
        TakeBack::Undo => format!("Undo a take-back of {}", numbers(&plan.turns)),
    }
}

/// Names turns, such as `turns 1, 2 and 4`.
pub(super) fn numbers(turns: &[i64]) -> String {
    let numbers: Vec<String> = turns.iter().map(ToString::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("turn {last}"),
        Some((last, others)) => format!("turns {} and {last}", others.join(", ")),
        None => "no turn".to_owned(),
    }
}

/// Renders the plan.
pub(super) fn plan(view: &View<'_>) -> Markup {
    let plan = view.plan;
    html! {
        header.title {
            h1 { (heading(plan)) }
            p { (says(view)) }
            @if plan.verb != TakeBack::Undo {
                ul.of-turns {
                    @for turn in view.turns.iter().take(SHOWN) {
                        li { "Turn " (turn.number) ": " q { bdi { (title(&turn.prompt)) } } ", " (moment(turn.began_at)) }
                    }
                }
            }
        }
        div.plan.back {
            div.confirm {
                (notices(view))
                @if plan.obstructed.is_empty() { (form(view)) }
            }
            div.details {
                section aria-labelledby="files" {
                    h2 #files { "Files" (summed(view.files)) }
                    @if view.files.is_empty() { p.soft { "No file differs." } }
                    @if view.files.len() > PER_PAGE { p.note { "Ticks apply only to the current page." } }
                    @if view.own {
                        p.note { "These are the changes of the turn. Untick a file to keep it, or to choose single hunks and lines of it." }
                    }
                    (files::list(&Files {
                        name: "plan",
                        number: view.number,
                        changes: view.diff,
                        pages: &format!("{}&page=", view.here),
                        diffs: view.diffs,
                        form: (plan.verb != TakeBack::Undo && plan.obstructed.is_empty()).then_some("take-back"),
                        open: view.open,
                        ticked: view.ticked,
                        more: Some(&|file| origins(view, file)),
                        verb: "Take back",
                        lines: view.own,
                        parts: view.parts,
                        ..Files::of(view.files, if view.own { Tense::Done } else { Tense::Planned })
                    }))
                }
                (left(view))
                (repositories(&plan.submodules))
                (lists(plan))
            }
        }
    }
}

fn says(view: &View<'_>) -> Markup {
    let first = view.turns.last();
    html! {
        @match view.plan.verb {
            TakeBack::Revert if view.later => "This turn and all later ones are taken back. Your own changes stay.",
            TakeBack::Revert => "Only these changes are taken back. Other turns and your own changes stay.",
            TakeBack::Restore => {
                "All files become as they were "
                @if let Some(turn) = first { "at " (moment(turn.began_at)) ", when turn " (turn.number) " began" }
                ". Later turns go, and your own changes since then, too."
            },
            TakeBack::Undo => {
                "The files become as they were before it. Changes that you made since then stay."
                @if view.plan.turns.is_empty() { " The transcript comes back, too, unless messages were added since." }
            },
        }
    }
}

fn notices(view: &View<'_>) -> Markup {
    let plan = view.plan;
    html! {
        @match view.again {
            Some(Again::Unticked) => section.notice.busy role="status" { p { "Nothing was ticked, so nothing was taken back." } },
            Some(Again::Changed(changed)) => section.notice.busy role="status" aria-labelledby="since" {
                h2 #since { "Files changed since you looked" }
                p { "Nothing was taken back. This is the new plan." }
                (paths(changed))
            },
            None => {}
        }
        @if !plan.obstructed.is_empty() {
            section.notice.bad aria-labelledby="obstructed" {
                h2 #obstructed { (count(plan.obstructed.len() as u64, "path")) " in the way" }
                p { "No checkpoint contains these, so they would be lost. Move or delete them, then check again." }
                (paths(&plan.obstructed))
                p.actions { a.button.primary href=(view.here) { "Check again" } }
            }
        }
        @if !plan.conflicts.is_empty() {
            section.notice.bad aria-labelledby="conflicts" {
                h2 #conflicts { (count(plan.conflicts.len() as u64, "file")) " with later changes in the same lines" }
                p { "Nothing of these files is written, unless you choose one of these ways:" }
                ul.facts { @for conflict in plan.conflicts.iter().take(SHOWN) { li { (described(view, conflict)) } } }
            }
        }
    }
}

/// Describes a conflict and the ways out of it.
fn described(view: &View<'_>, conflict: &TurnConflict) -> Markup {
    let back = format!("{}/take-back?verb=", address(view.worktree));
    let path = format!("&path={}", in_query(&encoded(&conflict.path)));
    let turns = |turns: &[i64]| turns.iter().map(|turn| format!("&turn={turn}")).collect::<Vec<_>>().concat();
    let hunk = |hunk: &usize| format!("&hunk={}", in_query(&format!("{} {}", encoded(&conflict.path), hunk - 1)));
    let hunks = conflict.other_hunks.iter().map(hunk).collect::<Vec<_>>().concat();
    html! {
        code { bdi { (quoted(&conflict.path)) } }
        @if !conflict.lines.is_empty() { ", " (lines(&conflict.lines)) }
        ": changed "
        @if conflict.changed_by.is_empty() { "later" } @else { (by(view.worktree, &conflict.changed_by)) }
        @if let Some(patch) = &conflict.proposal { pre { (patch) } }
        ul.ways {
            @if conflict.proposal.is_some() {
                li { a.button href={ (view.here) "&propose=yes" } { "Take the proposal" } " the changes only touch" }
            }
            @if !conflict.other_hunks.is_empty() {
                li { a href={ (back) "revert" (turns(&view.plan.turns)) (hunks) } { "Only the other hunks of the file" } }
            }
            @if !conflict.together.is_empty() {
                li { a href={ (back) "revert" (turns(&conflict.together)) } { "Take back " (numbers(&conflict.together)) " together" } }
            }
            @if let Some(first) = conflict.restore {
                li { a href={ (back) "restore&turn=" (first) (path) } { "The whole file as before turn " (first) } }
            }
        }
    }
}

fn lines(all: &[(usize, usize)]) -> String {
    let ranges: Vec<String> = all
        .iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") })
        .collect();
    format!("{} {}", if ranges.len() == 1 && !ranges[0].contains('–') { "line" } else { "lines" }, ranges.join(", "))
}

/// Names the origins of changes, after `changed`.
fn by(worktree: &str, origins: &[Origin]) -> Markup {
    html! {
        @for (at, origin) in origins.iter().enumerate() {
            @if at > 0 { ", " }
            "by " (named(worktree, origin))
        }
    }
}

fn form(view: &View<'_>) -> Markup {
    let plan = view.plan;
    let deleted = plan.files.iter().filter(|file| file.change.change == Change::Deleted).count();
    let shown = files::of_page(view.files, view.number).len();
    let is_one_page = view.files.len() <= PER_PAGE;
    // All boxes of the only page together are the whole request.
    let total = if is_one_page { shown - view.shared.len().min(shown) } else { 0 };
    let verb = match plan.verb {
        TakeBack::Revert => "Take back",
        TakeBack::Restore => "Restore",
        TakeBack::Undo => "Undo",
    };
    let is_possible = !view.files.is_empty() || plan.verb == TakeBack::Undo;
    html! {
        form #take-back method="post" action={ (address(view.worktree)) "/take-back" } {
            input type="hidden" name="csrf" value=(view.csrf);
            input type="hidden" name="verb" value=(plan.verb.as_str());
            @for turn in requested(view) { input type="hidden" name="turn" value=(turn); }
            input type="hidden" name="seen" value=(plan.tree);
            input type="hidden" name="total" value=(total);
            @if view.later { input type="hidden" name="later" value="yes"; }
            @if view.propose { input type="hidden" name="propose" value="yes"; }
            @if let Some(restore) = &plan.undoes {
                input type="hidden" name="restore" value=(restore);
                input type="hidden" name="everything" value="yes";
            }
            @if !view.agents.is_empty() {
                label.choice {
                    input type="checkbox" name="force" value="yes" required;
                    span {
                        strong { "Go on beside a running agent" }
                        span.soft { "make sure that it does not write to these files now: " (links(view.agents)) }
                    }
                }
            }
            @if !plan.late.is_empty() && plan.verb == TakeBack::Revert { (late(&plan.late)) }
            p.actions {
                @if is_possible {
                    button.primary.danger[deleted > 0] { (verb) @if plan.verb != TakeBack::Undo { " the ticked files" } }
                    @if !is_one_page && plan.conflicts.is_empty() && plan.verb != TakeBack::Undo {
                        button name="everything" value="yes" { (verb) " all " (count(view.files.len() as u64, "file")) }
                    }
                }
                a.button href=(address(view.worktree)) { "Cancel" }
            }
            @if deleted > 0 { p.note.loss { (count(deleted as u64, "file")) " would be deleted." } }
            p.note { "The state before it is kept in a checkpoint: this can be undone." }
        }
    }
}

/// Renders the question whose the changes after the last action of an interrupted turn are.
fn late(changes: &[LateChange]) -> Markup {
    let choice = |value: LateChoice, says: &str| {
        html! {
            label.choice {
                input type="radio" name="late" value=(value.as_str()) required;
                span { strong { (says) } }
            }
        }
    };
    html! {
        fieldset {
            legend { "Changed after the last action of an interrupted turn" }
            p.soft { "The agent or you may have changed these files:" }
            ul {
                @for change in changes {
                    li {
                        code { (quoted(&change.file.path)) }
                        " "
                        span.soft {
                            @if change.file.gone { "deleted" } @else { "changed" }
                            " " (moment(change.file.changed_at)) ", turn " (change.turn)
                        }
                    }
                }
            }
            (choice(LateChoice::Keep, "Keep these changes"))
            (choice(LateChoice::Take, "Take them back, too"))
        }
    }
}

/// Returns the turns of the request; a verb that goes back to a moment has only the first one.
fn requested<'p>(view: &View<'p>) -> &'p [i64] {
    let turns = &view.plan.turns;
    match view.plan.verb {
        TakeBack::Revert if !view.later => turns,
        TakeBack::Revert | TakeBack::Restore => &turns[..turns.len().min(1)],
        TakeBack::Undo => &[],
    }
}

/// Renders the origins of a file's changes, besides the turns that are taken back.
fn origins(view: &View<'_>, file: &Differing) -> Markup {
    let planned = view.plan.files.iter().find(|planned| is_same(planned, file));
    let shared = view.shared.iter().find(|(path, _)| *path == file.path);
    let is_kept = view.plan.verb != TakeBack::Restore;
    let others = planned.map(|planned| others(view.plan, planned)).unwrap_or_default();
    let in_conflict = view.plan.conflicts.iter().any(|conflict| conflict.path == file.path);
    html! {
        span.links {
            @if in_conflict { span.badge.bad { "conflict" } }
            @if let Some((_, turns)) = shared {
                span.badge.busy { "of " (named(view.worktree, &Origin::Turn { turns: turns.clone() })) ": only if ticked" }
            }
            @if !others.is_empty() {
                span.soft {
                    @if is_kept { "stays: changes " } @else { "goes, too: changes " }
                    @for (at, origin) in others.iter().enumerate() {
                        @if at > 0 { ", " }
                        @if matches!(origin, Origin::Turn { .. }) { "of " } @else { "by " }
                        (named(view.worktree, origin))
                    }
                }
            }
        }
    }
}

fn is_same(planned: &PlannedFile, file: &Differing) -> bool {
    let change = &planned.change;
    // The plan names the file by its path after the request, and a turn by its path after the turn.
    [Some(&change.path), change.renamed_from.as_ref()].into_iter().flatten().any(|path| *path == file.path)
}

/// Returns the origins of other changes of a file than those of the turns.
fn others<'p>(plan: &TurnPlan, file: &'p PlannedFile) -> Vec<&'p Origin> {
    let is_ours = |origin: &Origin| match origin {
        Origin::Turn { turns } => turns.iter().all(|turn| plan.turns.contains(turn)),
        _ => false,
    };
    file.origins.iter().chain(&file.stays).filter(|origin| !is_ours(origin)).collect()
}

fn left(view: &View<'_>) -> Markup {
    // The shared files of a single turn are in the list, with checkboxes.
    let all: Vec<&LeftFile> =
        view.plan.left.iter().filter(|left| !view.shared.iter().any(|(path, _)| *path == left.path)).collect();
    html! {
        @if !all.is_empty() {
            section aria-labelledby="left" {
                h2 #left { "Left alone" }
                ul.paths {
                    @for left in all.iter().take(SHOWN) {
                        li { code { bdi { (quoted(&left.path)) } } " " span.soft { "changed " (by(view.worktree, &left.origins)) } }
                    }
                }
                (rest(all.len(), SHOWN))
            }
        }
    }
}

/// Renders the repositories inside the worktree that the turns moved.
fn repositories(moved: &[MovedSubmodule]) -> Markup {
    html! {
        @if !moved.is_empty() {
            section aria-labelledby="repositories" {
                h2 #repositories { "Repositories of their own" }
                p.soft { "These stay at their commits; take them back with git." }
                (submodules(moved))
            }
        }
    }
}

fn lists(plan: &TurnPlan) -> Markup {
    let suspect: Vec<RepoPath> = plan.uncovered.iter().map(|left| left.path.clone()).collect();
    let not_brought_back: Vec<RepoPath> = plan.not_brought_back.iter().map(|left| left.path.clone()).collect();
    let all = [
        (
            "copies",
            "From copies",
            "No checkpoint has these, but copies were kept before a command.",
            &plan.brought_back,
        ),
        (
            "no-copies",
            "Not from copies",
            "There is no copy of these, or something newer stands in their place.",
            &not_brought_back,
        ),
        ("kept", "Kept", "The checkpoint does not prove that these did not exist then.", &plan.kept),
        (
            "bits",
            "Without their setuid, setgid or sticky bit",
            "These are restored with their other permissions.",
            &plan.bits_dropped,
        ),
        (
            "uncovered",
            "Not captured as they were",
            "The checkpoint may have a later state of these, or none.",
            &suspect,
        ),
    ];
    html! {
        (cards::gone(&plan.gone))
        @if let Some(kept) = plan.index_kept { p.note { "Staged changes stay: " (index_kept(kept, None)) "." } }
        @for (id, heading, says, paths) in all { (section(id, heading, says, paths)) }
    }
}

/// Renders the result; `is_undone` says that it cannot be undone any more.
pub(super) fn done(restore: &Restore, is_undone: bool) -> Markup {
    let options = &restore.options;
    let first = options.turns.first().copied().unwrap_or_default();
    html! {
        section.notice.good role="status" aria-labelledby="notice" {
            h2 #notice {
                @match options.verb {
                    Some(TakeBack::Restore) => { "Restored to before turn " (first) },
                    Some(TakeBack::Undo) if options.redo => { "Taken back again: " (numbers(&options.turns)) },
                    Some(TakeBack::Undo) => { "Brought back: " (numbers(&options.turns)) },
                    _ if options.partly => { "Partly taken back: " (numbers(&options.turns)) },
                    _ => { "Taken back: " (numbers(&options.turns)) },
                }
                " " (moment(restore.updated_at))
            }
            @if let Some(error) = &restore.error { p { (plain(error)) } }
            (cards::gone(&restore.result.gone))
            @if let Some(kept) = restore.result.index_kept { p { "Staged changes stay: " (index_kept(kept, None)) "." } }
            p.actions {
                @if !is_undone { a.button href=(undo(restore)) { "Undo this…" } }
                a href={ "/restores/" (restore.id) } { "Show its changes" }
            }
        }
    }
}

/// Renders the result of a request without an effect.
pub(super) fn nothing() -> Markup {
    html! { section.notice.good role="status" { p { "No file differed, so nothing was changed." } } }
}
