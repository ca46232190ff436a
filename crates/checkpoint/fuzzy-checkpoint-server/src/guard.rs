//! Who is heard: requests for this server's own name, not from the pages of others, with the token where one is set.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fuzzy_report::Code;

use crate::app::App;
use crate::newcomers::Newcomer;
use crate::page;
use crate::rejection::Rejection;

/// What every answer says to browsers, unless the handler said otherwise: keep nothing, guess nothing, tell nobody where
/// the user came from, and run, load and frame nothing.
pub(crate) const HEADERS: [(HeaderName, &str); 6] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match check(&app, &request) {
        Ok(()) => {
            if let Some(newcomer) = request.extensions().get::<Newcomer>() {
                newcomer.admit();
            }
            next.run(request).await
        }
        Err(rejection) if request.uri().path().starts_with("/api/") => rejection.into_response(),
        Err(rejection) => page::refused(rejection),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn check(app: &App, request: &Request) -> Result<(), Rejection> {
    let headers = request.headers();
    // A name of a stranger that leads here is a page of theirs asking.
    let host = only(headers, &header::HOST).filter(|host| app.hosts().has(host));
    let target = request.uri().authority().is_none_or(|authority| app.hosts().has(authority.as_str()));
    if host.is_none() || !target {
        return Err(foreign(app, Code::ForeignHost, "the request is for another host"));
    }
    if headers.contains_key(header::ORIGIN)
        && !only(headers, &header::ORIGIN).is_some_and(|origin| app.hosts().has_origin(origin))
    {
        return Err(foreign(app, Code::ForeignOrigin, "the request comes from the page of another server"));
    }
    // Browsers say where a request comes from even where it has no origin. A link from elsewhere may lead to a page.
    let site = headers.get(SITE).map(HeaderValue::as_bytes);
    let reads = request.method().is_safe() && !request.uri().path().starts_with("/api/");
    if !reads && site.is_some_and(|site| !matches!(site, b"same-origin" | b"none")) {
        return Err(foreign(app, Code::ForeignOrigin, "the request comes from the page of another server"));
    }
    let Some(token) = app.token() else { return Ok(()) };
    let shown = only(headers, &header::AUTHORIZATION);
    if shown.is_some_and(|shown| token.admits_bearer(shown) || token.admits_basic(shown)) {
        return Ok(());
    }
    let next_step = "Send the header `Authorization: Bearer TOKEN`; in a browser give the token as the password.";
    Err(Rejection::new(Code::Unauthorized, "the server's token is needed", next_step))
}

/// Returns the rejection of a request that is not for this server, or not from it.
fn foreign(app: &App, code: Code, message: &str) -> Rejection {
    let ours: Vec<&str> = app.hosts().iter().collect();
    let next_step = format!("This server is {}; `fuzzy-edit serve --host` gives it another name.", ours.join(", "));
    Rejection::new(code, message, next_step)
}

/// Returns a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
