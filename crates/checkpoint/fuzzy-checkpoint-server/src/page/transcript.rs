//! The page of a session: its messages by turn, and its restore points.

use std::collections::HashMap;
use std::ops::Range;

use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::{Checkpoint, Kind, Message, MessageStatus, Outline, Session, SessionId, SessionState};
use maud::{Markup, html};

use super::body::{Form, body, brief, is_data, named, tool};
use super::cards;
use super::index::state;
use super::layout::{moment, page_of, pages};

/// The number of messages on a page.
pub(super) const PER_PAGE: usize = 100;

/// One page of a session.
pub(super) struct Transcript<'a> {
    pub(super) session: &'a Session,
    /// The root of its worktree.
    pub(super) root: &'a str,
    /// The outline of all messages that are not trimmed, in order.
    pub(super) outline: &'a [Outline],
    /// The messages of the page to show.
    pub(super) messages: &'a [Message],
    /// The visible checkpoints.
    pub(super) checkpoints: &'a [Checkpoint],
    /// The page to show, from 1.
    pub(super) number: usize,
    /// The time, in milliseconds since 1970.
    pub(super) now: i64,
    /// The CSRF token of forms.
    pub(super) csrf: &'a str,
    /// The notice above the messages: a restore that is done, pending or refused.
    pub(super) notice: Markup,
}

/// Returns the page to show, by default the last one, and its lines.
pub(super) fn part(outline: &[Outline], requested: Option<usize>) -> (usize, &[Outline]) {
    let (number, _) = page_of(requested.unwrap_or(usize::MAX), outline.len(), PER_PAGE);
    (number, outline.chunks(PER_PAGE).nth(number - 1).unwrap_or_default())
}

/// Returns the page on which a turn begins, and its number: of the first turn with at least this number, or of the last
/// one.
pub(super) fn page_of_turn(outline: &[Outline], turn: i64) -> (usize, i64) {
    let mut prompts = outline.iter().enumerate().filter_map(|(at, line)| Some((at, line.number?)));
    let found = prompts.clone().find(|(_, number)| *number >= turn).or_else(|| prompts.next_back());
    let (at, number) = found.unwrap_or((0, turn));
    (at / PER_PAGE + 1, number)
}

/// Returns the number of turns that begin in these lines.
pub(super) fn prompts(lines: &[Outline]) -> usize {
    lines.iter().filter(|line| line.is_prompt).count()
}

/// Renders the page.
pub(super) fn transcript(view: &Transcript<'_>) -> Markup {
    let (outline, visible) = (view.outline, view.messages);
    let (number, of) = page_of(view.number, outline.len(), PER_PAGE);
    let first = (number - 1) * PER_PAGE;
    let turns = prompts(outline);
    let mut numbers = outline.iter().filter_map(|line| line.number);
    let (first_turn, last_turn) = (numbers.next().unwrap_or(1), numbers.next_back().unwrap_or(1));
    let beyond = outline.get(first + PER_PAGE).map_or(i64::MAX, |line| line.seq);
    let by_anchor: HashMap<i64, &Checkpoint> =
        view.checkpoints.iter().filter(|row| row.kind == Kind::Turn).map(|row| (row.anchor_seq, row)).collect();
    let links =
        pages("Pages of the transcript", number, of, |page| format!("/sessions/{}?page={page}", view.session.id));
    html! {
        header.title data-part="title" {
            h1 { bdi { (named(&view.session.name)) } " " (state(view.session.state)) }
            p.soft {
                span.path { bdi { (plain(view.root)) } } " · " (count(turns as u64, "turn")) " · "
                a data-key="h" href={ "/sessions/" (view.session.id) "/restores" } { "Restores" }
                @if view.session.state == SessionState::Running {
                    " · " a href={ "/sessions/" (view.session.id) "?at=" (view.now) "#end" } { "To the running turn" }
                }
            }
        }
        @if turns > 1 {
            div.finding {
                form.jump action={ "/sessions/" (view.session.id) "/jump" } {
                    label for="jump" { "Turn" }
                    input #jump type="number" name="turn" min=(first_turn) max=(last_turn) required;
                    button { "Go" }
                }
                (search_form(&view.session.id))
            }
        }
        div data-part="notice" { (view.notice) }
        @if outline.is_empty() && view.checkpoints.is_empty() {
            div.empty {
                p { "This session has no messages yet. They appear here once the program that runs its agent begins a turn:" }
                pre tabindex="0" { code { "POST /api/sessions/" (view.session.id) "/turns   {\"message\": \"the prompt\"}" } }
            }
        }
        (links)
        @if first == 0 {
            @for row in taken_by_hand(view, i64::MIN..outline.first().map_or(i64::MAX, |line| line.seq)) {
                (by_hand(view.session, row))
            }
        }
        div.transcript data-part="transcript" {
            @for (at, message) in visible.iter().enumerate() {
                @if let Some(turn) = message.number {
                    (prompt(view.session, message, turn, by_anchor.get(&message.seq).copied()))
                } @else {
                    (output(view.session, message))
                }
                @let next = visible.get(at + 1).map_or(beyond, |message| message.seq);
                @for row in taken_by_hand(view, message.seq..next) { (by_hand(view.session, row)) }
            }
        }
        div data-part="running" {
            @if view.session.state == SessionState::Running && number == of { (running(view)) }
        }
        (links)
        span #end {}
    }
}

