//! Repairs truncated lines of a needle, from the file's lines and their new versions in the replacement.
//!
//! The result is a variant of its own. Nothing is repaired if another line of the file could be the intended one.

mod brackets;
mod line;
mod newlines;
mod truncated;
mod truncated_in_both;

pub(crate) use brackets::OpenBrackets;
use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::Pair;

use crate::search::{Located, Search};
use crate::variants::Variant;

impl Search<'_> {
    /// Returns the variant with the file's lines in place of the repaired ones; none without a repair.
    #[must_use]
    pub fn repaired(&self, query: &Query<'_>, located: &Located) -> Option<Variant<'static>> {
        let needle = self.needle(located.variant);
        let is_same = |pair: &Pair| {
            let text = |line: &str| line.trim_matches(is_blank).len();
            pair.similarity >= 1.0
                && pair.left.len() == pair.right.len()
                && text(needle.lines[pair.left.start].text) == text(self.index.line(pair.right.start))
        };
        if located.best.pairs.iter().all(is_same) {
            return None;
        }
        newlines::repaired(self, located).or_else(|| truncated::repaired(self, query, located, &needle))
    }
}
