//! Handlers of the pages that change nothing.

use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use fuzzy_checkpoint::{Detail, Diff, DiffOptions, Differing, Oid, RepoPath};
use fuzzy_checkpoint_service::{Checkpointer, Side, Trees};
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, CheckpointStore, Kind, ListFilter, Message, MessageId, Phase, Restore, RestoreId,
    RestoreOptions, Session, SessionId, SessionState, now_ms, ulid,
};
use fuzzy_report::Code;
use maud::{Markup, html};
use serde::Deserialize;

use super::banner;
use super::body::named;
use super::cards;
use super::files::{self, of_page, paths};
use super::forms::{Ids, Params, path};
use super::index as list;
use super::layout::{Html, Live, Page, page, page_of};
use super::paths::SHOWN;
use super::plan::{self, View, address};
use super::refusal::Refusal;
use super::transcript::{self, Transcript};
use crate::app::App;
use crate::rejection::Rejection;

pub(super) type PageResult = Result<Html, Refusal>;

pub(super) fn html_page(title: &str, above: &[(String, String)], body: Markup) -> Html {
    Html(StatusCode::OK, page(&Page { title, above, refresh: None, live: None, body }))
}

/// Returns the timeline of the session's worktree, and the session.
pub(super) fn above(session: &Session) -> [(String, String); 2] {
    let timeline = (cards::address(&session.worktree_id), "Timeline".to_owned());
    [timeline, (format!("/sessions/{}", session.id), named(&session.name))]
}

/// Returns the page that `work` makes of a session; a refusal links back to the session.
pub(super) async fn of_session<F>(app: &App, id: SessionId, work: F) -> PageResult
where
    F: FnOnce(&App, &Session) -> Result<Html, Rejection> + Send + 'static,
{
    let back = format!("/sessions/{id}");
    let done = app.git(move |app| work(app, &app.session(&id)?)).await;
    done.map_err(|rejection| Refusal::from(rejection).next(back, "Back to the session"))
}

/// Selects a part of the list of sessions.
#[derive(Deserialize)]
pub(super) struct Listed {
    /// The page of sessions.
    #[serde(default)]
    page: usize,
}

pub(super) async fn index(State(app): State<App>, Params(Listed { page }): Params<Listed>) -> PageResult {
    let sessions = app.look(App::sessions).await?;
    let rows = sessions.into_iter().map(|listed| list::Row {
        root: listed.root,
        worktree: listed.session.worktree_id,
        id: listed.session.id.0,
        title: listed.session.name,
        state: listed.session.state,
        turns: u64::try_from(listed.turns).unwrap_or(0),
        active: listed.active_at,
    });
    Ok(html_page("Sessions", &[], list::index(rows.collect(), page, now_ms())))
}

/// Selects a part of a session's page.
#[derive(Deserialize)]
pub(super) struct Part {
    /// The page of messages.
    page: Option<usize>,
    /// The restore to show a notice of.
    restore: Option<RestoreId>,
}

pub(super) async fn session(State(app): State<App>, Ids(id): Ids<SessionId>, Params(part): Params<Part>) -> PageResult {
    Ok(app.look(move |app| session_page(app, &id, part)).await?)
}

/// Returns the page of a session.
fn session_page(app: &App, id: &SessionId, part: Part) -> Result<Html, Rejection> {
    let session = app.session(id)?;
    let (store, service) = (app.service().store(), app.service());
    let outline = store.outline(id, 0, i64::MAX)?;
    let (number, lines) = transcript::part(&outline, part.page);
    let messages = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) => store.messages_between(id, first.seq - 1, last.seq)?,
        _ => Vec::new(),
    };
    let checkpoints = service.list(id, ListFilter::default())?;
    let root = store.worktree(&session.worktree_id)?.map(|row| row.root).unwrap_or_default();
    let (notice, refresh) = notice(app, &session, part.restore.as_ref())?;
    let view = Transcript {
        session: &session,
        root: &root,
        outline: &outline,
        messages: &messages,
        checkpoints: &checkpoints,
        number,
        now: now_ms(),
        csrf: app.csrf().as_str(),
        notice,
    };
    let title = named(&session.name);
    let body = transcript::transcript(&view);
    // New messages are added at the end.
    let is_last = outline.len() <= number * transcript::PER_PAGE;
    // A requested notice remains until another page is opened; malformed ids are ignored.
    let requested = part.restore.filter(|id| id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let here =
        format!("/sessions/{id}{}", requested.map(|requested| format!("?restore={requested}")).unwrap_or_default());
    let live = is_last.then_some(Live { session: &session, path: &here });
    Ok(Html(StatusCode::OK, page(&Page { title: &title, above: &above(&session)[..1], refresh, live, body })))
}

