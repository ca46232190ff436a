//! Handlers of the pages about changes: of a turn, and of a restore.

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use fuzzy_checkpoint::{Detail, DiffOptions, RepoPath};
use fuzzy_checkpoint_service::TurnPart;
use fuzzy_checkpoint_store::{Kind, Message, MessageId, Phase, Restore, RestoreId, Session, SessionId, TurnId};
use serde::Deserialize;

use super::files::{self, of_page, paths};
use super::forms::{FilesPart, Ids, Params, path};
use super::history::{self, FileChanges};
use super::layout::{Html, Live, Page, page, page_of};
use super::plan;
use super::timeline::turn_of;
use super::turn::{self, Turn, address};
use super::views::{PageResult, above, html_page, of_session, patches, restore_notice};
use crate::app::App;
use crate::rejection::Rejection;
use crate::restores;

/// Options for a patch of these files, with renames.
fn patch(paths: Vec<RepoPath>) -> DiffOptions {
    DiffOptions { paths, detail: Detail::Patch, renames: true }
}

/// Returns the prompt of a turn, with its number.
fn numbered(app: &App, session: &Session, turn: &TurnId) -> Result<(Message, i64), Rejection> {
    let prompt = app.service().store().message(&session.id, &MessageId(turn.0.clone()))?;
    let numbered = prompt.and_then(|prompt| prompt.number.map(|number| (prompt, number)));
    numbered.ok_or_else(Rejection::no_turn)
}

pub(super) async fn turn(
    State(app): State<App>,
    Ids((id, turn)): Ids<(SessionId, TurnId)>,
    Params(part): Params<FilesPart>,
) -> PageResult {
    of_session(&app, id, move |app, session| turn_page(app, session, &turn, &part)).await
}

/// Returns the page of a turn's changes.
fn turn_page(app: &App, session: &Session, turn: &TurnId, part: &FilesPart) -> Result<Html, Rejection> {
    let service = app.service();
    let (prompt, at) = numbered(app, session, turn)?;
    let (changes, trees) = service.turn_changes_between(&session.id, turn)?;
    let (number, _) = page_of(part.page, changes.files.len(), files::PER_PAGE);
    let wanted = of_page(&changes.files, number);
    let diff = trees.map(|trees| patches(service, &session.id, &trees, wanted)).transpose()?.flatten();
    let rows = service.store().anchored(&session.id, prompt.seq)?;
    let can_go_back = rows.iter().any(|row| row.kind == Kind::Turn && row.retired_by.is_none());
    let listed = turn_of(app, &session.worktree_id, at)?;
    let view = Turn {
        submodules: &listed.turn.submodules,
        session,
        prompt: &prompt,
        at,
        changes: &changes,
        number,
        open: part.open.is_some(),
        diff: diff.as_ref(),
        can_go_back,
    };
    let (title, here) = (format!("Turn {at}"), format!("{}?page={number}", address(&prompt)));
    let live = changes.running.then_some(Live { session, path: &here });
    let body = turn::turn(&view);
    Ok(Html(StatusCode::OK, page(&Page { title: &title, above: &above(session), refresh: None, live, body })))
}

pub(super) async fn turn_diff(app: State<App>, ids: Ids<(SessionId, TurnId)>, query: RawQuery) -> PageResult {
    one_of_turn(app, ids, query, TurnPart::Turn).await
}

pub(super) async fn outside_diff(app: State<App>, ids: Ids<(SessionId, TurnId)>, query: RawQuery) -> PageResult {
    one_of_turn(app, ids, query, TurnPart::Outside).await
}

