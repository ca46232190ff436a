//! The old text is one line, and the file has no line that is nearly equal to it.
//!
//! Another argument is as small a difference as a typing error, and nothing else shows the place.
//!
//! Example: file `runs-on: linux`, old `run-on: linux`, new `run-on: macos`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "single-line", kind: Kind::Absent, why: "one line alone must be nearly equal to the old text" };

/// The least similarity of a needle of one line to its place.
const MIN_SIMILARITY: f32 = 0.965;

/// Returns whether a needle of so many lines is too unlike its place.
pub(crate) fn check(lines: usize, similarity: f32) -> bool {
    lines == 1 && similarity < MIN_SIMILARITY
}
