//! Finds the old text if all of its lines have too much or too little indentation, by the same amount.
//!
//! - Accepts: a block moved left or right as a whole.
//! - Refuses: lines moved relative to each other, tabs for spaces, changed blanks at the end of a line or on a blank
//!   line.
//! - Cost: a substring pass for each of the old text's first, last and rarest line; a window is verified only at a place
//!   of the rarest line.

mod plain;
mod stripped;

pub use plain::IndentationFlexible;
pub use stripped::Stripped;

fuzzy_core::register! {
    IndentationFlexible, priority = 50;
    Stripped, priority = 52;
}
