//! A text and what was computed once about it.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::Span;

/// A text and its cached facts.
///
/// Computes nothing before its first use: a few passes over the text decide most searches, which never need the line
/// table. A document can be searched any number of times, from several threads, and be edited in place.
///
/// # Examples
///
/// ```
/// let file = fuzzy_core::Document::new("a = 1\nb = 2\n");
/// assert_eq!(file.text().lines().count(), 2);
/// ```
#[derive(Debug, Default)]
pub struct Document<'h> {
    text: Cow<'h, str>,
    lines: OnceLock<LineTable>,
}

impl<'h> Document<'h> {
    /// Makes a document of borrowed or owned text; costs nothing.
    #[must_use]
    pub fn new(text: impl Into<Cow<'h, str>>) -> Self {
        Self { text: text.into(), lines: OnceLock::new() }
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the table of lines.
    ///
    /// # Complexity
    ///
    /// One pass over the text and 8 bytes a line for the first caller, nothing after that.
    #[must_use]
    pub fn lines(&self) -> &LineTable {
        self.lines.get_or_init(|| LineTable::new(&self.text))
    }

    /// Replaces the text under `span`.
    ///
    /// What is known about the rest stays: a line table that was built is patched, not rebuilt. The first edit of
    /// borrowed text copies it.
    ///
    /// # Panics
    ///
    /// Panics if the span does not lie in the text on character boundaries.
    pub fn replace(&mut self, span: Span, with: &str) {
        self.text.to_mut().replace_range(span.range(), with);
        if let Some(lines) = self.lines.get_mut() {
            lines.replace(span, with);
        }
    }
}

impl<'h> From<&'h str> for Document<'h> {
    fn from(text: &'h str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Document<'_> {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl<'h> From<Cow<'h, str>> for Document<'h> {
    fn from(text: Cow<'h, str>) -> Self {
        Self::new(text)
    }
}

/// Where each line starts. Lines are split on `\n` only, so a text that ends with `\n` has an empty last line.
#[derive(Debug)]
pub struct LineTable {
    /// The offset of each line's first byte; the first is 0.
    starts: Vec<usize>,
    /// Length of the text in bytes.
    end: usize,
}

impl LineTable {
    fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1));
        Self { starts, end: text.len() }
    }

    fn replace(&mut self, span: Span, with: &str) {
        // The lines that start inside the replaced text are those after a line break in it.
        let from = self.starts.partition_point(|start| *start <= span.start());
        let to = self.starts.partition_point(|start| *start <= span.end());
        let (grown, cut) = (with.len(), span.len());
        for start in &mut self.starts[to..] {
            *start = *start + grown - cut;
        }
        self.end = self.end + grown - cut;
        let added = memchr::memchr_iter(b'\n', with.as_bytes()).map(|newline| span.start() + newline + 1);
        self.starts.splice(from..to, added);
    }

    /// Returns the number of lines; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a line")]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns line `index` (from 0) without its `\n`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such line.
    #[must_use]
    pub fn span(&self, index: usize) -> Span {
        let end = self.starts.get(index + 1).map_or(self.end, |next| next - 1);
        Span::new(self.starts[index], end)
    }

    /// Returns the index (from 0) of the line that holds the byte at `offset`; a `\n` belongs to the line it ends.
    #[must_use]
    pub fn index_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Returns the spans of all lines, in order.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Span> + ExactSizeIterator {
        (0..self.len()).map(|index| self.span(index))
    }
}

/// Returns the number of `\n` in a text.
pub(crate) fn line_breaks(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Returns where the line that holds `offset` starts.
///
/// Walks back only as far as the line reaches, so no table is needed to look around one hit.
#[must_use]
pub fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |newline| newline + 1)
}

/// Returns where the line that holds `offset` ends, before its `\n`.
#[must_use]
pub fn line_end(text: &str, offset: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[offset..]).map_or(text.len(), |newline| offset + newline)
}
