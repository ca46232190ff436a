//! Streamable HTTP: for hosts that do not start the server themselves.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt as _;
use fuzzy_gate::{Hosts, Token};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::Server;

/// The path that is served.
pub const PATH: &str = "/mcp";

/// Serves every client that connects to `listener` and knows the token, each session with a memory of its own, until the
/// process ends.
///
/// Requests for another host and requests of web pages are refused: the page of a stranger could name this address.
///
/// # Errors
///
/// What the system says of the listener.
pub async fn serve_http(server: Server, listener: TcpListener, token: Token) -> io::Result<()> {
    let address = listener.local_addr()?;
    let hosts = Hosts::new(address, []);
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts.iter())
        .with_allowed_origins(hosts.iter().map(|host| format!("http://{host}")))
        .enforce_origin_validation();
    config.max_request_body_bytes = server.longest_request();
    let sessions = Arc::<LocalSessionManager>::default();
    let service = StreamableHttpService::new(move || server.another(), sessions, config);
    let router = Router::new().route_service(PATH, service).layer(middleware::from_fn_with_state(token, admit));
    // With Nagle's algorithm the end of a long answer waits for the client's acknowledgement, which takes 40 ms.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}

async fn admit(State(token): State<Token>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given.is_some_and(|given| token.admits_bearer(given)) {
        return next.run(request).await;
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "a bearer token is needed\n").into_response()
}
