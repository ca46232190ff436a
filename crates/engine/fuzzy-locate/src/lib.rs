//! Finds a badly copied needle by aligning its lines with the file's.
//!
//! - Accepts: changed blanks, quotes, escapes and names; omitted, added, wrapped, joined or truncated lines; line
//!   numbers, fences and placeholders; all of these where the rest proves the place.
//! - Refuses: places that do not explain much of the needle.
//! - Cost: one pass over the haystack, then alignments with a few windows of the needle's size.
//!
//! The decider of `adaptive` uses the search, and the strategy `alignment` proposes its candidates.

mod bounds;
mod candidates;
mod index;
mod mechanisms;
mod nearest;
mod needle;
mod place;
mod rare_words;
mod readings;
mod repair;
mod search;
mod token_equal;
mod trimmed;
mod variant;

pub use bounds::{is_torn, tears};
pub use index::{FileLine, Index, LinePlaces};
pub use mechanisms::MECHANISMS;
pub use nearest::{NearLines, TokenNeedle};
pub use needle::{Needle, full_lines};
pub use place::{Place, alignment_time, main_part, place_in};
pub use readings::escapes::Escape;
pub use readings::variants_of;
pub use search::{Located, MIN_SOUND_SCORE, Search, TIE, candidates, escape_at, has_any_word, similarity};
pub use token_equal::{TokenPlace, token_places, tokens};
pub use trimmed::{line_after, line_before, trimmed_place};
pub use variant::Variant;
