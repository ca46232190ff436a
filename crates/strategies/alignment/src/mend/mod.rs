//! Mends lines of a needle that were copied in part, by the file's lines and by what the new text makes of them.
//!
//! What is mended is a reading of its own. Nothing is mended where another line of the file could have been meant.

mod alike;
mod breaks;
mod line;
mod open;
mod torn;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::Pair;

use crate::readings::Reading;
use crate::search::{Located, Search};

impl Search<'_> {
    /// Returns the reading of what was found with its mended lines as the file has them; `None` where none is mended.
    #[must_use]
    pub fn mended(&self, query: &Query<'_>, located: &Located) -> Option<Reading<'static>> {
        let needle = self.needle(located.reading);
        let is_same = |pair: &Pair| {
            let text = |line: &str| line.trim_matches(is_blank).len();
            pair.similarity >= 1.0
                && pair.left.len() == pair.right.len()
                && text(needle.lines[pair.left.start].text) == text(self.index.line(pair.right.start))
        };
        if located.best.pairs.iter().all(is_same) {
            return None;
        }
        breaks::mended(self, located).or_else(|| torn::mended(self, query, located, &needle))
    }
}
