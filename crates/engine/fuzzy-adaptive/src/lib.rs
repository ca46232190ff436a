//! Decides about an edit from needle and replacement: its place, and the text to write there.
//!
//! - Accepts: an exact needle, and the place with the best alignment of its lines, if it is probably the intended one.
//!   The replacement is merged with it.
//! - Refuses: places not clearly better than the next, text that only resembles the text to change, and replacements
//!   that cannot be fitted with certainty.
//! - Cost: one pass over the haystack, then alignments with a few windows of the needle's size. The search's results
//!   are kept for reports.

mod adaptive;
mod already_applied;
mod based;
mod blocks;
mod decide;
mod decision;
mod declared;
mod exact;
mod explain;
mod mechanisms;
mod model;
mod repairs;
mod rest_of_line;
mod rules;
mod score;
mod seen;
mod siblings;
mod target;
mod token_equal;
mod trace;
mod trimmed;

pub use adaptive::{Adaptive, Without};
pub use mechanisms::mechanisms;
#[cfg(feature = "cases")]
pub use rules::cases::cases;
pub use rules::{checks, rules};
pub use score::{ACCEPTED, Model, TextAccuracy, UNMEASURED};
