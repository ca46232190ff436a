//! Turns of a session, and what is said in them.

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{TurnChanges, TurnPart};
use fuzzy_checkpoint_store::{CheckpointId, Message, MessageStatus, SessionId, TurnId, ulid_ms};
use fuzzy_report::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::body::{Body, OptionalBody};
use super::checkpoints::{OfFile, Part as FilePart};
use super::extract::{Asked, Ids};
use crate::app::App;
use crate::rejection::Rejection;

/// The most messages in one answer, and how many there are unless told.
const MOST: i64 = 1000;
/// After how many bytes of text an answer ends; the message that comes over it is the last.
const MOST_BYTES: i64 = 16 << 20;

/// A prompt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct New {
    message: String,
}

/// A turn that has begun.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Begun {
    /// The turn; it is also the id of the prompt's message.
    id: TurnId,
    /// How many restores have touched the session's transcript.
    generation: i64,
    /// The place of the prompt.
    seq: i64,
    /// The checkpoint taken before anything runs.
    checkpoint_id: Option<CheckpointId>,
    /// Why there is none.
    uncheckpointed: Option<String>,
    /// Files captured for the first time whose names look like places for secrets.
    secrets: Vec<RepoPath>,
}

/// Output of a turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    turn: TurnId,
    role: String,
    /// A text, or an object or a list, which is stored as JSON.
    body: Value,
}

/// How a turn ends.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct End {
    status: MessageStatus,
}

impl Default for End {
    fn default() -> Self {
        Self { status: MessageStatus::Complete }
    }
}

/// A turn that is over.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Ended {
    id: TurnId,
    /// Whether this request ended it; false when it was over before, or never was.
    ended: bool,
}

/// Which part of a transcript.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Only messages that come after this place.
    #[serde(default)]
    after: i64,
    limit: Option<i64>,
}

/// The transcript of a session, or a part of it, in order. Trimmed messages are not in it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Transcript {
    messages: Vec<Message>,
    /// Where to go on, as `after`, if there is more.
    next: Option<i64>,
}

pub(super) async fn begin(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Body(New { message }): Body<New>,
) -> Result<Json<Begun>, Rejection> {
    app.git(move |app| {
        let turn = app.service().begin_turn(&app.session(&session)?.id, &message)?;
        let (checkpoint_id, secrets) = match turn.checkpoint {
            Ok(created) => (Some(created.checkpoint.id), created.secrets),
            Err(_) => (None, Vec::new()),
        };
        let (generation, seq, uncheckpointed) = (turn.generation, turn.prompt.seq, turn.prompt.uncheckpointed);
        Ok(Json(Begun { id: turn.id, generation, seq, checkpoint_id, uncheckpointed, secrets }))
    })
    .await
}

pub(super) async fn say(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Body(Said { turn, role, body }): Body<Said>,
) -> Result<Json<Message>, Rejection> {
    let body = match body {
        Value::String(text) => text,
        Value::Object(_) | Value::Array(_) => body.to_string(),
        _ => return Err(Rejection::bad_input("body: neither a text nor an object or a list", "Send a text.")),
    };
    if ulid_ms(turn.as_str()).is_none() {
        return Err(Rejection::no_turn());
    }
    app.look(move |app| Ok(Json(app.service().append_message(&app.session(&session)?.id, &turn, &role, &body)?))).await
}

pub(super) async fn end(
    State(app): State<App>,
    Ids((session, turn)): Ids<(SessionId, TurnId)>,
    OptionalBody(End { status }): OptionalBody<End>,
) -> Result<Json<Ended>, Rejection> {
    let (ended_session, ended_turn) = (session.clone(), turn.clone());
    let ended = app.git(move |app| {
        let (session, turn) = (app.session(&ended_session)?, ended_turn);
        app.service().end_turn(&session.id, &turn, status)?;
        Ok(Json(Ended { ended: session.turn.as_ref() == Some(&turn), id: turn }))
    });
    match ended.await {
        // A turn ends whether or not there is time to look at what it changed.
        Err(rejection) if rejection.failure.code == Code::Busy => {
            let why = "too much was going on at once when it ended";
            app.look(move |app| {
                let session = app.session(&session)?;
                app.service().end_turn_uncaptured(&session.id, &turn, status, why)?;
                Ok(Json(Ended { ended: session.turn.as_ref() == Some(&turn), id: turn }))
            })
            .await
        }
        ended => ended,
    }
}

/// Which file to show the changes of, and which changes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPart {
    /// This file, or what lies below this directory, as a patch; without it all files, and no patch.
    path: Option<String>,
    /// What had changed before the turn, outside any turn, instead of what the turn changed.
    #[serde(default)]
    outside: bool,
}

pub(super) async fn changes(
    State(app): State<App>,
    Ids((session, turn)): Ids<(SessionId, TurnId)>,
) -> Result<Json<TurnChanges>, Rejection> {
    app.git(move |app| Ok(Json(app.service().turn_changes(&app.session(&session)?.id, &turn)?))).await
}

pub(super) async fn diff(
    State(app): State<App>,
    Ids((session, turn)): Ids<(SessionId, TurnId)>,
    Asked(OfPart { path, outside }): Asked<OfPart>,
) -> Result<Json<FilePart>, Rejection> {
    let options = OfFile { path }.options()?;
    let part = if outside { TurnPart::Outside } else { TurnPart::Turn };
    app.git(move |app| {
        let session = app.session(&session)?;
        Ok(Json(app.service().turn_diff(&session.id, &turn, part, &options)?.into()))
    })
    .await
}

pub(super) async fn transcript(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    Asked(Part { after, limit }): Asked<Part>,
) -> Result<Json<Transcript>, Rejection> {
    let limit = limit.unwrap_or(MOST);
    if !(1..=MOST).contains(&limit) {
        return Err(Rejection::bad_input(format!("limit: it is to be from 1 to {MOST}"), "Go on with `after`."));
    }
    app.look(move |app| {
        let (id, store) = (app.session(&session)?.id, app.service().store());
        let outline = store.outline(&id, after, limit + 1)?;
        let mut bytes = 0;
        let fits = outline.iter().zip(0..limit).take_while(|(line, _)| {
            let before = bytes;
            bytes += line.bytes;
            before < MOST_BYTES
        });
        let kept = fits.count();
        let last = outline[..kept].last().map_or(after, |line| line.seq);
        let messages = store.messages_between(&id, after, last)?;
        let next = (kept < outline.len()).then_some(last);
        Ok(Json(Transcript { messages, next }))
    })
    .await
}
