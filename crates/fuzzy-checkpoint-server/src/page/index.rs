//! All sessions, by worktree.

use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::SessionState;
use maud::{Markup, html};

use super::layout::ago;

/// Is a worktree with its sessions.
pub(super) struct Group {
    /// The root of its files.
    pub(super) root: String,
    /// The newest activity first.
    pub(super) sessions: Vec<Row>,
}

/// Is one session of the list.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) state: SessionState,
    /// How many prompts its transcript holds.
    pub(super) turns: u64,
    /// When something was last said, in milliseconds since 1970.
    pub(super) active: i64,
}

/// Writes the list.
pub(super) fn index(groups: &[Group], now: i64) -> Markup {
    html! {
        h1 { "Sessions" }
        @if groups.is_empty() { (empty()) }
        @for group in groups {
            section.group {
                h2.path { bdi { (plain(&group.root)) } }
                ul.rows {
                    @for row in &group.sessions {
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
    }
}

/// Returns the title, or what stands for one.
pub(super) fn named(title: &str) -> String {
    if title.trim().is_empty() { "Untitled".to_owned() } else { plain(title) }
}

/// Says what a session does, unless that is nothing.
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
            p { "There is no session yet. A program that runs an agent makes one, and tells each turn as it goes:" }
            pre { code {
                "POST /api/sessions                     {\"worktree\": \"/path/of/a/repository\", \"title\": \"…\"}\n"
                "POST /api/sessions/ID/turns            {\"message\": \"the prompt\"}\n"
                "POST /api/sessions/ID/messages         {\"turn\": \"…\", \"role\": \"assistant\", \"body\": \"…\"}\n"
                "POST /api/sessions/ID/turns/TURN/end   {\"status\": \"complete\"}"
            } }
            p { "A checkpoint taken by hand makes a session of its own:" }
            pre { code { "fuzzy-edit checkpoint create --label 'before the refactoring'" } }
        }
    }
}
