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

use crate::already_applied;
use crate::decision::Decision;
use crate::exact::partial;
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
        if is_whole_line || has_halves || partial::check(haystack, &at, new) {
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
        if let Some(span) = already_applied::verbatim(haystack, &self.at, new) {
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

/// Returns whether a place is inside a word.
fn tears_word(haystack: &str, at: usize) -> bool {
    haystack[..at].ends_with(is_word) && haystack[at..].starts_with(is_word)
}
