//! Edits of text files as tools of the Model Context Protocol.
//!
//! [`Server`] has the tools; [`serve`] speaks with one client over a pair of streams, [`serve_stdio`] over standard
//! input and output, and [`serve_http`] with many over HTTP. All speak the protocol as it was up to 2025-11-25, which
//! opens with a handshake, and from 2026-07-28 on, where every request is independent of the others.
//!
//! A refused or failed edit is an answer, not an error of the protocol: `isError` is true, the text starts with the
//! failure's code and `structuredContent` holds the whole failure; so are arguments that cannot be read. Only an unknown
//! tool and what is no request are errors of the protocol. Calls on the same files are carried out in order, others at
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
pub use fuzzy_gate::Token;
pub use http::{PATH, serve_http};
pub use roots::Roots;
pub use server::Server;
pub use work::{Logging, Settings};

use crate::transport::Lines;

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
/// A line that is no message is answered with an error, which carries its id where one can be read; so is one of more
/// than four times the largest file, and of more than a MiB.
///
/// # Errors
///
/// If the client closed before it said a word of the protocol, or said something else.
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
