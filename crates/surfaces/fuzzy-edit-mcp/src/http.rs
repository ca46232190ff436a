//! Streamable HTTP, for hosts that do not start the server themselves.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt as _;
use fuzzy_checkpoint_service::gate::{Hosts, Token};
use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::RxJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::Server;
use crate::transport::{Read, error_message, parse};

/// The path that is served.
pub const PATH: &str = "/mcp";

/// Serves every client that connects to `listener` with the token, each session with a memory of its own, until the
/// process ends.
///
/// Requests for another host and requests from web pages are refused, because any web page could send requests to this
/// address.
///
/// # Errors
///
/// The listener fails.
pub async fn serve_http(server: Server, listener: TcpListener, token: Token) -> io::Result<()> {
    let address = listener.local_addr()?;
    let hosts = Hosts::new(address, []);
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts.iter())
        .with_allowed_origins(hosts.iter().map(|host| format!("http://{host}")))
        .enforce_origin_validation();
    let server_limit = server.longest_request();
    config.max_request_body_bytes = server_limit;
    let sessions = Arc::<LocalSessionManager>::default();
    let service = StreamableHttpService::new(move || server.another(), sessions, config);
    let router = Router::new()
        .route_service(PATH, service)
        .layer(middleware::from_fn_with_state(server_limit, answer_in_json))
        .layer(middleware::from_fn_with_state(token, admit));
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
    // The message of an unauthenticated client is not read, so the answer has no id.
    let error = ErrorData::invalid_request("a bearer token is needed", None);
    let mut answer = refused(StatusCode::UNAUTHORIZED, &error, None);
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    answer
}

/// The most bytes of an error message of the SDK.
const LONGEST_MESSAGE: usize = 64 << 10;

/// Answers a refused message as JSON-RPC requires: with an error that has the message's id. The SDK answers many of
/// them with a line of text, which clients cannot parse.
async fn answer_in_json(State(longest): State<usize>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, longest).await else {
        let error = ErrorData::invalid_request("the message is longer than the limit", None);
        return refused(StatusCode::PAYLOAD_TOO_LARGE, &error, None);
    };
    let id = match parse(&bytes, true) {
        Read::Message(message) => request_id(&message),
        // The SDK would omit the id of the message from the error.
        Read::Error(error, id) => return refused(StatusCode::BAD_REQUEST, &error, id.as_ref()),
        Read::Nothing => None,
    };
    let answer = next.run(Request::from_parts(head, Body::from(bytes))).await;
    let is_json = answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !(answer.status().is_client_error() || answer.status().is_server_error()) || is_json {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let text = to_bytes(body, LONGEST_MESSAGE).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).trim().to_owned();
    let error = if head.status.is_server_error() {
        ErrorData::internal_error(text, None)
    } else {
        ErrorData::invalid_request(text, None)
    };
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(head, Body::from(error_message(&error, id.as_ref()).to_string()))
}

fn refused(status: StatusCode, error: &ErrorData, id: Option<&RequestId>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], error_message(error, id).to_string()).into_response()
}

/// Returns the id of a message that expects an answer.
fn request_id(message: &RxJsonRpcMessage<RoleServer>) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Request(request) => Some(request.id.clone()),
        _ => None,
    }
}
