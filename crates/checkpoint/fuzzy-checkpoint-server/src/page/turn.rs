//! The page of a turn's changes.

use fuzzy_checkpoint::{Diff, Differing};
use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_service::{MovedSubmodule, TurnChanges};
use fuzzy_checkpoint_store::{Changes, Message, Session};
use maud::{Markup, html};

use super::body::first_line;
use super::cards;
use super::files::{self, Files, Tense, plus_minus};
use super::layout::moment;

/// The data of the page.
pub(super) struct Turn<'a> {
    pub(super) session: &'a Session,
    pub(super) prompt: &'a Message,
    /// The turn's number in the worktree.
    pub(super) at: i64,
    pub(super) changes: &'a TurnChanges,
    /// The repositories inside the worktree whose commit it changed.
    pub(super) submodules: &'a [MovedSubmodule],
    /// The page of files to show, from 1.
    pub(super) number: usize,
    /// Whether all diffs are unfolded.
    pub(super) open: bool,
    /// The changes of that page's files.
    pub(super) diff: Option<&'a Diff>,
    /// Whether the checkpoint at its start can be restored.
    pub(super) can_go_back: bool,
}

/// Returns the address of a turn's page.
pub(super) fn address(prompt: &Message) -> String {
    format!("/sessions/{}/turns/{}", prompt.session_id, prompt.id)
}

/// Renders the page.
pub(super) fn turn(view: &Turn<'_>) -> Markup {
    let here = address(view.prompt);
    let (changed, outside) = (&view.changes.files, &view.changes.outside);
    let worktree = &view.session.worktree_id;
    let revert = view.can_go_back && !view.changes.running;
    let links = |file: &Differing| cards::links(worktree, revert.then_some(view.at), &file.path);
    html! {
        header.title data-part="title" {
            h1 { "Changes of turn " (view.at) @if view.changes.running { " " span.badge.running { "running" } } }
            p { q { bdi { (first_line(&view.prompt.body)) } } ", " (moment(view.prompt.created_at)) }
            @if view.can_go_back {
                div.actions {
                    @if !view.changes.running && !changed.is_empty() {
                        a.button aria-describedby="back" href=(cards::take_back(worktree, "revert", view.at)) { "Take this back…" }
                    }
                    (cards::menu(worktree, view.at))
                    span.soft #back { "You see the plan first, and can choose files, hunks and lines." }
                }
            }
        }
        section #changed data-part="changed" aria-labelledby="files" {
            h2 #files { "Files" (summed(changed)) }
            @if let Some(why) = &view.changes.uncompared {
                p.note { "Its changes are not counted: " (plain(why)) "." }
            } @else if changed.is_empty() {
                p.soft { @if view.changes.running { "Nothing so far." } @else { "It changed no file." } }
            }
            @if view.changes.running { p.note { "Compared with the current files. " a href=(here) { "Compare again" } } }
            (files::list(&Files {
                name: "turn",
                number: view.number,
                changes: view.diff,
                diffs: &format!("{here}/diff?"),
                pages: &format!("{here}?page="),
                open: view.open,
                more: Some(&links),
                ..Files::of(changed, Tense::Done)
            }))
            (cards::submodules(view.submodules))
        }
        (cards::gone(&view.changes.gone))
        @if !outside.is_empty() {
            section.apart #outside aria-labelledby="before" {
                h2 #before { "Changed before it, outside any turn" (summed(outside)) }
                p.soft { "A person or another program changed these between the turns." }
                (files::list(&Files {
                    name: "outside",
                    diffs: &format!("{here}/outside?"),
                    pages: &format!("{here}?page="),
                    ..Files::of(outside, Tense::Done)
                }))
            }
        }
    }
}

/// Renders the number of files and lines after a heading.
pub(super) fn summed(files: &[Differing]) -> Markup {
    let inserted = files.iter().filter_map(|file| file.insertions).sum();
    let deleted = files.iter().filter_map(|file| file.deletions).sum();
    html! {
        @if !files.is_empty() {
            " " span.soft { (count(files.len() as u64, "file")) " " (plus_minus(inserted, deleted)) }
        }
    }
}

/// Renders a summary of a turn's changes in the transcript, with a link to its page.
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
                    "Its changes so far"
                },
                None => @if let Some(why) = &prompt.uncompared {
                    span.soft { "its changes are not counted: " (plain(why)) }
                },
            }
            @if let Some(outside) = prompt.outside.as_ref().filter(|outside| outside.files > 0) {
                " " a.outside href={ (here) "#outside" } { (count(outside.files, "file")) " changed before it, outside any turn" }
            }
        }
    }
}
