//! The place of an edit in a document, and the style around it.

use std::borrow::Cow;
use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_blank_text};
use fuzzy_core::{Span, line_start};

use crate::Refusal;
use crate::align::three_way::Texts;
use crate::conflict_lines::ConflictLines;
use crate::map::indented;
use crate::mechanisms::FIRST_INDENT;
use crate::merge::Merge;
use crate::readings::READINGS;
use crate::run::Run;
use crate::style::indentation::Indentation;
use crate::style::spelling::Spelling;
use crate::style::{Style, indent_unit};
use crate::text::lines::{adds_placeholder, leading_break};
use crate::text::vocabulary::Vocabulary;
use crate::text::whitespace::breaks;
use crate::widen::widened;
use crate::write::{Written, write};

/// The most bytes of a text: offsets have 32 bits.
const MAX_BYTES: usize = u32::MAX as usize / 2;

/// A place in a document and the edit that lands there.
pub(crate) struct Input<'t> {
    document: &'t str,
    vocabulary: Vocabulary<'t>,
    run: Run<'t>,
    pub(crate) span: Range<usize>,
    /// The texts. A line break is put before each, so that its first line begins like any other.
    file: String,
    old: String,
    new: String,
    /// The names of the slips that were undone in the texts.
    pub(crate) undone: Vec<&'static str>,
}

impl<'t> Input<'t> {
    /// Widens a place to whole lines. Refuses texts that cannot be merged.
    pub(crate) fn new(
        document: &'t str,
        region: Range<usize>,
        old: &str,
        new: &str,
        run: Run<'t>,
    ) -> Result<Self, Refusal> {
        if document.get(region.clone()).is_none() {
            return Err(Refusal::Region);
        }
        let longest = document.len().max(old.len()).max(new.len());
        if longest > MAX_BYTES {
            return Err(Refusal::TooLong(longest));
        }
        if adds_placeholder(document, old, new) {
            return Err(Refusal::Placeholder);
        }
        let mut undone = Vec::new();
        let mut texts = [old, new].map(Cow::Borrowed);
        for (slip, read) in READINGS.iter().filter(|(slip, _)| run.uses(slip)) {
            if let Some(other) = read(document, &texts[0], &texts[1]) {
                texts = other.map(Cow::Owned);
                undone.push(slip.name);
            }
        }
        let is_used = run.uses(&FIRST_INDENT);
        if let Some(indented) = indented(document, &region, &texts[0], &texts[1]).filter(|_| is_used) {
            texts = indented.map(Cow::Owned);
        }
        let [old, new] = &texts;
        let span = whole_lines(document, region, &BlankLines::of(old), is_blank_text(new));
        let span = widened(document, span, old, new, run);
        run.check()?;
        let file = [ending(document, &span), &document[span.clone()]].concat();
        let [old, new] = texts.map(|text| ["\n", &text].concat());
        Ok(Self { document, vocabulary: Vocabulary::of(document), run, span, file, old, new, undone })
    }

    /// As [`new`](Self::new), with the texts in the file's terms.
    pub(crate) fn in_file_terms(
        document: &'t str,
        region: Range<usize>,
        old: &str,
        new: &str,
    ) -> Result<Self, Refusal> {
        let input = Self::new(document, region.clone(), old, new, Run::WHOLE)?;
        let texts = input.texts()?;
        match Merge::new(&texts, &ConflictLines::default()).map.texts(&texts) {
            Some([old, new]) => Self::new(document, region, &old, &new, Run::WHOLE),
            None => Self::new(document, region, old, new, Run::WHOLE),
        }
    }

    /// Returns old and new text without the line breaks that were put before them.
    pub(crate) fn merged_texts(&self) -> [String; 2] {
        [&self.old, &self.new].map(|text| text[leading_break(text)..].to_owned())
    }

    /// Splits and aligns the texts of the place.
    pub(crate) fn texts(&self) -> Result<Texts<'_>, Refusal> {
        let beside = [&self.document[..self.span.start], &self.document[self.span.end..]];
        let in_document = |word: &str| self.vocabulary.has_word(word);
        Texts::new(&self.file, &self.old, &self.new, beside, in_document, self.run)
    }

    /// Writes the text of a merge in the style of the place, with the line break that was put before it.
    pub(crate) fn write(&self, merge: &Merge<'_, '_>) -> Written {
        let nearby = nearby(self.document, &self.span);
        let after = self.document[self.span.end..].split_inclusive('\n').next();
        let style = Style {
            indentation: Indentation::learn(merge, indent_unit::unit(nearby)),
            spelling: Spelling::learn(merge, |text| self.vocabulary.has(text)),
            ending: ending(self.document, &self.span),
            blank_after: after.is_some_and(is_blank_text),
        };
        write(merge, &style)
    }

    /// Returns the bytes of the document for bytes of the place's text.
    pub(crate) fn in_document(&self, range: &Range<usize>) -> Span {
        let length = leading_break(&self.file);
        let at = |offset: usize| self.span.start + offset.saturating_sub(length);
        Span::new(at(range.start), at(range.end))
    }
}

/// The number of blank lines at each end of a text.
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

/// Returns the end of the line of a byte, after its line break.
fn line_end(document: &str, at: usize) -> usize {
    document[at..].find('\n').map_or(document.len(), |end| at + end + 1)
}

/// Widens a range to whole lines, and to as many blank lines around them as the old text has. If the edit
/// `deletes_all`, a blank line that is missing after the range is taken before it.
fn whole_lines(document: &str, region: Range<usize>, blank_lines: &BlankLines, deletes_all: bool) -> Range<usize> {
    let mut before = blank_lines.before;
    let body = document[region.clone()].trim_start_matches(is_blank);
    let (mut start, mut end) = (line_start(document, region.start), line_end(document, region.end));
    if !body.is_empty() {
        start = line_start(document, region.end - body.len());
        end = line_end(document, region.end - body.len() + body.trim_end_matches(is_blank).len());
    }
    for _ in 0..blank_lines.after {
        let below = line_end(document, end);
        if below > end && is_blank_text(&document[end..below]) {
            end = below;
        } else {
            before += usize::from(deletes_all);
        }
    }
    for _ in 0..before {
        let above = line_start(document, start.saturating_sub(1));
        if above < start && is_blank_text(&document[above..start]) {
            start = above;
        }
    }
    start..end
}

/// The number of bytes before a place, and after it, that show its style: a hundred lines or more, most likely of one
/// author.
pub const NEARBY_BYTES: usize = 6_000;

/// Returns the text around a span that shows its style.
fn nearby<'t>(document: &'t str, span: &Range<usize>) -> &'t str {
    let start = document.floor_char_boundary(span.start.saturating_sub(NEARBY_BYTES));
    &document[start..document.ceil_char_boundary(span.end + NEARBY_BYTES)]
}

/// Returns the line ending of most lines of a span, else of the lines around it. Cost: one pass over these.
///
/// # Panics
///
/// Panics if the span does not lie in the document on char boundaries.
#[must_use]
pub fn ending(document: &str, span: &Range<usize>) -> &'static str {
    for text in [&document[span.clone()], nearby(document, span)] {
        let wide = memchr::memmem::find_iter(text.as_bytes(), "\r\n").count();
        let narrow = memchr::memchr_iter(b'\n', text.as_bytes()).count() - wide;
        if wide != narrow {
            return if wide > narrow { "\r\n" } else { "\n" };
        }
    }
    "\n"
}
