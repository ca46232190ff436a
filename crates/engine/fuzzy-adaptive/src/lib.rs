//! Decides where an edit lands and what it writes there, from the replacement as well as from the needle.
//!
//! - Accepts: a needle that occurs as it is, and the place that its lines align with best where that is
//!   probably the one that was meant; the replacement is merged to it.
//! - Refuses: places that are not clearly better than the next, text that only resembles what
//!   the edit changes, and replacements that would have to be guessed.
//! - Cost: one pass over the haystack, then alignments with a few windows of the needle's size. What the decision has
//!   seen is kept for reports.

mod adaptive;
mod already_applied;
mod audit;
mod conflict_report;
mod decide;
mod decision;
mod exact;
mod explain;
mod model;
mod score;
mod trace;
mod trimmed;
mod whitespace;

pub use adaptive::Adaptive;
pub use score::{ACCEPTED, FEATURES, Kind, Model, Step};
