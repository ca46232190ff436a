//! The list of all sessions, by worktree.

use std::cmp::Reverse;

use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::SessionState;
use maud::{Markup, html};

use super::body::named;
use super::layout::{ago, page_of, pages};

/// The number of sessions on a page.
const PER_PAGE: usize = 200;

/// One session of the list.
pub(super) struct Row {
    /// The root of its worktree's files.
    pub(super) root: String,
    /// The id of its worktree.
    pub(super) worktree: String,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) state: SessionState,
    /// The number of prompts in its transcript.
    pub(super) turns: u64,
    /// The time of the last message, in milliseconds since 1970.
    pub(super) active: i64,
}

/// Renders one page of the list, counted from 1: by worktree, the most recently used first.
pub(super) fn index(mut rows: Vec<Row>, number: usize, now: i64) -> Markup {
    rows.sort_by_key(|row| Reverse(row.active));
    let (number, of) = page_of(number, rows.len(), PER_PAGE);
    let visible = rows.chunks(PER_PAGE).nth(number - 1).unwrap_or_default();
    let links = pages("Pages of sessions", number, of, |page| format!("/?page={page}"));
    html! {
        h1 { "Sessions" }
        @if rows.is_empty() { (empty()) }
        (links)
        @for (root, sessions) in groups(visible) {
            section.group {
                h2.path { bdi { (plain(root)) } }
                @for row in sessions.iter().take(1) {
                    p.to-timeline { a.button href=(super::cards::address(&row.worktree)) { "Timeline of all turns" } }
                }
                ul.rows {
                    @for row in sessions {
                        li {
                            a href={ "/sessions/" (row.id) } { bdi { (named(&row.title)) } }
                            (state(row.state))
                            span.soft {
                                (count(row.turns, "turn")) " · " (ago(row.active, now))
                            }
                        }
                    }
                }
            }
        }
        (links)
    }
}

/// Groups sessions by worktree, in the given order.
fn groups(rows: &[Row]) -> Vec<(&str, Vec<&Row>)> {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|(root, _)| *root == row.root) {
            Some((_, sessions)) => sessions.push(row),
            None => groups.push((&row.root, vec![row])),
        }
    }
    groups
}

/// Renders the state of a session, unless it is idle.
pub(super) fn state(state: SessionState) -> Markup {
    html! {
        @match state {
            SessionState::Idle => {}
            SessionState::Running => span.badge.running { "running" },
            SessionState::Restoring => span.badge.restoring { "restoring" },
        }
    }
}

fn empty() -> Markup {
    html! {
        div.empty {
            p { "There is no session yet. A program that runs an agent creates one and reports each turn:" }
            pre { code {
                "POST /api/sessions                     {\"worktree\": \"/path/of/a/repository\", \"title\": \"…\"}\n"
                "POST /api/sessions/ID/turns            {\"message\": \"the prompt\"}\n"
                "POST /api/sessions/ID/messages         {\"turn\": \"…\", \"role\": \"assistant\", \"body\": \"…\"}\n"
                "POST /api/sessions/ID/turns/TURN/end   {\"status\": \"complete\"}"
            } }
            p { "A manual checkpoint creates its own session:" }
            pre { code { "fuzzy-edit checkpoint create --label 'before the refactoring'" } }
        }
    }
}