async fn one_of_turn(
    State(app): State<App>,
    Ids((id, turn)): Ids<(SessionId, TurnId)>,
    RawQuery(query): RawQuery,
    part: TurnPart,
) -> PageResult {
    of_session(&app, id, move |app, session| {
        let (prompt, at) = numbered(app, session, &turn)?;
        let path = path(query)?;
        let diff = app.service().turn_diff(&session.id, &turn, part, &patch(vec![path.clone()]))?;
        let [timeline, session] = above(session);
        let above = [timeline, session, (address(&prompt), format!("Turn {at}"))];
        let says = match part {
            TurnPart::Turn => "The changes of the turn.",
            TurnPart::Outside => "Changes before the turn, outside any turn.",
        };
        Ok(html_page("Diff", &above, plan::one_file(&path, &diff.patch, says)))
    })
    .await
}

/// Selects a part of the history.
#[derive(Deserialize)]
pub(super) struct Before {
    before: Option<RestoreId>,
}

pub(super) async fn history(
    State(app): State<App>,
    Ids(id): Ids<SessionId>,
    Params(Before { before }): Params<Before>,
) -> PageResult {
    Ok(app.look(move |app| history_page(app, &id, before.as_ref())).await?)
}

/// Returns the page of the restores of a session that are older than `before`.
fn history_page(app: &App, id: &SessionId, before: Option<&RestoreId>) -> Result<Html, Rejection> {
    let session = app.session(id)?;
    let mut rows = app.service().history(id, before, history::PER_PAGE + 1)?;
    let more = rows.len() > history::PER_PAGE;
    rows.truncate(history::PER_PAGE);
    let undone = app.service().undone(&session.worktree_id)?;
    let next = rows.last().filter(|_| more);
    Ok(html_page("Restores", &above(&session), history::list(id, &rows, next, &undone)))
}

pub(super) async fn restore(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    Params(part): Params<FilesPart>,
) -> PageResult {
    Ok(app.git(move |app| restore_page(app, &id, &part)).await?)
}

/// Returns the page of a restore's changes.
fn restore_page(app: &App, id: &RestoreId, part: &FilesPart) -> Result<Html, Rejection> {
    let row = restores::known(app, id)?;
    let session = app.session(&row.session_id)?;
    let notice = restore_notice(app, &session, &row)?;
    let above = history_above(&session);
    let service = app.service();
    let body = if row.phase == Phase::Done && row.options.files {
        let all = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };
        match service.restore_diff(id, &all) {
            Ok(diff) => {
                let (number, _) = page_of(part.page, diff.files.len(), files::PER_PAGE);
                let wanted = paths(of_page(&diff.files, number));
                let changes = if wanted.is_empty() { None } else { service.restore_diff(id, &patch(wanted)).ok() };
                let changes = changes.as_ref();
                let changes_view =
                    FileChanges::Files { files: &diff.files, number, changes, open: part.open.is_some() };
                history::restore(&row, &notice, &changes_view)
            }
            Err(error) => history::restore(&row, &notice, &FileChanges::Unknown(error.to_string())),
        }
    } else {
        history::restore(&row, &notice, &FileChanges::Unknown("No file was changed.".to_owned()))
    };
    Ok(html_page("Restore", &above, body))
}

fn history_above(session: &Session) -> [(String, String); 3] {
    let [timeline, session_link] = above(session);
    [timeline, session_link, (format!("/sessions/{}/restores", session.id), "Restores".to_owned())]
}

pub(super) async fn restore_diff(
    State(app): State<App>,
    Ids(id): Ids<RestoreId>,
    RawQuery(query): RawQuery,
) -> PageResult {
    let done = app.git(move |app| {
        let row: Restore = restores::known(app, &id)?;
        let session = app.session(&row.session_id)?;
        let path = path(query)?;
        let diff = app.service().restore_diff(&id, &patch(vec![path.clone()]))?;
        let [timeline, first, second] = history_above(&session);
        let above = [timeline, first, second, (format!("/restores/{id}"), "Restore".to_owned())];
        Ok(html_page("Diff", &above, plan::one_file(&path, &diff.patch, "The changes of the restore.")))
    });
    Ok(done.await?)
}
