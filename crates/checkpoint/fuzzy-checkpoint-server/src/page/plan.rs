//! The plan of a restore, to be confirmed.

use fuzzy_checkpoint::{Change, Diff, IndexKept, RepoPath, Uncovered};
use fuzzy_checkpoint_service::Preview;
use fuzzy_checkpoint_service::text::{count, index_kept, plain, quoted, reason};
use fuzzy_checkpoint_store::{Checkpoint, Message, Session, SessionId};
use maud::{Markup, html};

use super::banner::links;
use super::body::{brief, first_line, summary_line};
use super::cards;
use super::diff::diff;
use super::files::{self, Files, PER_PAGE, Tense};
use super::layout::moment;
use super::paths::{SHOWN, paths, rest, section};
use super::turn::summed;

/// The data of a plan.
pub(super) struct View<'a> {
    pub(super) session: &'a Session,
    pub(super) checkpoint: &'a Checkpoint,
    /// The prompt that the checkpoint belongs to, with the number of its turn.
    pub(super) prompt: Option<(&'a Message, i64)>,
    pub(super) plan: &'a Preview,
    /// The page of files to show, from 1.
    pub(super) number: usize,
    /// The changes of that page's files.
    pub(super) diff: Option<&'a Diff>,
    /// The files that changed outside any turn since the checkpoint, sorted.
    pub(super) outside: &'a [RepoPath],
    /// The first messages after the prompt.
    pub(super) later: &'a [Message],
    /// The number of all messages after the prompt.
    pub(super) trimmed: usize,
    /// Whether all diffs are unfolded.
    pub(super) open: bool,
    /// The files that changed since an earlier plan; `None` without one.
    pub(super) since: Option<&'a [RepoPath]>,
    /// Other sessions of the worktree with running agents.
    pub(super) agents: &'a [(SessionId, String)],
    /// Other sessions of the worktree.
    pub(super) others: &'a [(SessionId, String)],
    /// Whether the restore stops a running agent.
    pub(super) force: bool,
    /// Whether the plan cannot be confirmed, because the session's agent is running.
    pub(super) only_read: bool,
    pub(super) csrf: &'a str,
    /// The idempotency key, so that two clicks are one restore.
    pub(super) key: &'a str,
}

/// Returns the address of a checkpoint's pages.
pub(super) fn address(checkpoint: &Checkpoint) -> String {
    format!("/sessions/{}/checkpoints/{}", checkpoint.session_id, checkpoint.id)
}

/// Renders the plan.
pub(super) fn plan(view: &View<'_>) -> Markup {
    html! {
        header.title {
            h1 { "Restore to here" }
            p {
                @match view.prompt {
                    Some((message, turn)) => {
                        "Before turn " (turn) ", " q { bdi { (first_line(&message.body)) } } ", " (moment(message.created_at))
                    }
                    None => {
                        "Checkpoint "
                        @if !view.checkpoint.label.is_empty() { q { bdi { (plain(&brief(&view.checkpoint.label))) } } " " }
                        "of " (moment(view.checkpoint.created_at))
                    }
                }
            }
        }
        div.plan {
            div.confirm {
                (summary(view))
                @if let Some(since) = view.since { (changed_since(since)) }
                @if !view.plan.obstructed.is_empty() {
                    (obstructed(view))
                } @else if view.only_read {
                    (agent_works(view))
                } @else {
                    (form(view))
                }
            }
            div.details {
                (changes(view))
                (lists(view))
                (messages(view))
            }
        }
    }
}

fn summary(view: &View<'_>) -> Markup {
    let plan = view.plan;
    // A renamed file counts once, as everywhere.
    let deleted = plan.files.iter().filter(|file| file.change == Change::Deleted).count();
    let figures = [
        ("Files to change", plan.files.len() - deleted),
        ("Files to delete", deleted),
        ("Files to keep", plan.kept.len()),
        ("Messages to trim", view.trimmed),
    ];
    let has_transcript = view.session.host.is_none();
    html! {
        dl.figures.whole { @for (what, number) in figures.into_iter().take(if has_transcript { 4 } else { 3 }) { div.loses[what == "Files to delete" && number > 0] { dt { (what) } dd { (number) } } } }
    }
}

