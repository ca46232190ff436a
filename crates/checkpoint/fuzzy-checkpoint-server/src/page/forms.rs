//! Extractors of paths, queries and forms. They work like those of the API, but their rejections are pages.

use axum::Form;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use fuzzy_checkpoint::RepoPath;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::files::decoded;
use super::refusal::Refusal;
use crate::api::{body, extract};
use crate::rejection::Rejection;

/// The ids in the path.
pub(super) struct Ids<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Ids<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let extract::Ids(ids) = extract::Ids::from_request_parts(parts, state).await?;
        Ok(Self(ids))
    }
}

/// The query of the URL.
pub(super) struct Params<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let extract::Params(params) = extract::Params::from_request_parts(parts, state).await?;
        Ok(Self(params))
    }
}

/// A posted form.
pub(super) struct Sent<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let (head, body) = request.into_parts();
        let body = body::read(body).await?;
        let form = Form::from_request(Request::from_parts(head, body.into()), state)
            .await
            .map_err(|_| Rejection::bad_input("the form cannot be read", "Load the page again, then send its form."))?;
        Ok(Self(form.0))
    }
}

/// Selects a part of a list of files.
#[derive(Deserialize)]
pub(super) struct FilesPart {
    #[serde(default)]
    pub(super) page: usize,
    /// Set if all diffs are unfolded.
    pub(super) open: Option<String>,
}

/// Returns the file path that a whole query consists of.
pub(super) fn path(query: Option<String>) -> Result<RepoPath, Rejection> {
    let path = decoded(&query.unwrap_or_default());
    if path.as_bytes().is_empty() {
        return Err(Rejection::bad_input("no file is named", "Follow the link beside a file."));
    }
    Ok(path)
}
