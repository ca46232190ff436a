//! Finds the windows of lines that are most similar to the needle.
//!
//! - Accepts: the most similar window, if it is similar enough and has no close rival.
//! - Refuses: needles with several similar windows, and needles without any.
//! - Cost: one bit-parallel pass over the haystack that bounds the distance of every window, then distances with a
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
