//! The audit of a merged text.

use std::ops::Range;

use fuzzy_audit::{Equivalences, Landing, broken};
use fuzzy_merge::{Finding, LeftOut, Merged};

use crate::rules::broken_law;

/// Returns the finding of a law that a merged text breaks. See [`fuzzy_audit`].
///
/// `needle` and `replacement` are those of the variant, after its conversions.
pub(crate) fn broken_law(
    haystack: &str,
    needle: &str,
    replacement: &str,
    merged: &Merged,
    left_out: LeftOut,
) -> Option<Finding> {
    let Range { start, end } = merged.span;
    let place = &haystack[start..end];
    // An added block is no longer than the new text.
    let count = replacement.matches('\n').count().clamp(1, MAX_LINES_BESIDE);
    let bytes = haystack.as_bytes();
    let from = memchr::memrchr_iter(b'\n', &bytes[..start]).nth(count).map_or(0, |at| at + 1);
    let to = memchr::memchr_iter(b'\n', &bytes[end..]).nth(count - 1).map_or(bytes.len(), |at| end + at + 1);
    let landing = Landing {
        before: &haystack[from..start],
        place,
        after: &haystack[end..to],
        needle,
        new: replacement,
        result: &merged.text,
    };
    let mut broken = broken(&landing, Equivalences::between(place, needle));
    broken.find_map(|broken| Some(Finding::in_merged(left_out.keep(broken_law::rule(broken.law))?, broken.token)))
}

/// The most audited lines on each side of a place: repeated blocks are seldom longer.
const MAX_LINES_BESIDE: usize = 40;
