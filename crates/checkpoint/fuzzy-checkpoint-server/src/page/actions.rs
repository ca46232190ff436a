//! Handlers of the forms that change something.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::State;
use axum::response::Redirect;
use fuzzy_checkpoint::{Oid, RepoPath};
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, RestoreId, RestoreOptions, RestoreOutcome, SessionId, Trim, TurnId,
};
use fuzzy_report::Code;
use serde::Deserialize;
use tokio::time::timeout;

use super::files::{chosen, hunk};
use super::forms::{Ids, Sent};
use super::refusal::{Refusal, stale_form};
use crate::api::checkpoints::named;
use crate::app::App;
use crate::rejection::Rejection;
use crate::restores;

type Done = Result<Redirect, Refusal>;

/// The form of a plan.
#[derive(Deserialize)]
#[serde(try_from = "Vec<(String, String)>")]
pub(super) struct Confirmed {
    csrf: String,
    key: String,
    choice: Choice,
    head: bool,
    force: bool,
    /// The tree of the files on disk at the time of the plan.
    seen: Option<Oid>,
    /// The ticked files.
    paths: Vec<RepoPath>,
    /// The ticked hunks, by file.
    hunks: BTreeMap<RepoPath, Vec<usize>>,
}

/// The extent of the restore, if no file is ticked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    After,
    From,
    Files,
    Transcript,
}

impl TryFrom<Vec<(String, String)>> for Confirmed {
    type Error = &'static str;

    fn try_from(fields: Vec<(String, String)>) -> Result<Self, Self::Error> {
        let choice = match only(&fields, "choice") {
            Some("after") => Choice::After,
            Some("from") => Choice::From,
            Some("files") => Choice::Files,
            Some("transcript") => Choice::Transcript,
            _ => return Err("no choice"),
        };
        let (csrf, key) = (only(&fields, "csrf").ok_or("no csrf")?, only(&fields, "key").ok_or("no key")?);
        let (head, force) = (only(&fields, "head").is_some(), only(&fields, "force").is_some());
        let ticked = fields.iter().filter(|(field, _)| field == "path");
        let paths: Vec<RepoPath> = ticked.clone().flat_map(|(_, value)| chosen(value)).collect();
        // An empty path must not turn the restore into one of all files.
        if ticked.count() > 0 && paths.is_empty() {
            return Err("no path");
        }
        let mut hunks: BTreeMap<RepoPath, Vec<usize>> = BTreeMap::new();
        for (_, value) in fields.iter().filter(|(field, _)| field == "hunk") {
            let (path, number) = hunk(value).ok_or("no hunk")?;
            hunks.entry(path).or_default().push(number);
        }
        // A ticked file is restored as a whole.
        hunks.retain(|path, _| !paths.contains(path));
        let seen = only(&fields, "seen").map(Oid::new).transpose().map_err(|_| "no tree")?;
        Ok(Self { csrf: csrf.to_owned(), key: key.to_owned(), choice, head, force, seen, paths, hunks })
    }
}

/// Returns the value of a field that occurs exactly once.
fn only<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut values = fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str());
    values.next().filter(|_| values.next().is_none())
}

impl Confirmed {
    fn options(&self) -> Result<RestoreOptions, Rejection> {
        if !self.paths.is_empty() || !self.hunks.is_empty() {
            let paths = self.paths.iter().map(named).collect::<Result<_, _>>()?;
            let (force, seen) = (self.force, self.seen.clone());
            return Ok(RestoreOptions { trim: Trim::None, force, paths, seen, ..RestoreOptions::default() });
        }
        let files = self.choice != Choice::Transcript;
        Ok(RestoreOptions {
            trim: match self.choice {
                Choice::After | Choice::Transcript => Trim::After,
                Choice::From => Trim::From,
                Choice::Files => Trim::None,
            },
            files,
            // Without files, the branch has nothing to agree with.
            head: if files && self.head { HeadMode::Restore } else { HeadMode::Keep },
            force: self.force,
            seen: self.seen.clone().filter(|_| files),
            ..RestoreOptions::default()
        })
    }
}

pub(super) async fn restore(
    State(app): State<App>,
    Ids((id, checkpoint)): Ids<(SessionId, CheckpointId)>,
    Sent(form): Sent<Confirmed>,
) -> Done {
    let (back, plan) = (format!("/sessions/{id}"), format!("/sessions/{id}/checkpoints/{checkpoint}/restore"));
    own(&app, &form.csrf).map_err(|refusal| refusal.next(plan.clone(), "See the plan again"))?;
    let (forced, key, session) = (form.force, form.key.clone(), id.clone());
    let again = form.seen.as_ref().map(|seen| format!("{plan}?since={seen}{}", if forced { "&force=yes" } else { "" }));
    let done = soon(&app, &id, key, move |app| {
        let options = form.options()?;
        if form.hunks.is_empty() {
            return restores::restore(app, &session, &checkpoint, &options, Some(&form.key));
        }
        let hunks: Vec<_> = form.hunks.into_iter().collect();
        restores::restore_hunks(app, &session, &checkpoint, &hunks, &options, &form.key)
    });
    done.await.or_else(|problem| {
        // The new plan lists the files that have changed.
        if let Some(again) = again.filter(|_| problem.failure.code == Code::PlanChanged) {
            return Ok(Redirect::to(&again));
        }
        let refusal = Refusal::from(problem).next(back, "Back to the session");
        let refusal = if forced { refusal.after_stopping() } else { refusal };
        let refusal = refusal.next_if(Code::AgentRunning, format!("{plan}?force=yes"), "Stop the agent and restore");
        Err(refusal.next_if(Code::Obstructed, plan, "See the plan again"))
    })
}

