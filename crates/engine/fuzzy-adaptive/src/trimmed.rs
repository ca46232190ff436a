//! Searches for a needle that differs from the haystack only in the blanks around its lines.
//!
//! This is the most common slip. The search reads only the lines around the place.

use std::ops::Range;

use fuzzy_core::Query;
use fuzzy_merge::LeftOut;
use fuzzy_search::{Index, Located, Place, Search, Variant, full_lines, line_after, line_before};

use crate::already_applied;

/// Searches the lines around the only place that equals the needle except for the blanks around its lines.
pub(crate) fn search<'t>(
    query: &Query<'t>,
    replacement: &'t str,
    place: Range<usize>,
    left_out: LeftOut,
) -> (Search<'t>, Located) {
    let (haystack, needle) = (query.haystack(), query.needle());
    let variant = vec![Variant::literal(needle, replacement)];
    let reach = already_applied::reach(replacement);
    let Range { start, end } = place;
    let part = (0..reach).fold(start, |at, _| line_before(haystack, at).map_or(at, |line| line.start))
        ..(0..reach).fold(end, |at, _| line_after(haystack, at).map_or(at, |line| line.end));
    let index = Index::of_part(query, part, needle.len().max(replacement.len()).max(end - start));
    let first = index.lines.partition_point(|line| line.end <= start);
    let best = Place::whole(first, first + full_lines(needle).len() - 1);
    (Search::of_lines(variant, index, left_out), Located { variant: 0, best, rivals: Vec::new() })
}
