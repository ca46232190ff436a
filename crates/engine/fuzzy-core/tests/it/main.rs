//! The engine without strategies.

mod blank;
mod document;
mod edits;
mod nearest;
mod policies;
mod registry;
mod sequence;
#[cfg(feature = "serde")]
mod serialized;
mod similar_windows;
mod weighed;
mod windows;
