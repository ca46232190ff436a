//! The stream of a session's events.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use fuzzy_checkpoint_service::FileProgress;
use fuzzy_checkpoint_store::{CheckpointId, Phase, RestoreId, SessionId, SessionState, TurnId};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep;

use super::extract::Ids;
use crate::app::App;
use crate::rejection::Rejection;

/// The interval between two reads of the database, which another server may write.
const PAUSE: Duration = Duration::from_millis(500);
/// The interval between keep-alive comments when there is no event.
const ALIVE: Duration = Duration::from_secs(15);
/// Makes proxies forward events without buffering.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The state of a session, sent with every event. A client requests changed data from the other routes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Progress {
    state: SessionState,
    /// The running turn.
    turn: Option<TurnId>,
    /// Increases with every restore that changes the transcript.
    generation: i64,
    /// The place of the next message.
    next_seq: i64,
    /// The newest checkpoint, except for those of restores.
    checkpoint_id: Option<CheckpointId>,
    /// The newest restore.
    restore_id: Option<RestoreId>,
    /// Its phase.
    restore_phase: Option<Phase>,
    /// The progress of its files, while this server works on them.
    restore_files: Option<FileProgress>,
}

impl Progress {
    fn read(app: &App, id: &SessionId) -> Result<Self, Rejection> {
        let (session, store) = (app.session(id)?, app.service().store());
        let restore = store.restores_before(id, None, 1)?.pop();
        Ok(Self {
            state: session.state,
            turn: session.turn,
            generation: session.generation,
            next_seq: session.next_seq,
            checkpoint_id: store.newest(id)?.map(|row| row.id),
            restore_files: restore.as_ref().and_then(|row| app.service().file_progress(&row.id)),
            restore_phase: restore.as_ref().map(|row| row.phase),
            restore_id: restore.map(|row| row.id),
        })
    }
}

/// One connected client.
struct Listener {
    app: App,
    session: SessionId,
    sent: Option<Progress>,
    _place: OwnedSemaphorePermit,
}

/// The stream of a session's events.
pub(super) struct Events(Response);

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        self.0
    }
}

pub(super) async fn events(State(app): State<App>, Ids(session): Ids<SessionId>) -> Result<Events, Rejection> {
    let place = app.listen().ok_or_else(Rejection::busy)?;
    let id = session.clone();
    // An unknown session is refused before the stream begins.
    app.look(move |app| app.session(&id).map(drop)).await?;
    let listener = Listener { app, session, sent: None, _place: place };
    let events = Sse::new(stream::unfold(listener, next)).keep_alive(KeepAlive::new().interval(ALIVE));
    Ok(Events(([(UNBUFFERED, HeaderValue::from_static("no"))], events).into_response()))
}

/// Waits for a change and returns it as an event. The stream ends when the server stops, and when the session can no
/// longer be read; a client that reconnects then gets the error.
async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    loop {
        let id = listener.session.clone();
        let now = listener.app.look(move |app| Progress::read(app, &id)).await.ok()?;
        if listener.sent.as_ref() != Some(&now) {
            let event = Event::default().event("progress").json_data(&now).ok()?;
            listener.sent = Some(now);
            return Some((Ok(event), listener));
        }
        tokio::select! {
            () = listener.app.closed() => return None,
            () = sleep(PAUSE) => {}
        }
    }
}
