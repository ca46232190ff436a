//! Finds a needle that was copied badly, by aligning its lines with the file's.
//!
//! - Accepts: changed blanks, quotes, escapes and names; lines forgotten, added, wrapped, joined
//!   or cut; line numbers, fences and placeholders; all of these where the rest proves the place.
//! - Refuses: places that are not clearly better than the next, text that only resembles what
//!   the edit changes, and replacements that would have to be guessed.
//! - Cost: one pass over the haystack, then alignments with a few windows of the needle's size.

mod already_applied;
mod decide;
mod decision;
mod exact;
mod explain;
mod index;
mod margin;
mod place;
mod readings;
mod search;
mod strategy;
mod trimmed;
mod votes;
mod words;

pub use strategy::Alignment;

pub use decide::{Decision, Nearest, Proposal, Reason, Splice, decide};

fuzzy_core::register!(Alignment, priority = 125);
