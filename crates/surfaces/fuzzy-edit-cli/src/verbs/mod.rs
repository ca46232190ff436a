//! The verbs of the command, one module each.

pub(crate) mod apply;
pub(crate) mod batch;
pub(crate) mod before;
#[cfg(feature = "checkpoint")]
pub(crate) mod checkpoint;
pub(crate) mod checkpointed;
#[cfg(feature = "checkpoint")]
pub(crate) mod complete;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod ladders;
pub(crate) mod locate;
pub(crate) mod man;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod patch;
#[cfg(feature = "playground")]
pub(crate) mod playground;
pub(crate) mod replay;
pub(crate) mod rule;
pub(crate) mod schema;
#[cfg(feature = "serve")]
pub(crate) mod serve;
#[cfg(feature = "checkpoint")]
pub(crate) mod turns;
pub(crate) mod undo;
#[cfg(not(all(feature = "checkpoint", feature = "mcp", feature = "serve", feature = "playground")))]
pub(crate) mod unlinked;
