//! A session: what was said, turn by turn, and from where one can go back.

use std::collections::HashMap;
use std::ops::Range;

use fuzzy_checkpoint_service::text::{count, plain};
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointState, Kind, Message, MessageStatus, Outline, Session, SessionId, SessionState,
};
use maud::{Markup, html};

use super::body::{Form, body, brief, is_data, tool};
use super::index::{named, state};
use super::layout::{moment, page_of, pages};

/// How many messages a page shows.
pub(super) const PER_PAGE: usize = 100;

/// One page of a session.
pub(super) struct Transcript<'a> {
    pub(super) session: &'a Session,
    /// The root of its worktree.
    pub(super) root: &'a str,
    /// All that is not trimmed, in order.
    pub(super) outline: &'a [Outline],
    /// The messages of the page to show.
    pub(super) messages: &'a [Message],
    /// The checkpoints that are not hidden.
    pub(super) checkpoints: &'a [Checkpoint],
    /// The page to show, from 1.
    pub(super) number: usize,
    /// The time, in milliseconds since 1970.
    pub(super) now: i64,
    /// What forms must carry.
    pub(super) csrf: &'a str,
    /// What is to be said first: a restore that is done, pending or refused.
    pub(super) notice: Markup,
}

/// Returns which page to show, the last one unless told, and what is on it.
pub(super) fn part(outline: &[Outline], asked: Option<usize>) -> (usize, &[Outline]) {
    let (number, _) = page_of(asked.unwrap_or(usize::MAX), outline.len(), PER_PAGE);
    (number, outline.chunks(PER_PAGE).nth(number - 1).unwrap_or_default())
}

/// Returns the page on which a turn begins, the last turn where there are fewer.
pub(super) fn page_of_turn(outline: &[Outline], turn: usize) -> usize {
    let mut prompts = outline.iter().enumerate().filter(|(_, line)| line.is_prompt).map(|(at, _)| at);
    let at = prompts.clone().nth(turn.saturating_sub(1)).or_else(|| prompts.next_back());
    at.unwrap_or(0) / PER_PAGE + 1
}

/// Returns how many turns begin in these lines.
pub(super) fn prompts(lines: &[Outline]) -> usize {
    lines.iter().filter(|line| line.is_prompt).count()
}

/// Writes the page.
pub(super) fn transcript(view: &Transcript<'_>) -> Markup {
    let (outline, shown) = (view.outline, view.messages);
    let (number, of) = page_of(view.number, outline.len(), PER_PAGE);
    let first = (number - 1) * PER_PAGE;
    let (turns_before, turns) = (prompts(&outline[..first]), prompts(outline));
    let beyond = outline.get(first + PER_PAGE).map_or(i64::MAX, |line| line.seq);
    let by_anchor: HashMap<i64, &Checkpoint> =
        view.checkpoints.iter().filter(|row| row.kind == Kind::Turn).map(|row| (row.anchor_seq, row)).collect();
    let links =
        pages("Pages of the transcript", number, of, |page| format!("/sessions/{}?page={page}", view.session.id));
    let mut turn = turns_before;
    html! {
        header.title data-part="title" {
            h1 { bdi { (named(&view.session.title)) } " " (state(view.session.state)) }
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
                    input #jump type="number" name="turn" min="1" max=(turns) required;
                    button { "Go" }
                }
                (search_form(&view.session.id))
            }
        }
        div data-part="notice" { (view.notice) }
        @if outline.is_empty() && view.checkpoints.is_empty() {
            div.empty {
                p { "Nothing has been said in this session yet. The program that runs its agent begins a turn, and this page shows it:" }
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
            @for (at, message) in shown.iter().enumerate() {
                @if is_prompt(message) {
                    (prompt(view.session, message, { turn += 1; turn }, by_anchor.get(&message.seq).copied()))
                } @else {
                    (output(view.session, message))
                }
                @let next = shown.get(at + 1).map_or(beyond, |message| message.seq);
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

/// Writes the field to search with.
pub(super) fn search_form(session: &SessionId) -> Markup {
    html! {
        form.jump action={ "/sessions/" (session) "/search" } role="search" {
            label for="search" { "Search" }
            input #search type="search" name="text" required maxlength="200";
            button { "Find" }
        }
    }
}

/// Returns what was taken by hand from one message on until the next: it is below the message that it came after.
fn taken_by_hand<'a>(view: &Transcript<'a>, between: Range<i64>) -> impl Iterator<Item = &'a Checkpoint> {
    view.checkpoints.iter().filter(move |row| row.kind == Kind::Manual && between.contains(&row.anchor_seq))
}

/// Says what can be done while a turn runs, and where nobody is left to end it.
fn running(view: &Transcript<'_>) -> Markup {
    html! {
        // The address is another one each time: to a part of the page that is shown a browser only scrolls.
        p.note { "A turn is running. " a href={ "/sessions/" (view.session.id) "?at=" (view.now) "#end" } { "Show what is new" } }
        @if let Some(turn) = &view.session.turn {
            form.actions method="post" action={ "/sessions/" (view.session.id) "/turns/" (turn) "/end" } {
                input type="hidden" name="csrf" value=(view.csrf);
                button aria-describedby="end-says" { "End the turn" }
                span.soft #end-says { "if its agent hangs or has gone: it is told to stop, and what it still says is not stored" }
            }
        }
    }
}

fn is_prompt(message: &Message) -> bool {
    message.role == "user"
}

fn prompt(session: &Session, message: &Message, turn: usize, checkpoint: Option<&Checkpoint>) -> Markup {
    let name = format!("turn-{turn}");
    html! {
        article.message.prompt id={ "m" (message.seq) } data-seq=(message.seq) aria-labelledby=(name) {
            header {
                h2 id=(name) { "Turn " (turn) }
                (moment(message.created_at))
                @if message.status == MessageStatus::Failed { span.badge.bad { "failed" } }
                div.act {
                    @match offer(session, message, checkpoint) {
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

/// Returns the checkpoint that a prompt can be restored to, or why there is none.
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
    match row.state {
        CheckpointState::Pending => Err("checkpoint pending"),
        CheckpointState::Lost => Err("checkpoint lost: git no longer has it"),
        CheckpointState::Ready if session.state == SessionState::Restoring => Err("a restore is in progress"),
        CheckpointState::Ready => Ok(row),
    }
}

fn address(message: &Message) -> String {
    format!("/sessions/{}/messages/{}", message.session_id, message.id)
}
