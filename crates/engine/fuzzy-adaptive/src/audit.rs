//! The audit of a merged text.

use std::ops::Range;

use fuzzy_audit::{Equivalences, Landing, broken};
use fuzzy_merge::{Merged, Rule};

use crate::rules::{LeftOut, broken_law};

/// Returns the rule of a law that a merged text breaks. See [`fuzzy_audit`].
///
/// `needle` and `replacement` are those of the variant, after its conversions. A needle that occurs byte for byte needs
/// no merge and no audit.
pub(crate) fn broken_law(
    haystack: &str,
    needle: &str,
    replacement: &str,
    merged: &Merged,
    left_out: LeftOut,
) -> Option<&'static Rule> {
    let Range { start, end } = merged.span;
    let place = &haystack[start..end];
    if place.contains(needle) {
        return None;
    }
    // An added block is no longer than the new text.
    let count = memchr::memchr_iter(b'\n', replacement.as_bytes()).count().clamp(1, MAX_LINES_BESIDE);
    let landing = Landing {
        before: lines_before(&haystack[..start], count),
        place,
        after: lines_after(&haystack[end..], count),
        needle,
        new: replacement,
        result: &merged.text,
    };
    let mut broken = broken(&landing, Equivalences::between(place, needle));
    broken.find_map(|broken| left_out.keep(broken_law::rule(broken.law)))
}

/// The most audited lines on each side of a place: repeated blocks are seldom longer.
const MAX_LINES_BESIDE: usize = 40;

/// Returns the last `count` lines of a text.
fn lines_before(text: &str, count: usize) -> &str {
    let start = memchr::memrchr_iter(b'\n', text.as_bytes()).nth(count);
    &text[start.map_or(0, |at| at + 1)..]
}

/// Returns the first `count` lines of a text.
fn lines_after(text: &str, count: usize) -> &str {
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(count - 1);
    &text[..end.map_or(text.len(), |at| at + 1)]
}
