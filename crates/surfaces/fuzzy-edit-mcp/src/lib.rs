//! A Model Context Protocol server with tools that edit text files.
//!
//! [`Server`] has the tools. [`serve`] serves one client over a pair of streams, [`serve_stdio`] one over standard
//! input and output, and [`serve_http`] many over HTTP. They support the protocol up to version 2025-11-25, which opens
//! with a handshake, and from version 2026-07-28, where every request is independent of the others.
//!
//! A refused or failed edit is an answer, not an error of the protocol: `isError` is true, the text starts with the
//! failure's code and `structuredContent` has the whole failure. The same holds for arguments that cannot be read. Only
//! an unknown tool and a malformed request are errors of the protocol. Calls on the same files run in order, others at
//! once.

mod answer;
mod arguments;
mod bound;
mod checkpoints;
mod http;
mod progress;
mod roots;
mod schema;
mod server;
mod tools;
mod transport;
mod turns;
mod work;

use std::io;

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};

pub use checkpoints::Checkpoints;
pub use fuzzy_checkpoint_service::gate::Token;
pub use http::{PATH, serve_http};
pub use roots::Roots;
pub use server::Server;
pub use work::{Logging, Settings};

use crate::transport::Lines;

/// Serves the client on standard input and output until it closes them.
///
/// # Errors
///
/// As [`serve`].
pub async fn serve_stdio(server: Server) -> io::Result<()> {
    // Pipes without blocking: a thread that waits for input would keep the process from exiting.
    let (input, output) = rmcp::transport::stdio_pipes();
    serve(server, input, output).await
}

/// Serves one client until it closes its stream.
///
/// A line that is no message is answered with an error, which has its id if that can be read. The same holds for a line
/// of more than four times the largest file, and more than a MiB.
///
/// # Errors
///
/// The client closed its stream before the handshake, or sent something else.
pub async fn serve<R, W>(server: Server, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = Lines::new(input, output, server.longest_request());
    let running = server.serve(transport).await.map_err(io::Error::other)?;
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}
