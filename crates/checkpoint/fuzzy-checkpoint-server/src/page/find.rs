//! Searching what was said in a session.

use axum::extract::State;
use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::{Message, SessionId};
use maud::{Markup, html};
use serde::Deserialize;

use super::asked::{Asked, Ids};
use super::body::brief;
use super::layout::{Html, moment};
use super::show::{Shown, above, shown};
use super::transcript::{PER_PAGE, search_form};
use crate::app::App;
use crate::rejection::Rejection;

/// How many messages are read at once.
const PORTION: usize = 500;
/// How many hits are shown.
const HITS: usize = 100;

/// What to look for.
#[derive(Deserialize)]
pub(super) struct Sought {
    text: String,
}

/// A message that holds the text: where it is, and the line.
struct Hit {
    page: usize,
    turn: usize,
    message: Message,
    line: String,
}

pub(super) async fn find(
    State(app): State<App>,
    Ids(id): Ids<SessionId>,
    Asked(Sought { text }): Asked<Sought>,
) -> Shown {
    Ok(app.look(move |app| results_page(app, &id, text.trim())).await?)
}

/// Returns the page of the messages of a session that hold a text.
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
            let line = (!wanted.is_empty()).then(|| holding(&message.body, &wanted)).flatten();
            hits.extend(line.map(|line| Hit { page, turn, message, line }));
        }
        if hits.len() > HITS {
            break;
        }
    }
    Ok(shown("Search", &above(&session), results(id, text, &hits)))
}

/// Returns the first line with a text, which is in lower case.
fn holding(body: &str, wanted: &str) -> Option<String> {
    let line = body.lines().find(|line| line.to_lowercase().contains(wanted))?.trim();
    // Of a long line the part around the place; letters that change their length in lower case move it a little.
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
    use super::holding;

    #[test]
    fn the_line_with_the_text_is_found() {
        assert_eq!(holding("one\n  Two words \nthree", "two"), Some("Two words".to_owned()));
        assert_eq!(holding("one", "two"), None);
        let long = format!("{} NEEDLE {}", "é".repeat(300), "x".repeat(300));
        let line = holding(&long, "needle").expect("it is there");
        assert!(line.starts_with('…') && line.contains("NEEDLE") && line.chars().count() < 170, "{line}");
        assert!(holding(&"İ".repeat(100), "i").is_some());
    }
}
