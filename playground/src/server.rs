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

/// The rights of the page: it runs its own scripts and its own WebAssembly and reads its own files, and no other page may
/// frame it. The page has the same policy, except for the frames, which only a header can forbid.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
                          connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                          frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    // Asked for again each time: another build may be served at the same address next.
    (header::CACHE_CONTROL, "no-cache"),
    (header::VARY, "accept-encoding"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Serves the files to every client that connects, until the process ends; compressed to those who take gzip.
///
/// Each file is compressed once before the first is served, which takes less than a tenth of a second in a release build.
///
/// # Errors
///
/// Returns the system's error of the listener.
pub async fn serve(listener: TcpListener, files: &'static [File]) -> io::Result<()> {
    // With Nagle's algorithm the end of a large file waits for the client's acknowledgement, which takes 40 ms.
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

/// Compresses a file, once for all who ask for it: most of what is loaded is the engine, which becomes less than half.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let read = GzEncoder::new(bytes, Compression::default()).read_to_end(&mut packed);
    read.expect("memory can be read");
    packed
}

/// Whether a client takes gzip: `Accept-Encoding` lists it, or everything, without the weight 0.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let weight = |wanted: &str| {
        let lists = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|list| list.to_str().ok());
        let coding = lists.flat_map(|list| list.split(',')).find_map(|coding| {
            let (name, parameter) = coding.split_once(';').unwrap_or((coding, ""));
            name.trim().eq_ignore_ascii_case(wanted).then(|| parameter.trim().to_owned())
        })?;
        // Without a weight that can be read it is 1.
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
