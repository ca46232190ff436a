//! Finds context lines that distinguish the places of an ambiguous old text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use fuzzy_core::{Document, LineRange, LineTable, Span, line_end, line_start};
use memchr::memmem;

use crate::blanks::excerpt;
use crate::visible_blanks;

/// The greatest distance of a context line. A farther line would make the old text too long.
const REACH: usize = 3;

/// Places for which a line is named, at most.
const MAX_NAMED: usize = 3;

/// The longest text in which a piece is looked for again and again.
const MAX_SEARCHED: usize = 1 << 20;

/// The most words and marks on either side by which a piece of a line is extended.
const MAX_BOUNDS: usize = 12;

/// Characters of a quoted line, at most.
const WIDTH: usize = 60;

/// Returns, for some of the places, the nearest line above or below that is near no other place on the same side; skips
/// places without such a line.
pub(crate) fn distinguishing_lines(document: &Document<'_>, places: &[Span]) -> Vec<String> {
    let table = document.lines();
    let places: Vec<Range<usize>> = places.iter().map(|place| lines_of(table, *place)).collect();
    // A line above one place does not distinguish it from a place that has the same line above, but from a place that
    // has it below.
    let mut counts: HashMap<(bool, &str), usize> = HashMap::new();
    for Range { start, end } in &places {
        let above = (start.saturating_sub(REACH)..*start).map(|at| (true, line(document, at)));
        let below = (*end..(end + REACH).min(table.len())).map(|at| (false, line(document, at)));
        for side_and_text in above.chain(below).collect::<HashSet<_>>() {
            *counts.entry(side_and_text).or_default() += 1;
        }
    }
    let named = places.iter().filter_map(|Range { start, end }| {
        let mut near = (1..=REACH).flat_map(|step| [start.checked_sub(step), Some(end - 1 + step)]).flatten();
        let at = near.find(|at| {
            *at < table.len()
                && line(document, *at).contains(char::is_alphanumeric)
                && !places.iter().any(|place| place.contains(at))
                && counts.get(&(at < start, line(document, *at))) == Some(&1)
        })?;
        let line = line(document, at);
        let quoted = excerpt(&visible_blanks(line, line).0, 0, WIDTH);
        Some(format!("line {} `{quoted}` for {}", at + 1, LineRange { first: start + 1, last: *end }))
    });
    named.take(MAX_NAMED).collect()
}

/// Returns, for some places that are parts of lines, the shortest piece of the line around each that occurs only there;
/// skips places without such a piece, and returns none for places of whole lines.
pub(crate) fn distinguishing_pieces(document: &Document<'_>, places: &[Span]) -> Vec<String> {
    let text = document.text();
    let is_whole = |place: &Span| {
        let line = line_start(text, place.start())..line_end(text, place.end());
        text[line].trim() == place.text(text).trim()
    };
    if text.len() > MAX_SEARCHED || places.iter().any(is_whole) {
        return Vec::new();
    }
    let pieces = places.iter().filter_map(|place| {
        let piece = excerpt(&shown(only_here(text, *place)?), 0, WIDTH);
        Some(format!("`{piece}` on line {}", document.lines().index_of(place.start()) + 1))
    });
    pieces.take(MAX_NAMED).collect()
}

/// Returns a text without control characters.
fn shown(text: &str) -> String {
    visible_blanks(text, text).0
}

/// Returns the shortest text around a place, on its line and of whole words, that occurs once.
fn only_here(text: &str, place: Span) -> Option<&str> {
    let (first, last) = (line_start(text, place.start()), line_end(text, place.end()));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_bound = |at: &usize| !(text[..*at].ends_with(is_word) && text[*at..].starts_with(is_word));
    let bounds = |part: Range<usize>| part.filter(|at| text.is_char_boundary(*at)).filter(is_bound).collect::<Vec<_>>();
    let starts: Vec<usize> = bounds(first..place.start() + 1).into_iter().rev().take(MAX_BOUNDS).collect();
    let ends: Vec<usize> = bounds(place.end()..last + 1).into_iter().take(MAX_BOUNDS).collect();
    let mut pieces: Vec<&str> =
        starts.iter().flat_map(|&start| ends.iter().map(move |&end| &text[start..end])).collect();
    pieces.retain(|piece| piece.trim() == *piece && piece.chars().count() <= WIDTH);
    pieces.sort_by_key(|piece| piece.len());
    pieces.into_iter().find(|piece| memmem::find_iter(text.as_bytes(), piece).nth(1).is_none())
}

/// Returns the lines that a place touches, counted from 0.
fn lines_of(table: &LineTable, place: Span) -> Range<usize> {
    let last = place.end().max(place.start() + 1) - 1;
    table.index_of(place.start())..table.index_of(last) + 1
}

/// Returns a line without the blanks at its ends.
fn line<'d>(document: &'d Document<'_>, at: usize) -> &'d str {
    document.lines().span(at).text(document.text()).trim()
}
