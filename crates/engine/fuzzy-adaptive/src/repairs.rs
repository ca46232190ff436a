//! Names the differences between an edit and its place that a landing repairs.
//!
//! Each lowers the confidence by its measured accuracy: see [`Model::accuracy`](crate::Model::accuracy).

use fuzzy_core::blank::{is_blank_text, leading, trim, trim_end};
use fuzzy_locate::{Escape, Needle, Place, Search, Variant, escape_at};
use fuzzy_merge::Merged;

/// Returns the names of the slips that were undone, and of the other differences between a needle and its place.
pub(crate) fn repairs(
    search: &Search<'_>,
    variant: &Variant<'_>,
    needle: &Needle<'_>,
    place: &Place,
    merged: &Merged,
) -> Vec<&'static str> {
    let pairs = || place.pairs.iter();
    let single = pairs().filter(|pair| pair.is_one_to_one());
    let lines: Vec<[&str; 2]> =
        single.map(|pair| [needle.lines[pair.left.start].text, search.index.line(pair.right.start)]).collect();
    let differ = |part: fn(&str) -> &str| lines.iter().any(|line| part(line[0]) != part(line[1]));
    let indentation: fn(&str) -> &str = |line| &line[..leading(line)];
    let has_depth =
        |line: &str| is_blank_text(line) || lines.iter().any(|[ours, _]| indentation(ours) == indentation(line));
    let is_reindented = differ(indentation);
    let blank_lines = |text: &str| trim(text).lines().filter(|line| is_blank_text(line)).count();
    let file = &search.index.text[search.span(place)];
    let has_equal = pairs().any(|pair| pair.similarity >= 1.0 && needle.is_unique(pair.left.start));
    let kinds = [
        ("indentation", is_reindented),
        ("new-depth", is_reindented && !variant.replacement.lines().all(has_depth)),
        ("line-ends", differ(|line| &line[trim_end(line).len()..])),
        ("blank-lines", blank_lines(file) != blank_lines(&variant.needle)),
        ("wrapped-lines", lines.len() < place.pairs.len()),
        ("unquoted-lines", place.pairs.windows(2).any(|pairs| pairs[0].right.end < pairs[1].right.start)),
        ("absent-lines", pairs().map(|pair| pair.left.len()).sum::<usize>() < needle.lines.len()),
        ("other-words", merged.evidence.replaced_words > 0),
        ("unquoted-words", merged.evidence.file_only > 0.0),
        ("no-equal-line", !has_equal),
    ];
    let escape = escape_at(&search.index, needle, &place.pairs).map(Escape::slip);
    let slips = [variant.slip, escape].into_iter().flatten().map(|slip| slip.name);
    let found = kinds.into_iter().filter(|(_, is_repaired)| *is_repaired).map(|(name, _)| name);
    found.chain(slips).chain(merged.undone.iter().copied()).collect()
}
