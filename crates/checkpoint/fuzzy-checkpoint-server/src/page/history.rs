//! The restores of a session, and the changes of each.

use std::collections::HashSet;

use fuzzy_checkpoint::{Diff, Differing};
use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::{Phase, Restore, RestoreId, SessionId, TakeBack};
use maud::{Markup, html};

use super::cards::undo;
use super::files::{self, Files, Tense};
use super::layout::moment;
use super::turn::summed;
use super::{back, banner};

/// The number of restores on a page.
pub(super) const PER_PAGE: usize = 50;

/// Renders the list, the newest first; `next` is the last restore of the page if there are more, and `undone` are those
/// that cannot be undone any more.
pub(super) fn list(
    session: &SessionId,
    restores: &[Restore],
    next: Option<&Restore>,
    undone: &HashSet<RestoreId>,
) -> Markup {
    html! {
        header.title { h1 { "Restores" } }
        @if restores.is_empty() {
            p.empty {
                "There are no restores in this session. To restore, press “Restore to here” at " a href={ "/sessions/" (session) } { "a turn" } "."
            }
        }
        @if !restores.is_empty() {
            ul.rows {
                @for row in restores {
                    li {
                        a href={ "/restores/" (row.id) } { (what(row)) " " (moment(row.created_at)) }
                        (phase(row))
                        span.soft { (extent(row)) }
                        @if row.phase == Phase::Done && !undone.contains(&row.id) {
                            a href=(undo(row)) { @if row.takes_back() { "Redo…" } @else { "Undo…" } }
                        }
                    }
                }
            }
        }
        @if let Some(last) = next {
            p.pages { a rel="next" href={ "/sessions/" (session) "/restores?before=" (last.id) } { "Earlier" } }
        }
    }
}

fn what(row: &Restore) -> String {
    let turns = || back::numbers(&row.options.turns);
    match (&row.options.undo_of, row.options.verb) {
        (Some(_), _) if row.options.redo => "Redo of a restore,".to_owned(),
        (Some(_), _) => "Undo of a restore,".to_owned(),
        (None, Some(TakeBack::Restore)) => {
            format!("Restore to before turn {},", row.options.turns.first().copied().unwrap_or_default())
        }
        (None, Some(_)) => format!("Taking back {},", turns()),
        (None, None) if row.options.paths.is_empty() => "Restore,".to_owned(),
        (None, None) => "Restore of single files,".to_owned(),
    }
}

fn phase(row: &Restore) -> Markup {
    html! {
        @match row.phase {
            Phase::Done => span.badge.good { "done" },
            Phase::Refused => span.badge.bad { "refused" },
            Phase::RolledBack => span.badge.bad { "aborted" },
            _ => span.badge.restoring { "in progress" },
        }
    }
}

/// Returns a summary of a restore's changes.
fn extent(row: &Restore) -> String {
    let result = &row.result;
    let mut summary: Vec<String> = banner::counted(result).into_iter().collect();
    if result.messages_deleted > 0 {
        let done = if row.takes_back() { " brought back" } else { " trimmed" };
        summary.push(count(result.messages_deleted, "message") + done);
    }
    if summary.is_empty() { "nothing changed".to_owned() } else { summary.join(", ") }
}

/// A restore's changes of files, or the reason why they are unknown.
pub(super) enum FileChanges<'a> {
    Files { files: &'a [Differing], number: usize, changes: Option<&'a Diff>, open: bool },
    Unknown(String),
}

/// Renders one restore; `notice` is its summary in words.
pub(super) fn restore(row: &Restore, notice: &Markup, changes: &FileChanges<'_>) -> Markup {
    html! {
        header.title {
            h1 { "Changes of a restore" }
            p.soft { (what(row)) " " (moment(row.created_at)) " · " (extent(row)) }
        }
        (notice)
        section aria-labelledby="files" {
            @match changes {
                FileChanges::Files { files, number, changes, open } => {
                    h2 #files { "Files" (summed(files)) }
                    @if files.is_empty() { p.soft { "No file changed." } }
                    (files::list(&Files {
                        name: "restore",
                        number: *number,
                        changes: *changes,
                        diffs: &format!("/restores/{}/diff?", row.id),
                        pages: &format!("/restores/{}?page=", row.id),
                        open: *open,
                        ..Files::of(files, Tense::Done)
                    }))
                },
                FileChanges::Unknown(why) => { h2 #files { "Files" } p.soft { (plain(why)) } },
            }
        }
    }
}