/// The turn to jump to.
#[derive(Deserialize)]
pub(super) struct Jump {
    turn: i64,
}

/// Redirects to a turn on its page.
pub(super) async fn jump(
    State(app): State<App>,
    Ids(id): Ids<SessionId>,
    Params(Jump { turn }): Params<Jump>,
) -> Result<Redirect, Refusal> {
    let place = app.look(move |app| {
        let outline = app.service().store().outline(&app.session(&id)?.id, 0, i64::MAX)?;
        let (page, turn) = transcript::page_of_turn(&outline, turn);
        Ok(Redirect::to(&format!("/sessions/{id}?page={page}#turn-{turn}")))
    });
    Ok(place.await?)
}

/// The interval between reloads of a page that waits for a restore, in seconds.
const PROGRESS: u32 = 2;

/// Returns the notice of the pending restore, the requested one, or the newest one if no message followed it; also
/// returns the interval of reloads.
fn notice(app: &App, session: &Session, requested: Option<&RestoreId>) -> Result<(Markup, Option<u32>), Rejection> {
    let store = app.service().store();
    let csrf = app.csrf().as_str();
    if session.state == SessionState::Restoring {
        let open = store.open_restores()?.into_iter().find(|row| row.session_id == session.id);
        if let Some(open) = open {
            return Ok((banner::pending(&open, app.service().file_progress(&open.id), csrf), Some(PROGRESS)));
        }
    }
    let requested =
        requested.map(|id| store.restore(id)).transpose()?.flatten().filter(|row| row.session_id == session.id);
    let row = match requested {
        Some(row) => Some(row),
        // After a new message, older restores are history and html_page only on request.
        None => store.last_done(&session.id)?.filter(|row| row.result.next_seq == session.next_seq),
    };
    match row {
        Some(row) => Ok((restore_notice(app, session, &row)?, None)),
        None => Ok((html! {}, None)),
    }
}

pub(super) fn restore_notice(app: &App, session: &Session, row: &Restore) -> Result<Markup, Rejection> {
    match row.phase {
        Phase::Done => {}
        Phase::Refused | Phase::RolledBack => return Ok(banner::refused(row)),
        _ => {
            let files = app.service().file_progress(&row.id);
            return Ok(banner::pending(row, files, app.csrf().as_str()));
        }
    }
    let service = app.service();
    let is_undone = service.undone(&session.worktree_id)?.contains(&row.id);
    let others = titles(app, &row.result.other_sessions_affected)?;
    Ok(banner::done(row, is_undone, &others))
}

/// The largest number of other sessions to list.
const OTHERS: usize = 10;

pub(super) fn titles(app: &App, sessions: &[SessionId]) -> Result<Vec<(SessionId, String)>, Rejection> {
    let store = app.service().store();
    let known = sessions.iter().take(OTHERS).map(|id| store.session(id));
    let known = known.collect::<Result<Vec<_>, _>>()?;
    Ok(known.into_iter().flatten().map(|session| (session.id, session.name)).collect())
}

/// Returns the whole text of a message as plain text.
pub(super) async fn message(
    State(app): State<App>,
    Ids((id, message)): Ids<(SessionId, MessageId)>,
) -> Result<Response, Refusal> {
    let found = app.look(move |app| {
        app.session(&id)?;
        app.service().store().message(&id, &message)?.ok_or_else(Rejection::not_in_session)
    });
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], found.await?.body.to_string()).into_response())
}

/// Selects a part of a plan.
#[derive(Deserialize)]
pub(super) struct Choice {
    /// The page of files.
    #[serde(default)]
    page: usize,
    /// Set if the restore stops a running agent.
    force: Option<String>,
    /// The tree of an earlier plan that was confirmed but not carried out.
    since: Option<Oid>,
    /// Set if all diffs are unfolded.
    open: Option<String>,
}

pub(super) async fn plan(
    State(app): State<App>,
    Ids((id, checkpoint)): Ids<(SessionId, CheckpointId)>,
    Params(choice): Params<Choice>,
) -> PageResult {
    let forced = format!("/sessions/{id}/checkpoints/{checkpoint}/restore?force=yes");
    let done = of_session(&app, id, move |app, session| planned(app, session, &checkpoint, &choice)).await;
    done.map_err(|refusal| refusal.next_if(Code::AgentRunning, forced, "Stop the agent and restore"))
}

