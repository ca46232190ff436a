//! What the npm package `fuzzy-edit` asks the engine, and what it is answered: the same for Node's own modules and for
//! WebAssembly.
//!
//! A request is bytes: a header of numbers, then the texts in UTF-8 ([`Request`]). An answer is JSON; of a new text it
//! has only the stretches that differ, whose offsets are those of a JavaScript string. Whole texts would take longer to
//! cross than the edit takes.
//!
//! No files, no clock, no threads, and nothing here panics on any bytes.

mod answer;
mod desk;
mod explain;
mod json;
mod ladders;
mod locate;
#[cfg(feature = "patches")]
mod patch;
mod request;
mod units;

pub use desk::Desk;
pub use ladders::ladders;
pub use request::{BadRequest, Request, What};
