//! What changes something.

use axum::Form;
use axum::extract::{Path, State};
use axum::response::Redirect;
use fuzzy_checkpoint_service::Error;
use fuzzy_checkpoint_store::{
    CheckpointId, HeadMode, Restore, RestoreId, RestoreOptions, RestoreOutcome, SessionId, Trim,
};
use serde::Deserialize;

use super::refusal::{Refusal, stale_form};
use crate::app::App;
use crate::problem::Problem;

type Done = Result<Redirect, Refusal>;

/// What the plan's form says.
#[derive(Deserialize)]
pub(super) struct Confirmed {
    csrf: String,
    key: String,
    choice: Choice,
    head: Option<String>,
    force: Option<String>,
}

/// What goes back.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Choice {
    After,
    From,
    Files,
    Transcript,
}

impl Confirmed {
    fn options(&self) -> RestoreOptions {
        let files = self.choice != Choice::Transcript;
        RestoreOptions {
            trim: match self.choice {
                Choice::After | Choice::Transcript => Trim::After,
                Choice::From => Trim::From,
                Choice::Files => Trim::None,
            },
            files,
            // Without files there is nothing that the branch would have to agree with.
            head: if files && self.head.is_some() { HeadMode::Restore } else { HeadMode::Keep },
            force: self.force.is_some(),
            ..RestoreOptions::default()
        }
    }
}

pub(super) async fn restore(
    State(app): State<App>,
    Path((id, checkpoint)): Path<(SessionId, CheckpointId)>,
    Form(form): Form<Confirmed>,
) -> Done {
    own(&app, &form.csrf)?;
    let (back, plan) = (format!("/sessions/{id}"), format!("/sessions/{id}/checkpoints/{checkpoint}/restore"));
    let work = move |app: &App| {
        app.session(&id)?;
        let done = app.service().restore(&id, &checkpoint, form.options(), Some(&form.key));
        told(app, &id, &form.key, done)
    };
    app.git(work).await.map_err(|problem| {
        let refusal = Refusal::from(problem).next(back, "Back to the session");
        let refusal = refusal.next_if("agent_running", format!("{plan}?force=yes"), "Stop the agent and restore");
        refusal.next_if("obstructed", plan, "See the plan again")
    })
}

/// What the forms of a restore say that is there already.
#[derive(Deserialize)]
pub(super) struct Marked {
    csrf: String,
    #[serde(default)]
    key: String,
}

pub(super) async fn undo(State(app): State<App>, Path(id): Path<RestoreId>, Form(form): Form<Marked>) -> Done {
    own(&app, &form.csrf)?;
    let row = known(&app, id).await?;
    let back = format!("/sessions/{}", row.session_id);
    let work = move |app: &App| {
        let done = app.service().undo(&row.id, Some(&form.key));
        told(app, &row.session_id, &form.key, done)
    };
    app.git(work).await.map_err(|problem| Refusal::from(problem).next(back, "Back to the session"))
}

pub(super) async fn abort(State(app): State<App>, Path(id): Path<RestoreId>, Form(form): Form<Marked>) -> Done {
    own(&app, &form.csrf)?;
    let row = known(&app, id).await?;
    let back = format!("/sessions/{}", row.session_id);
    let here = back.clone();
    let work = move |app: &App| {
        app.service().abort(&row.id)?;
        Ok(Redirect::to(&format!("{here}?restore={}", row.id)))
    };
    app.git(work).await.map_err(|problem| Refusal::from(problem).next(back, "Back to the session"))
}

/// Refuses a form that is not this server's: a page of a stranger may post one, but cannot read the mark.
fn own(app: &App, csrf: &str) -> Result<(), Refusal> {
    if app.csrf().is(csrf.as_bytes()) { Ok(()) } else { Err(stale_form()) }
}

/// Returns a restore of a session that is served.
async fn known(app: &App, id: RestoreId) -> Result<Restore, Problem> {
    app.look(move |app| {
        let row = app.service().store().restore(&id)?.ok_or_else(Problem::not_in_session)?;
        app.session(&row.session_id)?;
        Ok(row)
    })
    .await
}

/// Leads to the session, where the restore is told of. A second click finds the first one's restore at work.
fn told(app: &App, id: &SessionId, key: &str, done: Result<RestoreOutcome, Error>) -> Result<Redirect, Problem> {
    let restore = match done {
        Ok(outcome) => outcome.restore_id,
        Err(Error::RestoreInProgress) => match app.service().store().restore_by_key(id, key)? {
            Some(row) => row.id.0,
            None => return Err(Error::RestoreInProgress.into()),
        },
        Err(error) => return Err(error.into()),
    };
    Ok(Redirect::to(&format!("/sessions/{id}?restore={restore}")))
}
