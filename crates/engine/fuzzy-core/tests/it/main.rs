//! The engine without strategies.

mod blank;
mod document;
mod edits;
mod nearest;
mod policies;
mod registry;
mod score;
mod sequence;
#[cfg(feature = "serde")]
mod serialized;
mod similar_windows;
mod windows;