fn planned(app: &App, session: &Session, checkpoint: &CheckpointId, choice: &Choice) -> Result<Html, Rejection> {
    let (service, id) = (app.service(), &session.id);
    let row = service.store().checkpoint(id, checkpoint)?.ok_or_else(Rejection::not_in_session)?;
    let force = choice.force.is_some();
    // A plan changes nothing, so it is available while the agent works.
    let options = RestoreOptions { force: true, ..RestoreOptions::default() };
    let (plan, trees) = service.preview_between(id, checkpoint, &options)?;
    let (number, _) = page_of(choice.page, plan.files.len(), files::PER_PAGE);
    let diff =
        trees.as_ref().map(|trees| patches(service, id, trees, of_page(&plan.files, number))).transpose()?.flatten();
    let now = trees.map(|trees| trees.from);
    let store = service.store();
    let outline = store.outline(id, 0, i64::MAX)?;
    let later = &outline[outline.partition_point(|line| line.seq <= row.anchor_seq)..];
    let listed = later.iter().take(SHOWN).next_back().map_or(row.anchor_seq, |line| line.seq);
    let others: Vec<SessionId> = store.sessions(&session.worktree_id)?.into_iter().map(|other| other.id).collect();
    let others: Vec<SessionId> = others.into_iter().filter(|other| other != id).collect();
    let since = choice.since.as_ref().map(|since| since_then(service, id, since, now.as_ref()));
    let agents: Vec<SessionId> = plan.agents_running.iter().filter(|agent| *agent != id).cloned().collect();
    // This is only a hint, so unknown changes are omitted.
    let mut outside = service.outside_since(&row).unwrap_or_default();
    outside.extend(since.iter().flatten().cloned());
    outside.sort();
    outside.dedup();
    let body = plan::plan(&View {
        session,
        since: since.as_deref(),
        open: choice.open.is_some(),
        agents: &titles(app, &agents)?,
        checkpoint: &row,
        prompt: prompt(store, &row)?.as_ref().and_then(|message| Some((message, message.number?))),
        plan: &plan,
        number,
        diff: diff.as_ref(),
        outside: &outside,
        later: &store.messages_between(id, row.anchor_seq, listed)?,
        trimmed: later.len(),
        others: &titles(app, &others)?,
        force: force && session.state == SessionState::Running,
        only_read: !force && session.state == SessionState::Running,
        csrf: app.csrf().as_str(),
        key: &ulid(),
    });
    Ok(html_page("Restore to here", &above(session), body))
}

/// Returns the files that changed between an earlier plan and this one; nothing if the earlier tree is gone.
fn since_then(service: &Checkpointer, session: &SessionId, since: &Oid, now: Option<&Oid>) -> Vec<RepoPath> {
    let Some(now) = now else { return Vec::new() };
    let trees = Trees { from: since.clone(), to: now.clone() };
    let options = DiffOptions { paths: Vec::new(), detail: Detail::Names, renames: false };
    let diff = service.diff_trees(session, &trees, &options);
    diff.map(|diff| diff.files.into_iter().map(|file| file.path).collect()).unwrap_or_default()
}

/// Returns the prompt that a checkpoint belongs to.
fn prompt(store: &dyn CheckpointStore, row: &Checkpoint) -> Result<Option<Message>, Rejection> {
    if row.kind != Kind::Turn {
        return Ok(None);
    }
    Ok(store.messages_between(&row.session_id, row.anchor_seq - 1, row.anchor_seq)?.pop())
}

/// Returns the patch of these files between two states that were compared before.
pub(super) fn patches(
    service: &Checkpointer,
    session: &SessionId,
    trees: &Trees,
    files: &[Differing],
) -> Result<Option<Diff>, Rejection> {
    if files.is_empty() {
        // For the engine, an empty list means all paths.
        return Ok(None);
    }
    let options = DiffOptions { paths: paths(files), detail: Detail::Patch, renames: true };
    Ok(Some(service.diff_trees(session, trees, &options)?))
}

/// Returns the patch of one file, from the current state to the checkpoint.
fn change(service: &Checkpointer, row: &Checkpoint, path: RepoPath) -> Result<Diff, Rejection> {
    let options = DiffOptions { paths: vec![path], detail: Detail::Patch, renames: true };
    Ok(service.diff(&row.session_id, &Side::Worktree, &Side::Checkpoint(row.id.clone()), &options)?)
}

pub(super) async fn diff(
    State(app): State<App>,
    Ids((id, checkpoint)): Ids<(SessionId, CheckpointId)>,
    RawQuery(query): RawQuery,
) -> PageResult {
    of_session(&app, id, move |app, session| {
        let row = app.service().store().checkpoint(&session.id, &checkpoint)?.ok_or_else(Rejection::not_in_session)?;
        let path = path(query)?;
        let found = change(app.service(), &row, path.clone())?.patch;
        let [timeline, session] = above(session);
        let above = [timeline, session, (format!("{}/restore", address(&row)), "Restore to here".to_owned())];
        Ok(html_page("Diff", &above, plan::one_file(&path, &found, "The changes that the restore would make.")))
    })
    .await
}