/// A form without fields of its own.
#[derive(Deserialize)]
pub(super) struct Plain {
    csrf: String,
}

pub(super) async fn end(
    State(app): State<App>,
    Ids((id, turn)): Ids<(SessionId, TurnId)>,
    Sent(form): Sent<Plain>,
) -> Done {
    let back = format!("/sessions/{id}");
    own(&app, &form.csrf).map_err(|refusal| refusal.next(back.clone(), "Back to the session"))?;
    let there = Redirect::to(&back);
    let done = app.git(move |app| Ok(app.service().stop_turn(&app.session(&id)?.id, &turn)?)).await;
    done.map_err(|problem| Refusal::from(problem).next(back, "Back to the session").after_stopping())?;
    Ok(there)
}

pub(super) async fn abort(State(app): State<App>, Ids(id): Ids<RestoreId>, Sent(form): Sent<Plain>) -> Done {
    let row = app.look(move |app| restores::known(app, &id)).await?;
    let back = format!("/sessions/{}", row.session_id);
    own(&app, &form.csrf).map_err(|refusal| refusal.next(back.clone(), "Back to the session"))?;
    let done = app.git(move |app| {
        app.service().abort(&row.id)?;
        Ok(to_notice(&row.session_id, row.id.as_str()))
    });
    done.await.map_err(|problem| Refusal::from(problem).next(back, "Back to the session"))
}

/// The longest time that a form waits for its restore; then the session's page shows the progress.
const FORM_WAIT: Duration = Duration::from_secs(3);

/// Runs a restore in the background and redirects to the session's page with its notice: when it ends, or earlier if it
/// takes long.
async fn soon<F>(app: &App, session: &SessionId, key: String, work: F) -> Result<Redirect, Rejection>
where
    F: FnOnce(&App) -> Result<RestoreOutcome, Rejection> + Send + 'static,
{
    let own = app.clone();
    let mut work = tokio::spawn(async move { own.git(work).await });
    loop {
        if let Ok(done) = timeout(FORM_WAIT, &mut work).await {
            let done = done.unwrap_or_else(|error| Err(Rejection::internal(&error.to_string())))?;
            return Ok(to_notice(session, &done.restore_id));
        }
        let (id, key) = (session.clone(), key.clone());
        // Before the journal has a row, there is nothing to show.
        if let Some(row) = app.look(move |app| Ok(app.service().store().restore_by_key(&id, &key)?)).await? {
            return Ok(to_notice(session, row.id.as_str()));
        }
    }
}

/// Refuses a form without this server's CSRF token: a foreign page can post a form, but cannot read the token.
pub(super) fn own(app: &App, csrf: &str) -> Result<(), Refusal> {
    if app.csrf().is(csrf.as_bytes()) { Ok(()) } else { Err(stale_form()) }
}

/// Redirects to the session's page with the notice of a restore.
fn to_notice(session: &SessionId, restore: &str) -> Redirect {
    Redirect::to(&format!("/sessions/{session}?restore={restore}"))
}

#[cfg(test)]
mod tests {
    use super::Confirmed;

    fn sent(fields: &[(&str, &str)]) -> Result<Confirmed, &'static str> {
        let fields = [("csrf", "c"), ("key", "k")].iter().chain(fields);
        fields.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>().try_into()
    }

    #[test]
    fn only_ticked_files_are_restored() {
        let form = sent(&[("choice", "from"), ("head", "restore"), ("path", "a%2Eb"), ("path", "new old")]);
        let options = form.expect("a form").options().expect("paths");
        assert_eq!(options.paths, ["a.b", "new", "old"].map(Into::into));
        assert!(options.files && options.spares_transcript());
        assert_eq!(options.head, super::HeadMode::Keep);
        let whole = sent(&[("choice", "from")]).expect("a form").options().expect("no paths");
        assert!(whole.paths.is_empty() && !whole.spares_transcript());
    }

    #[test]
    fn unclear_forms_are_refused() {
        for fields in [
            &[][..],
            &[("choice", "everything")],
            &[("choice", "files"), ("choice", "after")],
            &[("choice", "files"), ("key", "another")],
            &[("choice", "files"), ("path", "")],
        ] {
            assert!(sent(fields).is_err(), "{fields:?}");
        }
        let form = sent(&[("choice", "files"), ("path", "%2Egit%2Fconfig")]).expect("a form");
        assert!(form.options().is_err(), "no file can have this path");
    }
}
