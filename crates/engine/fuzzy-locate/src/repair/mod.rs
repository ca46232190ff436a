//! Repairs lines of a needle, from the file's lines and their new versions in the replacement.
//!
//! The result is a variant of its own. Truncated lines are not repaired if another line of the file could be the
//! intended one. Sequences are read as the file has them: their last item with its end, their items in its
//! order.

mod item;
mod last_item;
mod line;
mod list_order;
mod truncated_in_both;
mod truncated_lines;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::Pair;

use crate::mechanisms::{LAST_ITEM, LIST_ORDER, TRUNCATED_LINES};
use crate::place::{Place, place_in};
use crate::search::{Located, Search, TIE};
use crate::variant::Variant;

impl Search<'_> {
    /// Adds a variant whose sequences are the file's, and returns its place; none if they are already.
    ///
    /// The edit itself must not be decided then: a separator belongs to the sequence, and so does the order of items.
    /// Costs one pass over needle and place; an alignment of needle and new text if they end an item differently.
    #[must_use]
    pub fn as_in_file(&mut self, query: &Query<'_>, located: &Located) -> Option<Located> {
        let has_equal = located.rivals.iter().any(|rival| rival.score >= located.best.score - TIE);
        let left_out = self.left_out;
        let in_order = || if has_equal { None } else { list_order::repaired(self, located) };
        let (variant, window) = match left_out.found(&LIST_ORDER, in_order) {
            Some(variant) => (variant, located.best.lines()),
            None => left_out.found(&LAST_ITEM, || last_item::repaired(self, query, located))?,
        };
        self.add(variant);
        let number = self.variants.len() - 1;
        let needle = self.needle(number);
        let place = |(from, to)| place_in(query, &self.index, &needle, from..to);
        let Some(best) = place(window) else {
            self.variants.pop();
            return None;
        };
        // Equal places are as near to the file's terms as the best one.
        let again = |rival: &Place| {
            place(rival.lines()).filter(|again| again.score > rival.score).unwrap_or_else(|| rival.clone())
        };
        let rivals = located.rivals.iter().map(again).collect();
        Some(Located { variant: number, best, rivals })
    }

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
        self.left_out.found(&TRUNCATED_LINES, || truncated_lines::repaired(self, query, located, &needle))
    }
}
