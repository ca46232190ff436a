//! Finds the windows of lines that are most like the needle.
//!
//! - Accepts: the window that is most alike, if it is alike enough and nothing else comes close.
//! - Refuses: needles that several windows are alike to, needles that nothing is alike to.
//! - Cost: one bit-parallel pass over the haystack that bounds the distance of every window, then a distance with a
//!   cutoff, best bound first, while a bound can still win. It refuses where that would take more than about half a
//!   second.

mod ahead;
mod boocode;
mod measured;

pub use ahead::BestWindow;
pub use boocode::Boocode;

fuzzy_core::register! {
    BestWindow, priority = 130;
    Boocode, priority = 132;
}
