//! Reads the path, query and headers of a request.

use std::fmt::Display;

use axum::extract::{FromRequestParts, Path, Query, RawPathParams};
use axum::http::HeaderName;
use axum::http::request::Parts;
use fuzzy_checkpoint_store::ulid_ms;
use serde::de::DeserializeOwned;

use crate::rejection::Rejection;

/// The ids in the path. An id that is not well-formed gets the same error as an unknown one.
pub(crate) struct Ids<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Ids<T> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Rejection> {
        let raw = RawPathParams::from_request_parts(parts, state).await.map_err(|_| Rejection::not_in_session())?;
        let is_id = |name: &str, id: &str| match name {
            "worktree" => id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "number" => id.parse::<i64>().is_ok_and(|number| number > 0),
            _ => ulid_ms(id).is_some(),
        };
        if let Some((name, _)) = raw.iter().find(|(name, id)| !is_id(name, id)) {
            return Err(match name {
                "restore" => Rejection::no_restore(),
                "turn" => Rejection::no_turn(),
                "worktree" => Rejection::no_worktree(),
                "number" => Rejection::no_number(),
                _ => Rejection::not_in_session(),
            });
        }
        Ok(Self(Path::from_request_parts(parts, state).await.map_err(|_| Rejection::not_in_session())?.0))
    }
}

/// The query of the URL. An unknown parameter is an error that names it.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Rejection> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(Self(params)),
            Err(error) => {
                let error = error.body_text();
                let error = error.rsplit("query string: ").next().unwrap_or_default();
                Err(Rejection::bad_input(error, "See docs/service.md for the parameters."))
            }
        }
    }
}

/// Returns the number of entries of a response: the request's `limit`, or `most`.
pub(super) fn page_size<T: Copy + Display + From<u8> + PartialOrd>(
    limit: Option<T>,
    most: T,
    next_step: &'static str,
) -> Result<T, Rejection> {
    let limit = limit.unwrap_or(most);
    if (T::from(1)..=most).contains(&limit) {
        return Ok(limit);
    }
    Err(Rejection::bad_input(format!("limit: it must be from 1 to {most}"), next_step))
}

/// The idempotency key of a request: repeated requests with the same key are one restore.
pub(super) struct Key(pub(super) Option<String>);

/// The longest key, in bytes.
pub(super) const LONGEST: usize = 255;

impl<S: Send + Sync> FromRequestParts<S> for Key {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Rejection> {
        let mut keys = parts.headers.get_all(HeaderName::from_static("idempotency-key")).iter();
        let key = match (keys.next(), keys.next()) {
            (None, _) => return Ok(Self(None)),
            (Some(key), None) => key.to_str().ok(),
            _ => None,
        };
        let key = key.filter(|key| (1..=LONGEST).contains(&key.len()));
        let message =
            format!("the header Idempotency-Key must occur once, with 1 to {LONGEST} visible ASCII characters");
        let key = key.ok_or_else(|| Rejection::bad_input(message, "Send a new random key, such as a UUID."))?;
        Ok(Self(Some(key.to_owned())))
    }
}
