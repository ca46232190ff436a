//! The JSON API, beneath `/api`.

pub(crate) mod body;
pub(crate) mod checkpoints;
pub(crate) mod events;
pub(crate) mod extract;
pub(crate) mod restores;
pub(crate) mod sessions;
pub(crate) mod turns;

use axum::Router;
use axum::routing::{delete, get, post};
use fuzzy_report::Code;

use crate::app::App;
use crate::rejection::Rejection;

pub(crate) fn router() -> Router<App> {
    let checkpoint = Router::new()
        .route("/", get(checkpoints::show))
        .route("/diff", get(checkpoints::diff))
        .route("/plan", post(restores::plan))
        .route("/restore", post(restores::restore));
    let session = Router::new()
        .route("/", get(sessions::show).patch(sessions::rename).delete(sessions::delete))
        .route("/messages/{message}", delete(turns::clear_message))
        .route("/turns/{turn}/text", delete(turns::clear_turn))
        .route("/messages", get(turns::transcript).post(turns::say))
        .route("/turns", post(turns::begin))
        .route("/turns/{turn}/end", post(turns::end))
        .route("/turns/{turn}/changes", get(turns::changes))
        .route("/turns/{turn}/diff", get(turns::diff))
        .route("/restores", get(restores::history))
        .route("/events", get(events::events))
        .route("/checkpoints", get(checkpoints::list).post(checkpoints::create))
        .nest("/checkpoints/{checkpoint}", checkpoint);
    let restore = Router::new()
        .route("/", get(restores::show))
        .route("/changes", get(restores::changes))
        .route("/undo", post(restores::undo))
        .route("/abort", post(restores::abort));
    Router::new()
        .route("/sessions", get(sessions::list).post(sessions::create))
        .nest("/sessions/{session}", session)
        .nest("/restores/{restore}", restore)
        .fallback(async || unknown_route())
        .method_not_allowed_fallback(async || wrong_method())
}

pub(crate) fn unknown_route() -> Rejection {
    let next_step = "docs/service.md lists the routes; GET /api/sessions is where to begin.";
    Rejection::new(Code::NotFound, "there is no such route", next_step)
}

fn wrong_method() -> Rejection {
    let message = "this route has another method";
    Rejection::new(Code::WrongMethod, message, "The header `Allow` names those it has.")
}
