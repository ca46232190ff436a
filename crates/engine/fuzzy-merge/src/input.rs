//! The place of an edit: how far it reaches, and what is written around it.

use std::ops::Range;

use crate::Refusal;
use crate::align::three_way::Texts;
use crate::cancel::Cancel;
use crate::merge::Merge;
use crate::style::indentation::Indentation;
use crate::style::spelling::Spelling;
use crate::style::{Style, indent_unit};
use crate::text::lines::is_elision;
use crate::text::normalize::{is_all_blank, is_blank};
use crate::text::vocabulary::Vocabulary;
use crate::text::whitespace::breaks;
use crate::widen::extended;
use crate::write::{Written, write};

/// The most bytes of a text: offsets are kept in 32 bits.
const MAX_BYTES: usize = u32::MAX as usize / 2;

/// A place in a document and the edit that lands there.
pub(crate) struct Input<'t> {
    document: &'t str,
    vocabulary: Vocabulary<'t>,
    cancel: Cancel<'t>,
    pub(crate) span: Range<usize>,
    /// The file's lines, the old text and the new text. Each begins with a line break, so that its first line begins
    /// like any other.
    file: String,
    old: String,
    new: String,
}

impl<'t> Input<'t> {
    /// Fits the place of an edit to whole lines, and refuses what cannot be merged.
    pub(crate) fn new(
        document: &'t str,
        region: Range<usize>,
        old: &str,
        replacement: &str,
        cancel: Cancel<'t>,
    ) -> Result<Self, Refusal> {
        if document.get(region.clone()).is_none() {
            return Err(Refusal::Region);
        }
        let longest = document.len().max(old.len()).max(replacement.len());
        if longest > MAX_BYTES {
            return Err(Refusal::TooLong(longest));
        }
        if adds_placeholder(old, replacement) {
            return Err(Refusal::Placeholder);
        }
        let (old, replacement) = without_open_ends(old, replacement);
        let goes = is_all_blank(replacement);
        let span = widened(document, region, &BlankLines::of(old), goes);
        let span = extended(document, span, old, replacement, cancel);
        cancel.check()?;
        let file = [ending(document, &span), &document[span.clone()]].concat();
        let [old, new] = [old, replacement].map(|text| ["\n", text].concat());
        Ok(Self { document, vocabulary: Vocabulary::of(document), cancel, span, file, old, new })
    }

    /// Splits and aligns the texts of the place.
    pub(crate) fn texts(&self) -> Result<Texts<'_>, Refusal> {
        let beside = [&self.document[..self.span.start], &self.document[self.span.end..]];
        let known = |word: &str| self.vocabulary.has_word(word);
        Texts::new(&self.file, &self.old, &self.new, beside, known, self.cancel)
    }

    /// Writes the text of a merge in the style of the place, the line break before it included.
    pub(crate) fn write(&self, merge: &Merge<'_, '_>) -> Written {
        let nearby = nearby(self.document, &self.span);
        let after = self.document[self.span.end..].split_inclusive('\n').next();
        let style = Style {
            indents: Indentation::learn(merge, &indent_unit::unit(nearby.lines())),
            spelling: Spelling::learn(merge, |text| self.vocabulary.knows(text)),
            ending: ending(self.document, &self.span),
            blank_after: after.is_some_and(|line| is_all_blank(line)),
        };
        write(merge, &style)
    }

    /// Returns the document's range for one of the file's lines.
    pub(crate) fn in_document(&self, range: &Range<usize>) -> Range<usize> {
        let opening = opening(&self.file);
        let at = |offset: usize| self.span.start + offset.saturating_sub(opening);
        at(range.start)..at(range.end)
    }
}

/// Returns the number of bytes of the line break that a text begins with.
pub(crate) fn opening(text: &str) -> usize {
    text.find('\n').map_or(0, |at| at + 1)
}

/// Removes the line break that every text of a merge begins with.
pub(crate) fn without_opening(mut text: String) -> String {
    text.drain(..opening(&text));
    text
}

