//! Search in the messages of a session.

use axum::extract::State;
use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::{Message, SessionId};
use maud::{Markup, html};
use serde::Deserialize;

use super::body::brief;
use super::forms::{Ids, Params};
use super::layout::{Html, moment};
use super::transcript::{PER_PAGE, search_form};
use super::views::{PageResult, above, html_page};
use crate::app::App;
use crate::rejection::Rejection;

/// The number of messages that are read at once.
const PORTION: usize = 500;
/// The largest number of results.
const HITS: usize = 100;

/// The search text.
#[derive(Deserialize)]
pub(super) struct SearchText {
    text: String,
}

/// A message that contains the text: its page and turn, and the line.
struct Hit {
    page: usize,
    turn: usize,
    message: Message,
    line: String,
}

pub(super) async fn find(
    State(app): State<App>,
    Ids(id): Ids<SessionId>,
    Params(SearchText { text }): Params<SearchText>,
) -> PageResult {
    Ok(app.look(move |app| results_page(app, &id, text.trim())).await?)
}

/// Returns the page of a session's messages that contain a text.
fn results_page(app: &App, id: &SessionId, text: &str) -> Result<Html, Rejection> {
    let (session, store) = (app.session(id)?, app.service().store());
    let outline = store.outline(id, 0, i64::MAX)?;
    let wanted = text.to_lowercase();
    let (mut hits, mut turn) = (Vec::new(), 0);
    for (portion, lines) in outline.chunks(PORTION).enumerate() {
        let [first, .., last] = [lines.first(), lines.last()].map(|line| line.map_or(0, |line| line.seq));
        for (at, message) in store.messages_between(id, first - 1, last)?.into_iter().enumerate() {
            turn += usize::from(message.role == "user");
            let page = (portion * PORTION + at) / PER_PAGE + 1;
            let line = (!wanted.is_empty()).then(|| matching_line(&message.body, &wanted)).flatten();
            hits.extend(line.map(|line| Hit { page, turn, message, line }));
        }
        if hits.len() > HITS {
            break;
        }
    }
    Ok(html_page("Search", &above(&session), results(id, text, &hits)))
}

/// Returns the first line that contains `wanted`, a text in lower case.
fn matching_line(body: &str, wanted: &str) -> Option<String> {
    let line = body.lines().find(|line| line.to_lowercase().contains(wanted))?.trim();
    // A long line is truncated around the match. Letters whose length changes in lower case shift the position
    // slightly.
    let place = line.to_lowercase().find(wanted)?.min(line.len());
    let start = if place > 100 { line.floor_char_boundary(place - 60) } else { 0 };
    let before = if start > 0 { "…" } else { "" };
    Some(format!("{before}{}", brief(&line[start..])))
}

fn results(session: &SessionId, text: &str, hits: &[Hit]) -> Markup {
    html! {
        header.title {
            h1 { "Search" }
            p {
                @if hits.len() > HITS { "The first " (HITS) " messages" } @else { (count(hits.len() as u64, "message")) }
                " with " q { bdi { (plain(&brief(text))) } }
            }
        }
        (search_form(session))
        @if !hits.is_empty() {
            ul.rows {
                @for hit in hits.iter().take(HITS) {
                    li {
                        a href={ "/sessions/" (session) "?page=" (hit.page) "#m" (hit.message.seq) } { bdi { (plain(&hit.line)) } }
                        span.soft {
                            @if hit.turn > 0 { "turn " (hit.turn) ", " }
                            bdi { (plain(&brief(&hit.message.role))) } " · " (moment(hit.message.created_at))
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matching_line;

    #[test]
    fn the_line_with_the_text_is_found() {
        assert_eq!(matching_line("one\n  Two words \nthree", "two"), Some("Two words".to_owned()));
        assert_eq!(matching_line("one", "two"), None);
        let long = format!("{} NEEDLE {}", "é".repeat(300), "x".repeat(300));
        let line = matching_line(&long, "needle").expect("it is there");
        assert!(line.starts_with('…') && line.contains("NEEDLE") && line.chars().count() < 170, "{line}");
        assert!(matching_line(&"İ".repeat(100), "i").is_some());
    }
}
