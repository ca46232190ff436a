//! The page for people: HTML from the server, one style sheet, and one small script, without which everything still works.
//!
//! Reading is `GET`; whatever changes something is a form that is posted with the server's own mark, and answers with a
//! way to a page that can be loaded again. A view gets plain data and returns markup, which escapes every text.

mod act;
mod asked;
mod banner;
mod body;
mod changed;
mod diff;
mod files;
mod find;
mod history;
mod index;
mod layout;
mod markdown;
mod plan;
mod refusal;
mod show;
mod syntax;
#[cfg(test)]
mod tests;
mod transcript;
mod turn;
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
        .route("/", get(show::index))
        .route("/sessions/{session}", get(show::session))
        .route("/sessions/{session}/turns/{turn}/end", post(act::end))
        .route("/sessions/{session}/turns/{turn}", get(changed::turn))
        .route("/sessions/{session}/turns/{turn}/diff", get(changed::turn_diff))
        .route("/sessions/{session}/turns/{turn}/outside", get(changed::outside_diff))
        .route("/sessions/{session}/search", get(find::find))
        .route("/sessions/{session}/jump", get(show::jump))
        .route("/sessions/{session}/restores", get(changed::history))
        .route("/restores/{restore}", get(changed::restore))
        .route("/restores/{restore}/diff", get(changed::restore_diff))
        .route("/sessions/{session}/messages/{message}", get(show::message))
        .route("/sessions/{session}/checkpoints/{checkpoint}/restore", get(show::plan).post(act::restore))
        .route("/sessions/{session}/checkpoints/{checkpoint}/diff", get(show::diff))
        .route("/restores/{restore}/undo", post(act::undo))
        .route("/restores/{restore}/abort", post(act::abort))
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
