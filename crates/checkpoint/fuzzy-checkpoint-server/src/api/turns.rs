//! Routes of turns and their messages.

use std::collections::BTreeMap;
use std::fmt;

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{ROLES, TurnChanges, TurnPart};
use fuzzy_checkpoint_store::Body;
use fuzzy_checkpoint_store::{CheckpointId, Content, Message, MessageId, MessageStatus, SessionId, TurnId, ulid_ms};
use fuzzy_report::Code;
use schemars::JsonSchema;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::body::{Body as JsonBody, OptionalBody};
use super::checkpoints::{OfFile, Part as FilePart};
use super::extract::{Ids, Params, page_size};
use crate::app::App;
use crate::rejection::Rejection;

/// The largest and default number of messages in one response.
const MOST: i64 = 1000;
/// The number of bytes of text after which a response ends; the message that exceeds it is the last one.
const MOST_BYTES: i64 = 16 << 20;

/// A turn that has begun.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Begun {
    /// The turn; it is also the id of the prompt's message.
    id: TurnId,
    /// The number of restores that have changed the session's transcript.
    generation: i64,
    /// The place of the prompt.
    seq: i64,
    /// The checkpoint taken before the agent runs.
    checkpoint_id: Option<CheckpointId>,
    /// The reason why there is no checkpoint.
    uncheckpointed: Option<String>,
    /// Newly captured files whose names suggest that they contain secrets.
    secrets: Vec<RepoPath>,
}

/// A message as the client sent it, including unknown keys.
#[derive(Default)]
pub(super) struct Sent(BTreeMap<String, Box<RawValue>>);

impl<'de> Deserialize<'de> for Sent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Sent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Sent, A::Error> {
                let mut sent = Sent::default();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if sent.0.contains_key(&key) {
                        return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
                    }
                    sent.0.insert(key, value);
                }
                Ok(sent)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// A prompt. Further keys are stored with it.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Prompt(#[schemars(with = "PromptKeys")] Sent);

/// The known keys of a [`Prompt`].
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct PromptKeys {
    /// The prompt.
    message: Body,
}

/// A message of a turn. Further keys are stored with it.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Speech(#[schemars(with = "SpeechKeys")] Sent);

/// The known keys of a [`Speech`].
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct SpeechKeys {
    /// The turn.
    turn: TurnId,
    /// The speaker.
    #[schemars(extend("enum" = ROLES))]
    role: String,
    /// The text.
    body: Body,
}

/// Removes a key from a message and returns its value.
fn take(sent: &mut Sent, key: &str) -> Result<Box<RawValue>, Rejection> {
    let value = sent.0.remove(key);
    value.ok_or_else(|| Rejection::bad_input(format!("missing field `{key}`"), "See docs/service.md for the keys."))
}

/// Removes a key from a message and returns its text.
fn take_text(sent: &mut Sent, key: &str) -> Result<String, Rejection> {
    text(&take(sent, key)?, key)
}

fn text(raw: &RawValue, key: &str) -> Result<String, Rejection> {
    let text = serde_json::from_str(raw.get());
    text.map_err(|error| Rejection::bad_input(format!("{key}: {error}"), "See docs/service.md for the keys."))
}

/// The content of a message: a text, or an object or a list, which is stored exactly as it was sent.
struct ParsedMessage {
    body: String,
    json: bool,
    extra: Option<String>,
}

impl ParsedMessage {
    /// Reads the content under `key`; the other keys are stored with it.
    fn read(mut sent: Sent, key: &str) -> Result<Self, Rejection> {
        let content = take(&mut sent, key)?;
        let (body, json) = match content.get().as_bytes().first() {
            Some(b'{' | b'[') => (content.get().to_owned(), true),
            Some(b'"') => (text(&content, key)?, false),
            _ => {
                let message = format!("{key}: neither a text nor an object or a list");
                return Err(Rejection::bad_input(message, "Send a text."));
            }
        };
        let extra = (!sent.0.is_empty()).then(|| serde_json::to_string(&sent.0).unwrap_or_default());
        Ok(Self { body, json, extra })
    }

