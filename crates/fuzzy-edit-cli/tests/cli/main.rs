//! The built command, end to end.

mod adaptive;
mod apply;
mod batch;
mod codes;
mod failures;
mod help;
mod hosts;
mod list;
mod logs;
mod mcp;
mod mcp_checkpoints;
mod patch;
mod questions;
mod replay;
mod roots;
mod schema;
mod support;
mod undo;
