//! Finds the windows of lines that are most similar to the old text.
//!
//! - Accepts: the most similar window, if it is similar enough and has no close rival.
//! - Refuses: old texts with several similar windows, and old texts without any.
//! - Cost: one bit-parallel pass over the text that bounds the distance of every window, then distances with a
//!   cutoff in the order of their bounds, while a bound can still win. It refuses if that would take more than about
//!   half a second.

mod ahead;
mod boocode;
mod measured;

pub use ahead::BestWindow;
pub use boocode::Boocode;

fuzzy_core::register! {
    BestWindow, priority = 130;
    Boocode, priority = 132;
}
