//! The last word on a carried-over text.

use fuzzy_audit::{Dress, Landing, audit};
use fuzzy_carry_over::Carried;

/// Returns whether a carried-over text may land: it breaks none of the laws that [`fuzzy_audit`] checks.
///
/// `needle` and `replacement` are those of the reading, with what was undone undone. Where the needle occurs byte for
/// byte nothing was merged, and nothing is audited.
pub(crate) fn accepts(haystack: &str, needle: &str, replacement: &str, carried: &Carried) -> bool {
    let place = &haystack[carried.span.clone()];
    let landing = Landing { place, needle, new: replacement, result: &carried.text };
    place.contains(needle) || audit(&landing, Dress::between(place, needle)).is_ok()
}