fn agent_works(view: &View<'_>) -> Markup {
    html! {
        section.notice.busy aria-labelledby="works" {
            h2 #works { "An agent is running" }
            p {
                "A turn of this session is running, and its agent may be writing files. This is the current plan of a restore. "
                "It can be confirmed when the turn is over or the agent is stopped."
            }
            p.actions {
                a.button href={ (address(view.checkpoint)) "/restore" } { "Check again" }
                a.button href={ (address(view.checkpoint)) "/restore?force=yes" } { "Stop the agent and restore" }
                a.button href={ "/sessions/" (view.session.id) } { "Cancel" }
            }
        }
    }
}

fn changed_since(since: &[RepoPath]) -> Markup {
    html! {
        section.notice.busy role="status" aria-labelledby="since" {
            h2 #since { "Files changed since you looked" }
            p { "Nothing was restored. This is the new plan; the changed files are listed here and marked below." }
            @if since.is_empty() { p { "The changed files are no longer known." } } @else { (paths(since)) }
        }
    }
}

fn obstructed(view: &View<'_>) -> Markup {
    html! {
        section.notice.bad aria-labelledby="obstructed" {
            h2 #obstructed { (count(view.plan.obstructed.len() as u64, "path")) " in the way" }
            p {
                "No checkpoint contains these, so the restore would destroy them permanently and is refused. Move or delete them, "
                "then check again."
            }
            (paths(&view.plan.obstructed))
            p.actions {
                a.button.primary href={ (address(view.checkpoint)) "/restore" } { "Check again" }
                a.button href={ "/sessions/" (view.session.id) } { "Cancel" }
            }
        }
    }
}

fn form(view: &View<'_>) -> Markup {
    let deleted = view.plan.files.iter().filter(|file| file.change == Change::Deleted).count();
    html! {
        form #restore method="post" action={ (address(view.checkpoint)) "/restore" } {
            input type="hidden" name="csrf" value=(view.csrf);
            input type="hidden" name="key" value=(view.key);
            @if let Some(tree) = &view.plan.tree { input type="hidden" name="seen" value=(tree); }
            @if view.session.host.is_some() { input type="hidden" name="choice" value="files"; }
            fieldset.whole {
                legend { "Extent of the restore" }
                @if view.session.host.is_none() { (extents(view)) } @else {
                    p.soft { "Only the files are restored: the transcript is in the host." }
                }
                @if view.plan.commits_since > 0 {
                    label.choice {
                        input type="checkbox" name="head" value="restore";
                        span {
                            strong { "Move the branch back, too" }
                            span.soft {
                                (count(view.plan.commits_since, "commit")) " made since "
                                @if view.plan.commits_since == 1 { "is" } @else { "are" }
                                " then no longer on it; otherwise the branch does not move"
                            }
                        }
                    }
                }
            }
            p.ticked.notice.busy { "Only ticked files and hunks are restored. The transcript and the branch do not change." }
            @if view.force { input type="hidden" name="force" value="yes"; }
            @if view.force {
                p.notice.busy { "An agent works in this session. It is stopped first; if it does not stop, nothing is changed." }
            }
            @if !view.agents.is_empty() && !view.force {
                label.choice {
                    input type="checkbox" name="force" value="yes" required;
                    span {
                        strong { "Restore beside a running agent" }
                        span.soft { "an agent works in the same files and is not stopped: " (links(view.agents)) }
                    }
                }
            }
            @if !view.others.is_empty() {
                p.note { "Other sessions work in the same files: " (links(view.others)) "." }
            }
            p.actions {
                button.primary.danger[deleted > 0] {
                    "Restore"
                    @if deleted > 0 { span.whole { " and delete " (count(deleted as u64, "file")) } }
                }
                a.button href={ "/sessions/" (view.session.id) } { "Cancel" }
            }
            p.note { "Everything that is overwritten or deleted is kept in a checkpoint first: this can be undone." }
        }
    }
}

