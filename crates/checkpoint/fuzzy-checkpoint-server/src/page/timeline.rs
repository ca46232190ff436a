//! Handlers of the timeline of a worktree.

use axum::Json;
use axum::extract::State;
use axum::response::Redirect;
use fuzzy_checkpoint::{Detail, DiffOptions, RepoPath};
use fuzzy_checkpoint_service::PagedTurn;
use fuzzy_checkpoint_store::{RestoreId, SessionId, TurnFilter, TurnRow};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::back;
use super::cards::{self, Filters, Timeline};
use super::files::{self, Files, Tense, of_page, paths};
use super::forms::{FilesPart, Ids, Params};
use super::layout::{Html, hash, page_of};
use super::refusal::Refusal;
use super::turn::summed;
use super::views::{PageResult, html_page};
use crate::app::App;
use crate::rejection::Rejection;
use crate::restores;

/// The number of turns on a page.
const PER_PAGE: i64 = 50;
/// The most sessions to choose from.
const SESSIONS: usize = 200;

/// Selects a part of a timeline.
#[derive(Deserialize)]
pub(super) struct Part {
    /// A text in prompts and file names.
    #[serde(default)]
    text: String,
    /// A file or a directory.
    #[serde(default)]
    file: String,
    #[serde(default)]
    session: String,
    /// Only turns with smaller numbers.
    before: Option<i64>,
    /// The number of the newest turn on an open timeline; 0 if it has none.
    #[serde(default)]
    after: i64,
    /// The take-back to show a notice of, or `none` for one without an effect.
    done: Option<RestoreId>,
}

impl Part {
    fn filters(&self) -> Filters {
        let trimmed = |text: &str| text.trim().to_owned();
        let (text, file) = (trimmed(&self.text), trimmed(&self.file));
        Filters { text, file, session: self.session.clone(), before: self.before }
    }
}

