//! The built command, end to end.

mod adaptive;
mod apply;
mod batch;
mod codes;
mod failures;
mod guide;
mod help;
mod hosts;
mod lines;
mod list;
mod logs;
mod mcp;
mod mcp_checkpoints;
mod odd;
#[path = "../page/mod.rs"]
mod page;
mod patch;
mod questions;
mod replay;
mod roots;
mod schema;
mod support;
mod undo;