/// Renders the search field.
pub(super) fn search_form(session: &SessionId) -> Markup {
    html! {
        form.jump action={ "/sessions/" (session) "/search" } role="search" {
            label for="search" { "Search" }
            input #search type="search" name="text" required maxlength="200";
            button { "Find" }
        }
    }
}

/// Returns the manual checkpoints from one message until the next; they follow the message after which they were taken.
fn taken_by_hand<'a>(view: &Transcript<'a>, between: Range<i64>) -> impl Iterator<Item = &'a Checkpoint> {
    view.checkpoints.iter().filter(move |row| row.kind == Kind::Manual && between.contains(&row.anchor_seq))
}

/// Renders the actions while a turn runs, including the way to end a turn whose agent is gone.
fn running(view: &Transcript<'_>) -> Markup {
    html! {
        // The address differs each time, because for an anchor on the current page browsers only scroll.
        p.note { "A turn is running. " a href={ "/sessions/" (view.session.id) "?at=" (view.now) "#end" } { "Show new messages" } }
        @if let Some(turn) = &view.session.turn {
            form.actions method="post" action={ "/sessions/" (view.session.id) "/turns/" (turn) "/end" } {
                input type="hidden" name="csrf" value=(view.csrf);
                button aria-describedby="end-says" { "End the turn" }
                span.soft #end-says { "if its agent hangs or is gone: it is stopped, and its further output is not stored" }
            }
        }
    }
}

fn prompt(session: &Session, message: &Message, turn: i64, checkpoint: Option<&Checkpoint>) -> Markup {
    let name = format!("turn-{turn}");
    html! {
        article.message.prompt id={ "m" (message.seq) } data-seq=(message.seq) aria-labelledby=(name) {
            header {
                h2 id=(name) { "Turn " (turn) }
                (moment(message.created_at))
                @if message.status == MessageStatus::Failed { span.badge.bad { "failed" } }
                div.act {
                    @match offer(session, message, checkpoint) {
                        // The transcript of a host's session is in the host, so only files can go back.
                        Ok(_) if session.host.is_some() => {
                            a.button aria-describedby=(name) href=(cards::take_back(&session.worktree_id, "revert", turn)) { "Take this back…" }
                            (cards::menu(&session.worktree_id, turn))
                        },
                        Ok(row) => (restore_button(row, &name)),
                        Err(why) => span.soft.why { (plain(&why)) },
                    }
                }
            }
            (body(&message.body, &address(message), Form::Plain))
            (super::turn::brief(session, message))
        }
    }
}

fn output(session: &Session, message: &Message) -> Markup {
    let failed = message.status == MessageStatus::Failed;
    let running = message.status == MessageStatus::Streaming && session.state != SessionState::Idle;
    html! {
        article.message.output.failed[failed] id={ "m" (message.seq) } data-seq=(message.seq) {
            header {
                h3.role { bdi { (plain(&brief(&message.role))) } }
                (moment(message.created_at))
                @if failed { span.badge.bad { "failed" } }
                @if running { span.badge.running { "running" } }
            }
            @if message.role == "tool" || is_data(&message.body) {
                (tool(&message.body, &address(message)))
            } @else {
                (body(&message.body, &address(message), Form::Markdown))
            }
        }
    }
}

fn by_hand(session: &Session, row: &Checkpoint) -> Markup {
    let name = format!("checkpoint-{}", row.id);
    html! {
        article.message.by-hand id={ "c" (row.id) } data-seq=(row.anchor_seq) aria-labelledby=(name) {
            header {
                h3 id=(name) {
                    "Checkpoint" @if !row.label.is_empty() { ": " bdi { (plain(&brief(&row.label))) } }
                }
                (moment(row.created_at))
                div.act {
                    @match usable(session, row) {
                        Ok(row) => (restore_button(row, &name)),
                        Err(why) => span.soft.why { (why) },
                    }
                }
            }
        }
    }
}

fn restore_button(row: &Checkpoint, describes: &str) -> Markup {
    html! {
        form action={ "/sessions/" (row.session_id) "/checkpoints/" (row.id) "/restore" } {
            button aria-describedby=(describes) { "Restore to here" }
        }
    }
}

/// Returns the checkpoint to which a prompt can be restored, or the reason why there is none.
fn offer<'a>(
    session: &Session,
    message: &Message,
    checkpoint: Option<&'a Checkpoint>,
) -> Result<&'a Checkpoint, String> {
    if session.turn.as_ref().is_some_and(|turn| turn.as_str() == message.id.as_str()) {
        return Err("this turn is running".to_owned());
    }
    match (checkpoint, &message.uncheckpointed) {
        (Some(row), _) => usable(session, row).map_err(str::to_owned),
        (None, Some(reason)) => Err(format!("no checkpoint: {reason}")),
        (None, None) => Err("no checkpoint: it was pruned, or never finished".to_owned()),
    }
}

fn usable<'a>(session: &Session, row: &'a Checkpoint) -> Result<&'a Checkpoint, &'static str> {
    if session.state == SessionState::Restoring { Err("a restore is in progress") } else { Ok(row) }
}

fn address(message: &Message) -> String {
    format!("/sessions/{}/messages/{}", message.session_id, message.id)
}