/// Cuts an "and so on" line off the ends where both texts have it: it stands for text beyond the
/// region.
fn without_open_ends<'t>(old: &'t str, replacement: &'t str) -> (&'t str, &'t str) {
    let (mut a, mut b) = (old, replacement);
    for cut in [without_last_elision, without_first_elision] {
        if let (Some((x, one)), Some((y, other))) = (cut(a), cut(b))
            && one.trim_matches(is_blank) == other.trim_matches(is_blank)
        {
            (a, b) = (x, y);
        }
    }
    (a, b)
}

/// Returns a text without its last line, and that line, if it is an "and so on" line after others.
fn without_last_elision(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_end_matches(is_blank);
    let at = body.rfind('\n')?;
    is_elision(&body[at + 1..]).then(|| (&text[..at], &body[at + 1..]))
}

/// Returns a text without its first line, and that line, if it is an "and so on" line before others.
fn without_first_elision(text: &str) -> Option<(&str, &str)> {
    let (line, rest) = text.trim_start_matches(is_blank).split_once('\n')?;
    is_elision(line).then_some((rest, line))
}

/// Returns whether the replacement has more "and so on" lines than the old text.
fn adds_placeholder(old: &str, replacement: &str) -> bool {
    placeholders(replacement) > placeholders(old)
}

/// Returns the number of "and so on" lines of a text. Three bare dots are no such line: they are code in Python.
fn placeholders(text: &str) -> usize {
    text.split('\n').filter(|line| is_elision(line) && line.trim_matches(is_blank) != "...").count()
}

/// How many blank lines a text has at its ends.
struct BlankLines {
    before: usize,
    after: usize,
}

impl BlankLines {
    fn of(text: &str) -> Self {
        let body = text.trim_start_matches(is_blank);
        let (before, after) = (&text[..text.len() - body.len()], &body[body.trim_end_matches(is_blank).len()..]);
        Self { before: breaks(before), after: breaks(after) - usize::from(after.ends_with('\n')) }
    }
}

/// Returns where the line starts that holds the byte at `at`.
fn line_start(document: &str, at: usize) -> usize {
    document[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// Returns where the line ends that holds the byte at `at`, after its line break.
fn line_end(document: &str, at: usize) -> usize {
    document[at..].find('\n').map_or(document.len(), |end| at + end + 1)
}

/// Widens a range to whole lines, and to as many of the blank lines around them as the old text has: of more it
/// knows nothing. Where the whole text `goes`, blank lines that are not after it may go before it.
fn widened(document: &str, region: Range<usize>, blank_lines: &BlankLines, goes: bool) -> Range<usize> {
    let mut before = blank_lines.before;
    let body = document[region.clone()].trim_start_matches(is_blank);
    let (mut start, mut end) = (line_start(document, region.start), line_end(document, region.end));
    if !body.is_empty() {
        start = line_start(document, region.end - body.len());
        end = line_end(document, region.end - body.len() + body.trim_end_matches(is_blank).len());
    }
    for _ in 0..blank_lines.after {
        let below = line_end(document, end);
        if below > end && is_all_blank(&document[end..below]) {
            end = below;
        } else {
            before += usize::from(goes);
        }
    }
    for _ in 0..before {
        let above = line_start(document, start.saturating_sub(1));
        if above < start && is_all_blank(&document[above..start]) {
            start = above;
        }
    }
    start..end
}

/// How many bytes before a place, and after it, its style is learnt from: a hundred lines or more, which one author
/// most likely wrote in one style.
const NEARBY_BYTES: usize = 6_000;

/// Returns the text around a span, from which its style is learnt.
fn nearby<'t>(document: &'t str, span: &Range<usize>) -> &'t str {
    let mut start = span.start.saturating_sub(NEARBY_BYTES);
    while !document.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end + NEARBY_BYTES).min(document.len());
    while !document.is_char_boundary(end) {
        end += 1;
    }
    &document[start..end]
}

/// Returns the line ending in use at a span: that of its own lines, else of the lines around it.
///
/// # Panics
///
/// Panics if the span does not lie in the document on char boundaries.
#[must_use]
pub fn ending(document: &str, span: &Range<usize>) -> &'static str {
    for text in [&document[span.clone()], nearby(document, span)] {
        let wide = text.matches("\r\n").count();
        let narrow = breaks(text) - wide;
        if wide != narrow {
            return if wide > narrow { "\r\n" } else { "\n" };
        }
    }
    "\n"
}
