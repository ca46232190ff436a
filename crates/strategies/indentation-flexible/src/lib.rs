//! Finds the needle when all of its lines are indented too far, or not far enough, by the same amount.
//!
//! - Accepts: a block moved left or right as a whole.
//! - Refuses: lines moved against each other, tabs for spaces, blanks changed at the end of a line or on a blank line.
//! - Cost: a substring pass for each of the needle's first, last and rarest line; a window is verified only where the
//!   rarest line is found.

mod plain;
mod stripped;

pub use plain::IndentationFlexible;
pub use stripped::Stripped;

fuzzy_core::register! {
    IndentationFlexible, priority = 50;
    Stripped, priority = 52;
}
