//! What a turn changed.

use fuzzy_checkpoint::{Diff, Differing};
use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::{Changes, Checkpoint, Message, Session};
use fuzzy_report::checkpoint::TurnChanges;
use maud::{Markup, html};

use super::body::first_line;
use super::files::{self, Files, Tense, plus_minus};
use super::layout::moment;

/// A turn about to be shown.
pub(super) struct Turn<'a> {
    pub(super) session: &'a Session,
    pub(super) prompt: &'a Message,
    /// Its number in the session.
    pub(super) at: usize,
    pub(super) changes: &'a TurnChanges,
    /// The page of files to show, from 1.
    pub(super) number: usize,
    /// Whether every diff is unfolded.
    pub(super) open: bool,
    /// The changes of that page's files.
    pub(super) diff: Option<&'a Diff>,
    /// The checkpoint that it began with, where one can go back to it.
    pub(super) begin: Option<&'a Checkpoint>,
}

/// Returns where a turn is.
pub(super) fn address(prompt: &Message) -> String {
    format!("/sessions/{}/turns/{}", prompt.session_id, prompt.id)
}

/// Writes the page.
pub(super) fn turn(view: &Turn<'_>) -> Markup {
    let here = address(view.prompt);
    let (changed, outside) = (&view.changes.files, &view.changes.outside);
    html! {
        header.title data-part="title" {
            h1 { "What turn " (view.at) " changed" @if view.changes.running { " " span.badge.running { "running" } } }
            p { q { bdi { (first_line(&view.prompt.body)) } } ", " (moment(view.prompt.created_at)) }
            @if let Some(begin) = view.begin {
                form.actions action={ "/sessions/" (view.session.id) "/checkpoints/" (begin.id) "/restore" } {
                    input type="hidden" name="turn" value=(view.prompt.id);
                    button aria-describedby="back" { "Take back…" }
                    span.soft #back { "the files of this turn, to before it; you see what would happen first, and can take more or less" }
                }
            }
        }
        section #changed data-part="changed" aria-labelledby="files" {
            h2 #files { "Files" (summed(changed)) }
            @if let Some(why) = &view.changes.uncompared {
                p.note { "What it changed is not counted: " (plain(why)) "." }
            } @else if changed.is_empty() {
                p.soft { @if view.changes.running { "Nothing so far." } @else { "It changed no file." } }
            }
            @if view.changes.running { p.note { "Compared with what is on disk now. " a href=(here) { "Look again" } } }
            (files::list(&Files {
                name: "turn",
                all: changed,
                number: view.number,
                changes: view.diff,
                tense: Tense::Done,
                diffs: &format!("{here}/diff?"),
                pages: &format!("{here}?page="),
                form: None,
                open: view.open,
                ticked: &[],
                outside: &[],
            }))
        }
        @if !outside.is_empty() {
            section.apart #outside aria-labelledby="before" {
                h2 #before { "Changed before it, outside any turn" (summed(outside)) }
                p.soft { "Somebody else changed these between the turns: a person, or another program." }
                (files::list(&Files {
                    name: "outside",
                    all: outside,
                    number: 1,
                    changes: None,
                    tense: Tense::Done,
                    diffs: &format!("{here}/outside?"),
                    pages: &format!("{here}?page="),
                    form: None,
                    open: false,
                    ticked: &[],
                    outside: &[],
                }))
            }
        }
    }
}

/// Counts files and lines behind a heading.
pub(super) fn summed(files: &[Differing]) -> Markup {
    let come = files.iter().filter_map(|file| file.insertions).sum();
    let go = files.iter().filter_map(|file| file.deletions).sum();
    html! {
        @if !files.is_empty() {
            " " span.soft { (count(files.len() as u64, "file")) " " (plus_minus(come, go)) }
        }
    }
}

/// Says in a transcript how much the turn of a prompt changed, and leads to it.
pub(super) fn brief(session: &Session, prompt: &Message) -> Markup {
    let running = session.turn.as_ref().is_some_and(|turn| turn.as_str() == prompt.id.as_str());
    let here = address(prompt);
    html! {
        p.changes {
            @match &prompt.changes {
                Some(Changes { files: 0, .. }) => span.soft { "changed no file" },
                Some(changes) => a href=(here) {
                    span.words { "Changed " (count(changes.files, "file")) } " " (plus_minus(changes.insertions, changes.deletions))
                },
                None if running && prompt.uncheckpointed.is_none() => a href=(here) data-changes={ "/api" (here) "/changes" } {
                    "What it has changed so far"
                },
                None => @if let Some(why) = &prompt.uncompared {
                    span.soft { "what it changed is not counted: " (plain(why)) }
                },
            }
            @if let Some(outside) = prompt.outside.as_ref().filter(|outside| outside.files > 0) {
                " " a.outside href={ (here) "#outside" } { (count(outside.files, "file")) " changed before it, outside any turn" }
            }
        }
    }
}
