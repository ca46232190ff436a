//! Searches the lines around a place that is known before any alignment: the needle differs from it only in blanks.
//!
//! This is the most common slip. The search reads no other lines.

use std::ops::Range;

use fuzzy_core::Query;
use fuzzy_locate::{Index, Located, Place, Search, Variant, full_lines, line_after, line_before};
use fuzzy_merge::{LeftOut, Pair};

use crate::already_applied;

/// Searches the lines around the only place that equals the needle except for the blanks around its lines.
pub(crate) fn search<'t>(
    query: &Query<'t>,
    replacement: &'t str,
    place: Range<usize>,
    left_out: LeftOut,
) -> (Search<'t>, Located) {
    let (haystack, needle) = (query.text(), query.old());
    let variant = Variant::literal(needle, replacement);
    let reach = already_applied::reach(replacement);
    let Range { start, end } = place;
    let part = (0..reach).fold(start, |at, _| line_before(haystack, at).map_or(at, |line| line.start))
        ..(0..reach).fold(end, |at, _| line_after(haystack, at).map_or(at, |line| line.end));
    let index = Index::of_part(query, part, needle.len().max(replacement.len()).max(end - start));
    let pairs = (0..full_lines(needle).len()).map(|line| Pair::equal(line, line)).collect();
    let located = located(&index, start, pairs);
    (Search::of_lines(vec![variant], index, left_out), located)
}

/// Returns the only place of a needle, whose lines are paired with those of the place, which begins at byte `start`.
pub(crate) fn located(index: &Index<'_>, start: usize, pairs: Vec<Pair>) -> Located {
    let first = index.lines.partition_point(|line| line.end <= start).cast_signed();
    let pairs = pairs.into_iter().map(|pair| pair.shifted(0, first)).collect();
    Located { variant: 0, best: Place { pairs, score: 1.0, similarity: 1.0 }, rivals: Vec::new() }
}
