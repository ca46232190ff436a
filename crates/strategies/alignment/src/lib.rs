//! Finds a needle that was copied badly, by aligning its lines with the file's.
//!
//! - Accepts: changed blanks, quotes, escapes and names; lines forgotten, added, wrapped, joined
//!   or cut; line numbers, fences and placeholders; all of these where the rest proves the place.
//! - Refuses: places that leave much of the needle unexplained.
//! - Cost: one pass over the haystack, then alignments with a few windows of the needle's size.
//!
//! The strategy only proposes. What it searches with is public for a decider that looks at the replacement, too.

mod escape;
mod index;
mod mend;
mod needle;
mod place;
mod readings;
mod search;
mod strategy;
mod trimmed;
mod votes;
mod words;

pub use escape::Escape;
pub use index::{FileLine, Index, LinePlaces};
pub use needle::{Needle, full_lines};
pub use place::{Place, alignment_time, gathered, place_in, strictness};
pub use readings::{Reading, of_lines};
pub use search::{Located, SOUND, Search, TIE, any_word_stands, escape_at, similarity};
pub use strategy::Alignment;
pub use trimmed::{line_after, line_before, trimmed_place};

fuzzy_core::register!(Alignment, priority = 125);