    fn content(&self) -> Content<'_> {
        Content { body: &self.body, json: self.json, extra: self.extra.as_deref(), batch: None }
    }
}

/// The end of a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct End {
    /// The status of the turn.
    #[schemars(extend("enum" = ["complete", "failed"]))]
    status: MessageStatus,
}

impl Default for End {
    fn default() -> Self {
        Self { status: MessageStatus::Complete }
    }
}

/// An ended turn.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Ended {
    id: TurnId,
    /// Whether this request ended it; false if it was already over or never existed.
    ended: bool,
}

/// Selects a part of the transcript.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Only messages after this place.
    #[serde(default)]
    after: i64,
    /// The largest number of messages to return.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<i64>,
}

/// The transcript of a session, or a part of it, in order, without trimmed messages.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Transcript {
    messages: Vec<Message>,
    /// The value of `after` for the next request, if there are more messages.
    next: Option<i64>,
}

pub(super) async fn begin(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    JsonBody(Prompt(sent)): JsonBody<Prompt>,
) -> Result<Json<Begun>, Rejection> {
    let message = ParsedMessage::read(sent, "message")?;
    app.git(move |app| {
        let turn = app.service().begin_turn(&app.session(&session)?.id, message.content())?;
        let (checkpoint_id, secrets) = match turn.checkpoint {
            Ok(created) => (Some(created.checkpoint.id), created.secrets),
            Err(_) => (None, Vec::new()),
        };
        let (generation, seq, uncheckpointed) = (turn.generation, turn.prompt.seq, turn.prompt.uncheckpointed);
        Ok(Json(Begun { id: turn.id, generation, seq, checkpoint_id, uncheckpointed, secrets }))
    })
    .await
}

pub(super) async fn add_message(
    State(app): State<App>,
    Ids(session): Ids<SessionId>,
    JsonBody(Speech(mut sent)): JsonBody<Speech>,
) -> Result<Json<Message>, Rejection> {
    let turn = TurnId(take_text(&mut sent, "turn")?);
    let role = take_text(&mut sent, "role")?;
    let message = ParsedMessage::read(sent, "body")?;
    if ulid_ms(turn.as_str()).is_none() {
        return Err(Rejection::no_turn());
    }
    app.look(move |app| {
        Ok(Json(app.service().append_message(&app.session(&session)?.id, &turn, &role, message.content())?))
    })
    .await
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
        // A turn ends even if the server is too busy to capture its changes.
        Err(rejection) if rejection.failure.code == Code::Busy => {
            let why = "the server was too busy when it ended";
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

/// The result of deleting texts.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Cleared {
    /// The number of messages, which remain with an empty text.
    messages: u64,
}

pub(super) async fn clear_message(
    State(app): State<App>,
    Ids((session, message)): Ids<(SessionId, MessageId)>,
) -> Result<Json<Cleared>, Rejection> {
    app.look(move |app| clear(app, &session, &message, false)).await
}

pub(super) async fn clear_turn(
    State(app): State<App>,
    Ids((session, turn)): Ids<(SessionId, TurnId)>,
) -> Result<Json<Cleared>, Rejection> {
    app.look(move |app| clear(app, &session, &MessageId(turn.0), true)).await
}

fn clear(app: &App, session: &SessionId, message: &MessageId, whole: bool) -> Result<Json<Cleared>, Rejection> {
    let messages = app.service().clear_text(&app.session(session)?.id, message, whole)?;
    Ok(Json(Cleared { messages }))
}

/// Selects the files and the changes of a comparison.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPart {
    /// Returns a patch of this file, or of the files below this directory; without it, lists all files without a patch.
    path: Option<String>,
    /// Whether to return the changes made before the turn, outside any turn, instead of the turn's own.
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
    Params(OfPart { path, outside }): Params<OfPart>,
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
    Params(Part { after, limit }): Params<Part>,
) -> Result<Json<Transcript>, Rejection> {
    let limit = page_size(limit, MOST, "Go on with `after`.")?;
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
