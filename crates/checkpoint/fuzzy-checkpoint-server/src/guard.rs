//! The access check: a request must be for one of this server's own names, must not come from a foreign page, and must
//! have the token if one is set.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fuzzy_report::Code;

use crate::app::App;
use crate::connection_limit::PendingConnection;
use crate::page;
use crate::rejection::Rejection;

/// The headers of every response, unless the handler sets them: browsers must not cache it, guess its type, send a
/// referrer, or run, load and frame anything.
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
            if let Some(pending) = request.extensions().get::<PendingConnection>() {
                pending.admit();
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
    // A foreign host name that resolves to this server is DNS rebinding by a foreign page.
    let host = only(headers, &header::HOST).filter(|host| app.hosts().has(host));
    let target = request.uri().authority().is_none_or(|authority| app.hosts().has(authority.as_str()));
    if host.is_none() || !target {
        return Err(foreign(app, Code::ForeignHost, "the request is for another host"));
    }
    if headers.contains_key(header::ORIGIN)
        && !only(headers, &header::ORIGIN).is_some_and(|origin| app.hosts().has_origin(origin))
    {
        return Err(foreign(app, Code::ForeignOrigin, "the request is from a page of another server"));
    }
    // Browsers send this header even without an origin. A foreign link may lead to a page.
    let site = headers.get(SITE).map(HeaderValue::as_bytes);
    let reads = request.method().is_safe() && !request.uri().path().starts_with("/api/");
    if !reads && site.is_some_and(|site| !matches!(site, b"same-origin" | b"none")) {
        return Err(foreign(app, Code::ForeignOrigin, "the request is from a page of another server"));
    }
    let Some(token) = app.token() else { return Ok(()) };
    let given = only(headers, &header::AUTHORIZATION);
    if given.is_some_and(|given| token.admits_bearer(given) || token.admits_basic(given)) {
        return Ok(());
    }
    let next_step = "Send the header `Authorization: Bearer TOKEN`; in a browser give the token as the password.";
    Err(Rejection::new(Code::Unauthorized, "the server requires its token", next_step))
}

/// Returns the rejection of a request for another host or from a foreign page.
fn foreign(app: &App, code: Code, message: &str) -> Rejection {
    let ours: Vec<&str> = app.hosts().iter().collect();
    let next_step = format!("This server's names are {}; `fuzzy-edit serve --host` adds another one.", ours.join(", "));
    Rejection::new(code, message, next_step)
}

/// Returns a header that occurs exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
