//! The built command, end to end.

mod adaptive;
mod apply;
mod batch;
mod failures;
mod list;
mod logs;
mod questions;
mod replay;
mod roots;
mod schema;
mod support;
mod undo;
