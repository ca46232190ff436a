//! The built command, end to end. The tests of verbs that features add need the feature `full`.

mod adaptive;
mod apply;
mod batch;
#[cfg(feature = "full")]
mod checkpoint;
#[cfg(all(feature = "full", target_os = "linux"))]
mod clock;
mod codes;
mod config;
#[cfg(feature = "full")]
mod diffs;
mod encodings;
mod failures;
#[cfg(all(feature = "full", target_os = "linux"))]
mod faults;
mod guide;
mod habits;
#[cfg(feature = "full")]
mod help;
mod hooks;
mod hooks_odd;
#[cfg(feature = "full")]
mod hosts;
mod lines;
mod link;
mod list;
mod logs;
mod loudness;
#[cfg(feature = "full")]
mod mcp;
#[cfg(feature = "full")]
mod mcp_checkpoints;
mod modes;
mod moves;
mod named_lines;
mod near;
mod odd;
mod page;
mod patch;
#[cfg(feature = "full")]
mod place;
mod placeholder;
#[cfg(all(feature = "full", feature = "playground"))]
mod playground;
mod questions;
mod replay;
mod replay_logs;
#[cfg(feature = "parquet")]
mod replay_parquet;
mod roots;
mod rule;
mod rules;
mod schema;
#[cfg(feature = "full")]
mod serve;
#[cfg(feature = "full")]
mod service;
mod shells;
#[cfg(all(feature = "full", target_os = "linux"))]
mod stopped;
mod support;
mod text_output;
#[cfg(feature = "full")]
mod turns;
mod undo;
#[cfg(feature = "full")]
mod uninstall;
mod unlinked;
#[cfg(all(feature = "full", target_os = "linux"))]
mod unreadable;
