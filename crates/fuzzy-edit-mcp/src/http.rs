//! Streamable HTTP: for hosts that do not start the server themselves.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use crate::Server;

/// The path that is served.
pub const PATH: &str = "/mcp";

/// The largest request, in bytes: as large as a line on standard input may be.
const MAX_REQUEST: usize = 16 << 20;

/// What a request must carry to be heard.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Makes a token that no one can guess.
    ///
    /// # Errors
    ///
    /// What the system says if it has no random numbers.
    pub fn fresh() -> io::Result<Self> {
        use std::fmt::Write as _;
        let mut bytes = [0_u8; 32];
        let length = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
        if length != bytes.len() {
            return Err(io::Error::other("the system gave too few random numbers"));
        }
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// Takes a token that someone chose; none if it is too short to keep anyone out, or cannot stand in a header.
    #[must_use]
    pub fn chosen(text: &str) -> Option<Self> {
        const SHORTEST: usize = 16;
        (text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| Self(text.to_owned()))
    }

    /// Returns the letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Says whether a request may come in. The digests are compared, so that time tells nothing of the letters.
    fn admits(&self, request: &Request) -> bool {
        let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some((scheme, given)) = given.and_then(|value| value.split_once(' ')) else { return false };
        scheme.eq_ignore_ascii_case("bearer")
            && Sha256::digest(given.trim().as_bytes()) == Sha256::digest(self.0.as_bytes())
    }
}

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
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts(address))
        .with_allowed_origins(hosts(address).map(|host| format!("http://{host}")))
        .enforce_origin_validation();
    config.max_request_body_bytes = MAX_REQUEST;
    let sessions = Arc::<LocalSessionManager>::default();
    let service = StreamableHttpService::new(move || server.another(), sessions, config);
    let router = Router::new().route_service(PATH, service).layer(middleware::from_fn_with_state(token, admit));
    axum::serve(listener, router).await
}

/// Returns the names that the address has on this machine.
fn hosts(address: SocketAddr) -> impl Iterator<Item = String> {
    let port = address.port();
    let loopback = address.ip().is_loopback().then(|| format!("localhost:{port}"));
    [address.to_string()].into_iter().chain(loopback)
}

async fn admit(State(token): State<Token>, request: Request, next: Next) -> Response {
    if token.admits(&request) {
        return next.run(request).await;
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "a bearer token is needed\n").into_response()
}
