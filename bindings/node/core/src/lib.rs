//! What the npm package `fuzzy-edit` asks the engine, and what it is answered: the same for Node's own modules and for
//! WebAssembly.
//!
//! A request is bytes: a header of numbers, then the texts ([`Request`]) in UTF-8; the first may be in UTF-16. An answer is JSON; of a new text it
//! has only the stretches that differ, whose offsets are those of a JavaScript string. Whole texts would take longer to
//! cross than the edit takes.
//!
//! No files, no clock, no threads, and nothing here panics on any bytes.

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
mod utf16;

pub use bad_request::BadRequest;
pub use desk::Desk;
pub use ladders::ladders;
pub use request::{Content, Request, What};
pub use utf16::Utf16;
