//! The built command, end to end. What is about every verb needs the feature `full`.

mod adaptive;
mod apply;
mod batch;
mod codes;
mod failures;
mod guide;
mod habits;
#[cfg(feature = "full")]
mod help;
#[cfg(feature = "full")]
mod hosts;
mod lines;
mod list;
mod logs;
#[cfg(feature = "full")]
mod mcp;
#[cfg(feature = "full")]
mod mcp_checkpoints;
mod modes;
mod near;
mod odd;
#[path = "../page/mod.rs"]
mod page;
mod patch;
mod placeholder;
#[cfg(all(feature = "full", feature = "playground"))]
mod playground;
mod questions;
mod replay;
#[cfg(feature = "parquet")]
mod replay_parquet;
mod roots;
mod schema;
mod shown;
mod support;
mod undo;
#[cfg(not(feature = "checkpoint"))]
mod unlinked;