/// Calls a query with these filters.
fn filtered<T>(filters: &Filters, query: impl FnOnce(TurnFilter<'_>) -> T) -> T {
    let path = RepoPath::from(filters.file.trim_end_matches('/'));
    let session = SessionId(filters.session.clone());
    query(TurnFilter {
        session: Some(&session).filter(|_| !filters.session.is_empty()),
        path: Some(&path).filter(|_| !filters.file.is_empty()),
        text: Some(filters.text.as_str()).filter(|text| !text.is_empty()),
        before: filters.before,
        most: PER_PAGE,
    })
}

/// Returns a word for the state of a part of a timeline, from the number of each turn and whether its end is known.
fn mark(turns: impl Iterator<Item = (i64, bool)>) -> String {
    let turns: Vec<String> = turns.map(|(number, ended)| format!("{number} {ended}")).collect();
    hash(&turns.join("\n"))
}

pub(super) async fn timeline(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Params(part): Params<Part>,
) -> PageResult {
    Ok(app.look(move |app| timeline_page(app, &worktree, part)).await?)
}

fn timeline_page(app: &App, worktree: &str, part: Part) -> Result<Html, Rejection> {
    let (worktree, service) = (app.worktree(worktree)?, app.service());
    let (filters, done) = (part.filters(), part.done);
    let page = filtered(&filters, |filter| service.turns_page(&worktree, &filter))?;
    let mark = mark(page.turns.iter().map(|row| {
        let turn = &row.turn;
        (turn.number, turn.files.is_some() || turn.uncompared.is_some())
    }));
    let mut sessions = service.store().sessions(&worktree)?;
    sessions.reverse();
    sessions.truncate(SESSIONS);
    let notice = match done {
        Some(id) if id.as_str() == "none" => back::nothing(),
        Some(id) => back::done(&restores::known(app, &id)?, service.undone(&worktree)?.contains(&id)),
        None => html! {},
    };
    let root = service.store().worktree(&worktree)?.map(|row| row.root).unwrap_or_default();
    let view = Timeline {
        worktree: &worktree,
        root: &root,
        filters: &filters,
        turns: &page.turns,
        mark: &mark,
        more: page.more,
        last: page.last.as_ref(),
        sessions: &sessions,
        notice,
    };
    Ok(html_page("Timeline", &[], cards::timeline(&view)))
}

/// The news of a timeline.
#[derive(Serialize)]
pub(super) struct News {
    /// The number of newer turns on its first page.
    turns: usize,
    /// The state of that page.
    mark: String,
}

/// Answers an open timeline, by the database alone.
pub(super) async fn news(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Params(part): Params<Part>,
) -> Result<Json<News>, Refusal> {
    let found = app.look(move |app| {
        let worktree = app.worktree(&worktree)?;
        let filters = Filters { before: None, ..part.filters() };
        let rows = filtered(&filters, |filter| app.service().store().turns_where(&worktree, &filter))?.turns;
        let ended = |row: &TurnRow| row.prompt.changes.is_some() || row.prompt.uncompared.is_some();
        Ok(News {
            turns: rows.iter().filter(|row| row.number > part.after).count(),
            mark: mark(rows.iter().map(|row| (row.number, ended(row)))),
        })
    });
    Ok(Json(found.await?))
}

/// Returns a turn of a worktree.
pub(super) fn turn_of(app: &App, worktree: &str, number: i64) -> Result<PagedTurn, Rejection> {
    let filter = TurnFilter { session: None, path: None, text: None, before: number.checked_add(1), most: 1 };
    let page = app.service().turns_page(worktree, &filter)?;
    let found = page.turns.into_iter().next().filter(|row| row.turn.number == number);
    found.ok_or_else(|| fuzzy_checkpoint_service::Error::NoTurn { number }.into())
}

/// The turn to go to.
#[derive(Deserialize)]
pub(super) struct Jump {
    turn: i64,
}

pub(super) async fn jump(
    app: State<App>,
    Ids(worktree): Ids<String>,
    Params(Jump { turn: number }): Params<Jump>,
) -> Result<Redirect, Refusal> {
    turn(app, Ids((worktree, number))).await
}

/// Redirects from the number of a turn to its page.
pub(super) async fn turn(
    State(app): State<App>,
    Ids((worktree, number)): Ids<(String, i64)>,
) -> Result<Redirect, Refusal> {
    let found = app.look(move |app| {
        let worktree = app.worktree(&worktree)?;
        Ok(turn_of(app, &worktree, number).map(|row| row.turn).map_err(|rejection| (rejection, worktree)))
    });
    let turn = found.await?.map_err(|(rejection, worktree)| {
        Refusal::from(rejection).back_to(cards::address(&worktree), "Back to the timeline")
    })?;
    Ok(Redirect::to(&format!("/sessions/{}/turns/{}", turn.session_id, turn.id)))
}

pub(super) async fn since(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Params(part): Params<FilesPart>,
) -> PageResult {
    Ok(app.git(move |app| since_page(app, &worktree, &part)).await?)
}

/// Returns the page of the changes since the last known state.
fn since_page(app: &App, worktree: &str, part: &FilesPart) -> Result<Html, Rejection> {
    let (worktree, service) = (app.worktree(worktree)?, app.service());
    let all = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };
    let listed = service.since_last(&worktree, &all)?.files;
    let (number, _) = page_of(part.page, listed.len(), files::PER_PAGE);
    let wanted = paths(of_page(&listed, number));
    let patch = DiffOptions { paths: wanted, detail: Detail::Patch, renames: true };
    let changes = if patch.paths.is_empty() { None } else { Some(service.since_last(&worktree, &patch)?) };
    let here = format!("{}/since?page=", cards::address(&worktree));
    let running = service.store().sessions(&worktree)?.into_iter().any(|session| session.turn.is_some());
    let body: Markup = html! {
        header.title {
            h1 { "Changes since the last turn" }
            p.soft {
                @if running {
                    "A turn is running: its changes are among these."
                } @else {
                    "No turn made these: you did, or another program."
                }
            }
        }
        section aria-labelledby="files" {
            h2 #files { "Files" (summed(&listed)) }
            @if listed.is_empty() { p.soft { "Nothing has changed." } }
            (files::list(&Files {
                name: "since",
                number,
                changes: changes.as_ref(),
                pages: &here,
                open: part.open.is_some() || listed.len() <= 5,
                ..Files::of(&listed, Tense::Done)
            }))
        }
    };
    Ok(html_page("Changes since the last turn", &[(cards::address(&worktree), "Timeline".to_owned())], body))
}