/// Renders the extents of a restore of a session with a transcript.
fn extents(view: &View<'_>) -> Markup {
    let later = count(view.trimmed as u64, "message");
    html! {
        (choice("after", "Files and transcript", &format!("{later} trimmed, the prompt remains"), true))
        @if view.prompt.is_some() {
            (choice("from", "Files, transcript and prompt", "you get its text back, to edit and send again", false))
        }
        (choice("files", "Files only", "the transcript does not change", false))
        (choice("transcript", "Transcript only", "no file changes", false))
    }
}

/// Renders one option for the extent of the restore.
fn choice(value: &str, words: &str, says: &str, chosen: bool) -> Markup {
    html! {
        label.choice {
            input type="radio" name="choice" value=(value) checked[chosen];
            span { strong { (words) } span.soft { (says) } }
        }
    }
}

fn changes(view: &View<'_>) -> Markup {
    let all = &view.plan.files;
    let force = if view.force { "force=yes&" } else { "" };
    let here = address(view.checkpoint);
    html! {
        section aria-labelledby="files" {
            h2 #files { "Files" (summed(all)) }
            @if all.is_empty() {
                p.soft { "No file differs from the checkpoint." }
            } @else if view.plan.obstructed.is_empty() && !view.only_read {
                p.note {
                    "Tick files, or single hunks of their diffs, to restore only these; the transcript then does not change."
                    @if all.len() > PER_PAGE { " Ticks apply only to the current page." }
                }
            }
            (files::list(&Files {
                name: "plan",
                number: view.number,
                changes: view.diff,
                diffs: &format!("{here}/diff?"),
                pages: &format!("{here}/restore?{force}page="),
                form: (view.plan.obstructed.is_empty() && !view.only_read).then_some("restore"),
                open: view.open,
                outside: view.outside,
                ..Files::of(all, Tense::Planned)
            }))
        }
    }
}

const KEPT: &str = "The checkpoint does not contain these, but they may have existed then as ignored files.";

fn lists(view: &View<'_>) -> Markup {
    html! {
        (section("kept", "Kept", KEPT, &view.plan.kept))
        (section("bits", "Without their setuid, setgid or sticky bit", "These are restored with their other permissions.", &view.plan.bits_dropped))
        @if let Some(kept) = view.plan.index_kept.filter(|kept| *kept != IndexKept::NotRequested) {
            p.note { "Staged changes are not restored: " (index_kept(kept, view.plan.index_left)) "." }
        }
        (cards::gone(&view.plan.gone))
        @if !view.plan.uncovered.is_empty() {
            section aria-labelledby="uncovered" {
                h2 #uncovered { "Not captured" }
                p.soft { "The checkpoint does not have these as they were. The restore changes only those that changed after the prompt." }
                (uncovered(&view.plan.uncovered))
            }
        }
    }
}

fn uncovered(all: &[Uncovered]) -> Markup {
    html! {
        ul.paths { @for left in all.iter().take(SHOWN) { li { code { bdi { (quoted(&left.path)) } } " " span.soft { (reason(left.reason)) } } } }
        (rest(all.len(), SHOWN))
    }
}

fn messages(view: &View<'_>) -> Markup {
    html! {
        @if view.session.host.is_none() { section.whole aria-labelledby="messages" {
            h2 #messages { "Messages to trim" }
            @if view.later.is_empty() {
                p.soft { "There are no later messages." }
            } @else {
                ol.said start=(view.later[0].seq) {
                    @for message in view.later {
                        li { span.role { bdi { (plain(&brief(&message.role))) } } " " span dir="auto" { (summary_line(&message.body)) } }
                    }
                }
                (rest(view.trimmed, SHOWN))
            }
        } }
    }
}

/// Renders the diff of one file as a page.
pub(super) fn one_file(path: &RepoPath, changes: &[u8], says: &str) -> Markup {
    let parts = super::diff::by_file(changes);
    html! {
        h1.path { code { bdi { (quoted(path)) } } }
        p.soft { (says) }
        @for part in &parts { (diff(path, part, super::diff::LONG, None)) }
        @if parts.is_empty() { p { "Nothing differs." } }
    }
}
