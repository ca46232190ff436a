//! The page that names the turn of each line of a file.

use axum::extract::{RawQuery, State};
use fuzzy_checkpoint_service::text::{count, quoted};
use fuzzy_checkpoint_service::{Blame, BlamedLine, Origin};
use maud::{Markup, html};

use super::cards;
use super::forms::{Ids, path};
use super::refusal::Refusal;
use super::views::{PageResult, html_page};
use crate::app::App;

/// The most lines of a page.
const LINES: usize = 10_000;
/// Longer lines are truncated.
const LINE_BYTES: usize = 1_000;

pub(super) async fn blame(State(app): State<App>, Ids(worktree): Ids<String>, RawQuery(query): RawQuery) -> PageResult {
    let back = cards::address(&worktree);
    let done = app.git(move |app| {
        let worktree = app.worktree(&worktree)?;
        let blame = app.service().blame(&worktree, &path(query)?)?;
        let above = [(cards::address(&worktree), "Timeline".to_owned())];
        Ok(html_page("Blame", &above, view(&worktree, &blame)))
    });
    done.await.map_err(|rejection| Refusal::from(rejection).next(back, "Back to the timeline"))
}

fn view(worktree: &str, blame: &Blame) -> Markup {
    let mut last = None;
    html! {
        header.title {
            h1.path { code { bdi { (quoted(&blame.path)) } } }
            p.soft { "Each line with the turn that last changed it. Lines without one are older than all turns." }
        }
        @if blame.lines.is_empty() { p.soft { "The file is empty." } }
        @if !blame.lines.is_empty() {
            div.blame tabindex="0" role="region" aria-label="Lines" {
                table {
                    thead { tr { th scope="col" { "Changed by" } th scope="col" { "Line" } th scope="col" { "Text" } } }
                    tbody {
                        @for line in blame.lines.iter().take(LINES) {
                            @let is_new = last.replace(&line.origin) != Some(&line.origin);
                            (row(worktree, blame, line, is_new))
                        }
                    }
                }
            }
            @if blame.lines.len() > LINES { p.note { (count((blame.lines.len() - LINES) as u64, "more line")) " left out." } }
        }
    }
}

/// Renders a line; only the first line of a run names the origin.
fn row(worktree: &str, blame: &Blame, line: &BlamedLine, is_new: bool) -> Markup {
    let end = line.text.floor_char_boundary(LINE_BYTES);
    html! {
        tr.first[is_new] {
            td { @if let Some(origin) = line.origin.as_ref().filter(|_| is_new) { (named(worktree, origin)) (prompts(blame, origin)) } }
            td.at { (line.line) }
            td { code { (line.text[..end]) @if end < line.text.len() { " …" } } }
        }
    }
}

/// Renders hosts and prompts of the turns of an origin.
fn prompts(blame: &Blame, origin: &Origin) -> Markup {
    let numbers: &[i64] = if let Origin::Turn { turns } = origin { turns } else { &[] };
    html! {
        @for turn in blame.turns.iter().filter(|turn| numbers.contains(&turn.number)) {
            " " span.soft { (turn.host) ": " q { bdi { (cards::title(&turn.prompt)) } } }
        }
    }
}

/// Renders an origin, with links to its turns.
pub(super) fn named(worktree: &str, origin: &Origin) -> Markup {
    html! {
        @match origin {
            Origin::Turn { turns } => {
                @for (at, turn) in turns.iter().enumerate() {
                    @if at > 0 { " or " }
                    a href={ (cards::address(worktree)) "/turns/" (turn) } { "turn " (turn) }
                }
            }
            Origin::Git => "git",
            Origin::Restore { id } => a href={ "/restores/" (id) } { "a restore" },
            Origin::You => "you or another program",
        }
    }
}
