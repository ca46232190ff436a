//! Decides about a needle that stands in the haystack but for the blanks around its lines.
//!
//! That is the commonest slip of all. Only the lines around its place are read.

use std::ops::Range;

use fuzzy_alignment::{Index, Reading, line_before, line_behind, trimmed_place};
use fuzzy_core::Query;

use crate::already_applied;
use crate::decision::Decision;
use crate::judge::Judge;

/// Decides about a needle that has such a place.
pub(crate) fn decide(query: &Query<'_>, replacement: &str) -> Option<Decision> {
    let Range { start, end } = trimmed_place(query)?;
    let (haystack, needle) = (query.haystack(), query.needle());
    let reading = [Reading { needle: needle.into(), replacement: replacement.into(), undone: "" }];
    let reach = already_applied::reach(replacement);
    let part = (0..reach).fold(start, |at, _| line_before(haystack, at).map_or(at, |line| line.start))
        ..(0..reach).fold(end, |at, _| line_behind(haystack, at).map_or(at, |line| line.end));
    let index = Index::of_part(query, part, needle.len().max(replacement.len()).max(end - start));
    let place = index.lines.partition_point(|line| line.end <= start);
    Some(Judge::of_lines(query, &reading, index).decide_equal(place))
}
