//! Adds a body to hyper's own responses to malformed requests, so that all failures have the same shape.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::guard::HEADERS;
use crate::rejection::Rejection;

/// A connection that adds a body to responses that refuse a request without one.
pub(crate) struct WithBodies<S> {
    stream: S,
    /// The rest of the replacement, which is still to be written.
    left: Vec<u8>,
}

impl<S> WithBodies<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, left: Vec::new() }
    }
}

impl<S: AsyncWrite + Unpin> WithBodies<S> {
    fn poll_left(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.left.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.left))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.left.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WithBodies<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WithBodies<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_left(context))?;
        let Some(answer) = with_body(bytes) else { return Pin::new(&mut self.stream).poll_write(context, bytes) };
        self.left = answer;
        // The flush writes the rest.
        let _ = self.poll_left(context)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_left(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_left(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The end of a response's head.
const HEAD_END: &str = "\r\n\r\n";

/// Returns the response that replaces one without a body. The server's own refusals all have bodies.
fn with_body(head: &[u8]) -> Option<Vec<u8>> {
    // Only a complete head is checked, so no part of a body is searched or mistaken for one.
    let is_head = head.starts_with(b"HTTP/1.") && head.ends_with(HEAD_END.as_bytes());
    let head = is_head.then(|| std::str::from_utf8(head).ok()).flatten()?;
    if head.find(HEAD_END)? + HEAD_END.len() < head.len() {
        return None;
    }
    let status = head.get(9..12).and_then(|status| StatusCode::from_bytes(status.as_bytes()).ok())?;
    let message = match status {
        StatusCode::BAD_REQUEST => "this is not an HTTP/1.1 request",
        StatusCode::URI_TOO_LONG => "the address is too long",
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "the head of the request is too large, or has too many headers",
        _ => return None,
    };
    let (before, after) = head.split_once("content-length: 0\r\n")?;
    let rejection = Rejection::bad_input(message, "See docs/service.md for the limits.");
    let body = serde_json::to_string(&rejection.failure).ok()?;
    let mut headers = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in HEADERS {
        headers.extend([name.as_str(), ": ", value, "\r\n"]);
    }
    Some([before, &headers, after, &body].concat().into_bytes())
}
