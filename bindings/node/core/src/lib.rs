//! The requests of the npm package `fuzzy-edit` and their answers, for the native module of Node and for WebAssembly.
//!
//! A request ([`Request`]) is bytes: a header of numbers, then the texts in UTF-8; the first may be an excerpt. An
//! answer is JSON. Instead of a complete new text it has the replacements, with offsets in a JavaScript string: to copy
//! a complete text between JavaScript and the engine would take longer than the edit.
//!
//! The crate uses no files, no clock and no threads, and no request makes it panic.

mod answer;
mod bad_request;
mod desk;
mod explain;
mod json;
mod ladders;
mod local;
mod locate;
#[cfg(feature = "patches")]
mod patch;
mod request;
mod units;

pub use bad_request::BadRequest;
pub use desk::Desk;
pub use ladders::ladders;
pub use request::{Excerpt, Request, What};
