//! Edits of text files as tools of the Model Context Protocol.
//!
//! [`Server`] has the tools; [`serve`] speaks with one client over a pair of streams, [`serve_stdio`] over standard
//! input and output, and [`serve_http`] with many over HTTP. All speak the protocol as it was up to 2025-11-25, which
//! opens with a handshake, and from 2026-07-28 on, where every request stands alone.
//!
//! A refused or failed edit is an answer, not an error of the protocol: `isError` is true, the text starts with the
//! failure's code and `structuredContent` holds the whole failure. Only an unknown tool and arguments that cannot be read
//! are errors of the protocol.

mod answer;
mod arguments;
mod checkpoints;
mod http;
mod progress;
mod roots;
mod schema;
mod server;
mod tools;
mod work;

use std::io;

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};

pub use checkpoints::Checkpoints;
pub use fuzzy_gate::Token;
pub use http::{PATH, serve_http};
pub use roots::Roots;
pub use server::Server;
pub use work::{Logging, Settings};

/// Speaks with the client at the other end of standard input and output until it closes them.
///
/// # Errors
///
/// As [`serve`].
pub async fn serve_stdio(server: Server) -> io::Result<()> {
    // Pipes without blocking: a thread that waits for input would keep the process from ending.
    let (input, output) = rmcp::transport::stdio_pipes();
    serve(server, input, output).await
}

/// Speaks with one client until it closes its stream.
///
/// A message of more than four times the largest file, and of more than a MiB, is passed over without an answer: what
/// it asks is not known then.
///
/// # Errors
///
/// If the client closed before it said a word of the protocol, or said something else.
pub async fn serve<R, W>(server: Server, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(server.longest_request());
    let running = server.serve(transport).await.map_err(io::Error::other)?;
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}
