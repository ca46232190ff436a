//! Reads JSON request bodies.

use std::time::Duration;

use axum::body::{Body as AxumBody, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use fuzzy_report::Code;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::rejection::Rejection;

/// The largest body, in bytes. Bodies contain messages, never files.
pub(crate) const LARGEST: usize = 4 << 20;
/// The deepest nesting of objects and lists in a body.
const DEEPEST: usize = 200;
/// The number of bytes of a larger body that are read and discarded.
const DRAINED: usize = 16 * LARGEST;
/// The longest pause in such a body; after it the connection is closed.
const SILENCE: Duration = Duration::from_secs(2);
/// The longest time in which a body has to arrive.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A JSON object of a known shape. An unknown key is an error that names it.
pub(super) struct Body<T>(pub(super) T);

/// The same, but an empty body is an object without keys.
pub(super) struct OptionalBody<T>(pub(super) T);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let is_json = is_json(request.headers());
        let bytes = read(request.into_body()).await?;
        if is_json { parse(&bytes).map(Self) } else { Err(wrong_type()) }
    }
}

impl<S: Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalBody<T> {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let typed = request.headers().contains_key(header::CONTENT_TYPE);
        let is_json = is_json(request.headers());
        let bytes = read(request.into_body()).await?;
        // Forms posted by foreign pages always declare another type.
        match (typed, is_json, bytes.is_empty()) {
            (false, _, true) | (_, true, true) => Ok(Self(T::default())),
            (_, true, false) => parse(&bytes).map(Self),
            _ => Err(wrong_type()),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(given), None) = (types.next(), types.next()) else { return false };
    let media = given.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    media.trim().eq_ignore_ascii_case("application/json")
}

/// Reads the body. A body that is too large is refused as soon as its size is known. The rest of it is read and
/// discarded, up to a bound, because a client reads no response while it is still sending.
pub(crate) async fn read(mut body: AxumBody) -> Result<Vec<u8>, Rejection> {
    let announced = body.size_hint().lower();
    let mut bytes = Vec::new();
    let all = async {
        while announced <= LARGEST as u64 && bytes.len() <= LARGEST {
            let Some(frame) = body.frame().await else { break };
            let Ok(data) = frame?.into_data() else { continue };
            bytes.extend_from_slice(&data);
        }
        Ok::<(), axum::Error>(())
    };
    match timeout(TIMEOUT, all).await {
        Ok(Ok(())) if announced <= LARGEST as u64 && bytes.len() <= LARGEST => Ok(bytes),
        Ok(Ok(())) => {
            tokio::spawn(timeout(TIMEOUT, drain(body)));
            let message = format!("the body is larger than {LARGEST} bytes");
            Err(Rejection::new(Code::BodyTooLarge, message, "Send a shorter text."))
        }
        Ok(Err(error)) => Err(Rejection::bad_input(format!("the body ended early: {error}"), "Send it again.")),
        Err(_) => {
            let message = "the body did not arrive in time";
            Err(Rejection::new(Code::SlowBody, message, "Send it again."))
        }
    }
}

async fn drain(mut body: AxumBody) {
    let mut length = 0;
    while length <= DRAINED
        && let Ok(Some(Ok(frame))) = timeout(SILENCE, body.frame()).await
    {
        length += frame.data_ref().map_or(0, axum::body::Bytes::len);
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Rejection> {
    // Serde would read a list as the values of the struct's fields in order.
    if bytes.trim_ascii_start().first().is_some_and(|first| *first != b'{') {
        return Err(unread("it is not a JSON object"));
    }
    // Parts of it are stored as they are, and many programs cannot read a deeper one.
    if is_deeper_than(DEEPEST, bytes) {
        return Err(unread(&format!("it is nested more than {DEEPEST} deep")));
    }
    serde_json::from_slice(bytes).map_err(|error| unread(&error.to_string()))
}

/// Returns whether objects and lists of a JSON text are nested deeper than `most`.
fn is_deeper_than(most: usize, json: &[u8]) -> bool {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    json.iter().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_text,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > most
    })
}

/// Returns the rejection of a body that cannot be parsed.
fn unread(why: &str) -> Rejection {
    Rejection::bad_input(format!("the body: {why}"), "Send a JSON object; see docs/service.md.")
}

fn wrong_type() -> Rejection {
    let message = "the body is not declared as JSON";
    let next_step = "Send the header `Content-Type: application/json`.";
    Rejection::new(Code::WrongType, message, next_step)
}
