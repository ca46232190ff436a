//! Finds a block by its first and last line, with any lines between them.
//!
//! - Accepts: changed, missing and added lines between two correct ones.
//! - Refuses: a changed first or last line; of several blocks all except the most similar one.
//! - Cost: a substring pass for the old text's first and for its last line; edit distances between the lines of the found
//!   blocks, after bounds that exclude most of them.

mod anchored;
mod below;
mod inner;
mod units;
mod whole;

pub use anchored::BlockAnchor;
pub use whole::Whole;

fuzzy_core::register! {
    BlockAnchor::GUARDED, priority = 28;
    BlockAnchor::PLAIN, priority = 30;
    Whole, priority = 32;
}
