//! Turns of a session, and what is said in them.

use std::collections::BTreeMap;
use std::fmt;

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{ROLES, TurnChanges, TurnPart};
use fuzzy_checkpoint_store::{CheckpointId, Message, MessageId, MessageStatus, Said, SessionId, TurnId, ulid_ms};
use fuzzy_report::Code;
use fuzzy_report::checkpoint::Body;
use schemars::JsonSchema;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::body::{Body as JsonBody, OptionalBody};
use super::checkpoints::{OfFile, Part as FilePart};
use super::extract::{Asked, Ids, page_size};
use crate::app::App;
use crate::rejection::Rejection;

/// The most messages in one answer, and how many there are unless told.
const MOST: i64 = 1000;
/// After how many bytes of text an answer ends; the message that comes over it is the last.
const MOST_BYTES: i64 = 16 << 20;

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

/// A message as the client sent it, with unknown keys.
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

/// A prompt, with further keys that are kept.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Prompt(#[schemars(with = "PromptKeys")] Sent);

/// The keys of a [`Prompt`] that are known.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct PromptKeys {
    /// The prompt.
    message: Body,
}

/// A message of a turn, with further keys that are kept.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Speech(#[schemars(with = "SpeechKeys")] Sent);

/// The keys of a [`Speech`] that are known.
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

/// Takes a key out of what was sent.
fn take(sent: &mut Sent, key: &str) -> Result<Box<RawValue>, Rejection> {
    let value = sent.0.remove(key);
    value.ok_or_else(|| Rejection::bad_input(format!("missing field `{key}`"), "docs/service.md lists the keys."))
}

/// Takes a text out of what was sent.
fn take_text(sent: &mut Sent, key: &str) -> Result<String, Rejection> {
    text(&take(sent, key)?, key)
}

fn text(raw: &RawValue, key: &str) -> Result<String, Rejection> {
    let text = serde_json::from_str(raw.get());
    text.map_err(|error| Rejection::bad_input(format!("{key}: {error}"), "docs/service.md lists the keys."))
}

/// Something said: a text, or an object or a list, which is stored as it was sent.
struct Words {
    body: String,
    json: bool,
    extra: Option<String>,
}

impl Words {
    /// Reads what is said under `key`; what is left is kept with it.
    fn read(mut sent: Sent, key: &str) -> Result<Self, Rejection> {
        let said = take(&mut sent, key)?;
        let (body, json) = match said.get().as_bytes().first() {
            Some(b'{' | b'[') => (said.get().to_owned(), true),
            Some(b'"') => (text(&said, key)?, false),
            _ => {
                let message = format!("{key}: neither a text nor an object or a list");
                return Err(Rejection::bad_input(message, "Send a text."));
            }
        };
        let extra = (!sent.0.is_empty()).then(|| serde_json::to_string(&sent.0).unwrap_or_default());
        Ok(Self { body, json, extra })
    }

    fn said(&self) -> Said<'_> {
        Said { body: &self.body, json: self.json, extra: self.extra.as_deref() }
    }
}

/// How a turn ends.
#[derive(Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct End {
    /// Whether it came to its end.
    #[schemars(extend("enum" = ["complete", "failed"]))]
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
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Only messages that come after this place.
    #[serde(default)]
    after: i64,
    /// At most so many.
    #[schemars(range(min = 1, max = 1000))]
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
    JsonBody(Prompt(sent)): JsonBody<Prompt>,
) -> Result<Json<Begun>, Rejection> {
    let words = Words::read(sent, "message")?;
    app.git(move |app| {
        let turn = app.service().begin_turn(&app.session(&session)?.id, words.said())?;
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
    JsonBody(Speech(mut sent)): JsonBody<Speech>,
) -> Result<Json<Message>, Rejection> {
    let turn = TurnId(take_text(&mut sent, "turn")?);
    let role = take_text(&mut sent, "role")?;
    let words = Words::read(sent, "body")?;
    if ulid_ms(turn.as_str()).is_none() {
        return Err(Rejection::no_turn());
    }
    app.look(move |app| {
        Ok(Json(app.service().append_message(&app.session(&session)?.id, &turn, &role, words.said())?))
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

/// Texts that were emptied.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Cleared {
    /// How many messages; their places stay.
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

/// Which file to show the changes of, and which changes.
#[derive(Deserialize, JsonSchema)]
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
