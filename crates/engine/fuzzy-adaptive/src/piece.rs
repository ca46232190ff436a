//! Finds a needle that is a piece of one line of the haystack, put on a line of its own.
//!
//! The needle has its own blanks around the piece, and so is not exact. The file has the piece once, and its words
//! whole. One line replaces it inside its line, byte for byte elsewhere; several lines are merged with the whole line,
//! and never with a similar one.
//!
//! Example: file `if (a) { x = f(1) }`, needle `<tab>x = f(1)<line break>`, replacement `<tab>x = f(2)<line break>`.

use std::ops::Range;

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Query, Span, Splice, line_end, line_start};
use fuzzy_merge::is_word;

use crate::decision::Decision;
use crate::score::Model;

/// The only place of a piece, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    at: Range<usize>,
}

impl Piece {
    /// Finds the piece that a needle is, if its replacement has the same blanks around it, and repeats nothing of the
    /// line beside the piece: else the needle is a line that was cut off.
    pub(crate) fn find(query: &Query<'_>, replacement: &str) -> Option<Self> {
        let (haystack, needle) = (query.haystack(), query.needle());
        let (old, new) = (needle.trim_matches(is_blank), replacement.trim_matches(is_blank));
        let is_one_line = !old.is_empty() && !old.contains('\n');
        if !is_one_line || new.is_empty() || blanks_around(needle, old) != blanks_around(replacement, new) {
            return None;
        }
        let mut found = query.occurrences(old);
        let (start, None) = (found.next()?, found.next()) else { return None };
        let at = start..start + old.len();
        let before = haystack[line_start(haystack, at.start)..at.start].trim_matches(is_blank);
        let after = haystack[at.end..line_end(haystack, at.end)].trim_matches(is_blank);
        let is_whole_line = before.is_empty() && after.is_empty();
        let has_halves = tears_word(haystack, at.start) || tears_word(haystack, at.end);
        if is_whole_line || has_halves || repeats_before(before, old, new) || repeats_after(after, old, new) {
            return None;
        }
        Some(Self { at })
    }

    /// Returns the line that has the piece, in bytes.
    pub(crate) fn line(&self, haystack: &str) -> Range<usize> {
        line_start(haystack, self.at.start)..line_end(haystack, self.at.end)
    }

    /// Decides about a replacement of one line; none for several lines.
    pub(crate) fn pasted(&self, haystack: &str, replacement: &str) -> Option<Decision> {
        let new = replacement.trim_matches(is_blank);
        if new.contains('\n') {
            return None;
        }
        if let Some(span) = made_already(haystack, &self.at, new) {
            return Some(Decision::AlreadyApplied { span });
        }
        let confidence = Model::FITTED.text_accuracy(0.0);
        let splice = Splice { span: Span::new(self.at.start, self.at.end), text: new.to_owned() };
        Some(Decision::aligned(vec![splice], 1.0, confidence, None))
    }
}

/// Returns the blanks before and after the trimmed text of `text`.
fn blanks_around<'t>(text: &'t str, trimmed: &str) -> [&'t str; 2] {
    let start = text.len() - text.trim_start_matches(is_blank).len();
    [&text[..start], &text[start + trimmed.len()..]]
}

/// Finds a new text that is around the old one already, with its words whole.
fn made_already(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    let offsets = new.match_indices(&haystack[old.clone()]).map(|(offset, _)| offset);
    let mut places = offsets.filter_map(|offset| Some(old.start.checked_sub(offset)?..old.start - offset + new.len()));
    places.find(|at| {
        haystack.get(at.clone()) == Some(new) && !tears_word(haystack, at.start) && !tears_word(haystack, at.end)
    })
}

/// Returns whether a place is inside a word.
fn tears_word(haystack: &str, at: usize) -> bool {
    haystack[..at].ends_with(is_word) && haystack[at..].starts_with(is_word)
}

/// Returns whether the replacement begins as the line before the piece does, or as it ends.
fn repeats_before(before: &str, old: &str, new: &str) -> bool {
    let word = before.len() - before.trim_end_matches(is_word).len();
    let mark = before.chars().next_back().map_or(0, char::len_utf8);
    let is_repeated = |text: &str| !text.is_empty() && new.starts_with(text) && !old.starts_with(text);
    is_repeated(before) || is_repeated(&before[before.len() - word.max(mark)..])
}

/// Returns whether the replacement ends as the line after the piece does, or as it begins, or has a mark where the line
/// has another one.
fn repeats_after(after: &str, old: &str, new: &str) -> bool {
    let word = after.len() - after.trim_start_matches(is_word).len();
    let mark = after.chars().next().map_or(0, char::len_utf8);
    let is_repeated = |text: &str| !text.is_empty() && new.ends_with(text) && !old.ends_with(text);
    let has_mark = |text: &str| text.ends_with([',', ';']);
    let has_other_mark = after.len() == 1 && has_mark(after) && has_mark(new) && !has_mark(old);
    has_other_mark || is_repeated(after) || is_repeated(&after[..word.max(mark)])
}
