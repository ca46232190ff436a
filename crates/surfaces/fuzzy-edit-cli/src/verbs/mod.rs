//! The verbs of the command, one module each; a verb that this build lacks is declared at the end.

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

#[cfg(feature = "checkpoint")]
pub(crate) use turns::run;
#[cfg(feature = "checkpoint")]
pub(crate) use undo::redo;

#[cfg(not(feature = "checkpoint"))]
unlinked::verb!(checkpoint, "checkpoint", "Take checkpoints of the worktree, and restore them");
#[cfg(not(feature = "mcp"))]
unlinked::verb!(mcp, "mcp", "Serve the edit tool to agents over the Model Context Protocol");
#[cfg(not(feature = "playground"))]
unlinked::verb!(playground, "playground", "Serve a page that compares the answers of all ladders to an edit");
#[cfg(not(feature = "checkpoint"))]
unlinked::verb!(redo, "checkpoint", "Undo the last undo");
#[cfg(not(feature = "checkpoint"))]
unlinked::verb!(run, "checkpoint", "Run a program as a turn, so that its changes can be taken back");
#[cfg(not(feature = "serve"))]
unlinked::verb!(serve, "serve", "Serve sessions, their checkpoints and restores over HTTP");
#[cfg(not(feature = "checkpoint"))]
unlinked::verb!(turns, "checkpoint", "List the turns of agents in this project, show their changes, or undo them");
