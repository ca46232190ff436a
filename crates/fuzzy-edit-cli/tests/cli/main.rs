//! The built command, end to end.

mod apply;
mod batch;
mod failures;
mod list;
mod questions;
mod support;
