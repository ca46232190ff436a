//! Serves the files of the page.

use std::io;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::File;

/// What the page may do: run its own scripts and its own WebAssembly, and read its own files; and no other page may frame
/// it. The page says the same of itself, but for the frames, which it cannot.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
                          connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                          frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    // Asked for again each time: another build may be served at the same address next.
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Serves the files to every client that connects, until the process ends.
///
/// # Errors
///
/// What the system says of the listener.
pub async fn serve(listener: TcpListener, files: &'static [File]) -> io::Result<()> {
    // With Nagle's algorithm the end of a large file waits for the client's acknowledgement, which takes 40 ms.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, router(files)).await
}

fn router(files: &'static [File]) -> Router {
    let mut router = Router::new();
    for file in files {
        let answer = get(async || answer(StatusCode::OK, file.media_type, file.bytes));
        if file.name == "index.html" {
            router = router.route("/", answer.clone());
        }
        router = router.route(&format!("/{}", file.name), answer);
    }
    router.fallback(async || answer(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", b"there is no such file\n"))
}

fn answer(status: StatusCode, media_type: &'static str, bytes: &'static [u8]) -> Response {
    let mut response = (status, [(header::CONTENT_TYPE, media_type)], bytes).into_response();
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
