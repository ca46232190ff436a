//! The JSON API, beneath `/api`.

mod body;
mod checkpoints;
mod sessions;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;

use crate::app::App;
use crate::problem::Problem;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/sessions", get(sessions::list).post(sessions::create))
        .route("/sessions/{session}", get(sessions::show))
        .route("/sessions/{session}/checkpoints", get(checkpoints::list).post(checkpoints::create))
        .fallback(async || unknown_route())
        .method_not_allowed_fallback(async || wrong_method())
}

fn unknown_route() -> Problem {
    let next_step = "docs/service.md lists the routes; GET /api/sessions is where to begin.";
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such route", next_step)
}

fn wrong_method() -> Problem {
    let message = "this route has another method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message, "The header `Allow` names those it has.")
}
