//! The pages for people: HTML from the server, one style sheet, and one small script. Everything works without the
//! script.
//!
//! Pages are read with `GET`. Every change is a form that is posted with the server's own CSRF token and redirects to a
//! page that can be reloaded. Views take plain data and return markup, which escapes every text.

mod actions;
mod back;
mod banner;
mod blame;
mod body;
mod cards;
mod changed;
mod diff;
mod files;
mod find;
mod forms;
mod history;
mod index;
mod layout;
mod markdown;
mod paths;
mod plan;
mod refusal;
mod syntax;
mod taking;
#[cfg(test)]
mod tests;
mod timeline;
mod transcript;
mod turn;
mod views;
mod words;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::app::App;
pub(crate) use refusal::refused;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/", get(views::index))
        .route("/worktrees/{worktree}", get(timeline::timeline))
        .route("/worktrees/{worktree}/news", get(timeline::news))
        .route("/worktrees/{worktree}/jump", get(timeline::jump))
        .route("/worktrees/{worktree}/turns/{number}", get(timeline::turn))
        .route("/worktrees/{worktree}/since", get(timeline::since))
        .route("/worktrees/{worktree}/blame", get(blame::blame))
        .route("/worktrees/{worktree}/take-back", get(taking::plan).post(taking::take_back))
        .route("/sessions/{session}", get(views::session))
        .route("/sessions/{session}/turns/{turn}/end", post(actions::end))
        .route("/sessions/{session}/turns/{turn}", get(changed::turn))
        .route("/sessions/{session}/turns/{turn}/diff", get(changed::turn_diff))
        .route("/sessions/{session}/turns/{turn}/outside", get(changed::outside_diff))
        .route("/sessions/{session}/search", get(find::find))
        .route("/sessions/{session}/jump", get(views::jump))
        .route("/sessions/{session}/restores", get(changed::history))
        .route("/restores/{restore}", get(changed::restore))
        .route("/restores/{restore}/diff", get(changed::restore_diff))
        .route("/sessions/{session}/messages/{message}", get(views::message))
        .route("/sessions/{session}/checkpoints/{checkpoint}/restore", get(views::plan).post(actions::restore))
        .route("/sessions/{session}/checkpoints/{checkpoint}/diff", get(views::diff))
        .route("/restores/{restore}/abort", post(actions::abort))
        .route("/assets/{name}", get(asset))
        .fallback(async || refusal::unknown())
        .method_not_allowed_fallback(async || refusal::wrong_method())
}

async fn asset(Path(name): Path<String>) -> Response {
    const LONG: (HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=31536000, immutable");
    const SHORT: (HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=3600");
    let path = format!("/assets/{name}");
    if path == *layout::STYLE_PATH {
        ([LONG, (header::CONTENT_TYPE, "text/css; charset=utf-8")], layout::STYLE).into_response()
    } else if path == *layout::SCRIPT_PATH {
        ([LONG, (header::CONTENT_TYPE, "text/javascript; charset=utf-8")], layout::SCRIPT).into_response()
    } else if path == layout::ICON_PATH {
        ([SHORT, (header::CONTENT_TYPE, "image/svg+xml")], layout::ICON).into_response()
    } else {
        refusal::unknown().into_response()
    }
}
