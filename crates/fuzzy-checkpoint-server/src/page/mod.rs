//! The page for people.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use crate::app::App;

pub(crate) fn router() -> Router<App> {
    Router::new().route("/", get(async || Html("<!doctype html><title>fuzzy-edit</title>")))
}
