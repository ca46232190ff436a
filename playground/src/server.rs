//! Serves the files of the page.

use std::io::{self, Read};

use axum::Router;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use flate2::Compression;
use flate2::read::GzEncoder;
use tokio::net::TcpListener;

use crate::File;

/// The content security policy: the page may run its own scripts and WebAssembly and load its own files, and no other
/// page may frame it. The page contains the same policy, except for frames, which only a header can forbid.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
                          connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                          frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    // Browsers must revalidate each file: the next server at this address may be another build.
    (header::CACHE_CONTROL, "no-cache"),
    (header::VARY, "accept-encoding"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Serves the files to all clients until the process ends, compressed if the client accepts gzip.
///
/// Compresses each file once at the start, which takes less than a tenth of a second in a release build.
///
/// # Errors
///
/// Returns the system's error of the listener.
pub async fn serve(listener: TcpListener, files: &'static [File]) -> io::Result<()> {
    // With Nagle's algorithm the end of a large file waits 40 ms for the acknowledgement of the client.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, router(files)).await
}

fn router(files: &'static [File]) -> Router {
    let mut router = Router::new();
    for file in files {
        let packed: &'static [u8] = gzip(file.bytes).leak();
        let answer = get(async move |headers: HeaderMap| {
            let (bytes, encoding) = if accepts_gzip(&headers) { (packed, Some("gzip")) } else { (file.bytes, None) };
            answer(StatusCode::OK, file.media_type, bytes, encoding)
        });
        if file.name == "index.html" {
            router = router.route("/", answer.clone());
        }
        router = router.route(&format!("/{}", file.name), answer);
    }
    let missing = b"there is no such file\n";
    router.fallback(async || answer(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", missing, None))
}

/// Compresses a file. The engine, the largest file, shrinks to less than half.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let read = GzEncoder::new(bytes, Compression::default()).read_to_end(&mut packed);
    read.expect("memory can be read");
    packed
}

/// Returns whether a client accepts gzip: `Accept-Encoding` lists `gzip` or `*` with a weight other than 0.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let weight = |wanted: &str| {
        let lists = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|list| list.to_str().ok());
        let coding = lists.flat_map(|list| list.split(',')).find_map(|coding| {
            let (name, parameter) = coding.split_once(';').unwrap_or((coding, ""));
            name.trim().eq_ignore_ascii_case(wanted).then(|| parameter.trim().to_owned())
        })?;
        // A missing or invalid weight counts as 1.
        let weight = coding.strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok()).unwrap_or(1.0);
        Some(weight > 0.0)
    };
    weight("gzip").or_else(|| weight("*")).unwrap_or(false)
}

fn answer(
    status: StatusCode,
    media_type: &'static str,
    bytes: &'static [u8],
    encoding: Option<&'static str>,
) -> Response {
    let mut response = (status, [(header::CONTENT_TYPE, media_type)], bytes).into_response();
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}
