//! What to look for and what to put there, and the text that comes of it.

use crate::Span;
use crate::document::line_breaks;
use crate::outcome::Match;

/// What to look for and what to put there.
///
/// # Examples
///
/// ```
/// use fuzzy_core::Edit;
///
/// let edit = Edit::new("colour", "color").with_replace_all(true);
/// assert!(edit.replace_all);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit<'e> {
    /// The text to replace, as the caller believes it occurs in the file.
    pub needle: &'e str,
    /// The text to put there; always literal.
    pub replacement: &'e str,
    /// Whether every place is meant rather than the only one.
    pub replace_all: bool,
    /// The line, counted from 1, that the caller believes the needle begins on: of places that nothing else tells
    /// apart the nearest one is meant. No place is refused for being far from it.
    pub line: Option<usize>,
}

impl<'e> Edit<'e> {
    /// Makes an edit of the only place that `needle` means.
    #[must_use]
    pub const fn new(needle: &'e str, replacement: &'e str) -> Self {
        Self { needle, replacement, replace_all: false, line: None }
    }

    /// Sets whether every place is meant rather than the only one.
    #[must_use]
    pub const fn with_replace_all(mut self, replace_all: bool) -> Self {
        self.replace_all = replace_all;
        self
    }

    /// Says on which line, counted from 1, the caller believes the needle to begin.
    #[must_use]
    pub const fn with_line(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }
}

/// An edit that was carried out on a text; nothing is written anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Applied {
    /// The whole new text.
    pub output: String,
    /// Who found the place; with `replace_all`, the first one.
    pub found: Match,
    /// Every replaced place, top to bottom; one without `replace_all`.
    pub replaced: Vec<Replaced>,
}

impl Applied {
    /// Returns what came of an edit that was carried out by other means than a pipeline's.
    #[must_use]
    pub const fn new(output: String, found: Match, replaced: Vec<Replaced>) -> Self {
        Self { output, found, replaced }
    }
}

/// One replaced place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Replaced {
    /// The bytes of the old text that were replaced.
    pub before: Span,
    /// The bytes of the new text that replaced them.
    pub after: Span,
}

impl Replaced {
    /// Returns the lines, counted from 1, that the place covers in the `old` text and in the `new` one.
    ///
    /// # Panics
    ///
    /// Panics if the texts are not those of the edit.
    #[must_use]
    pub fn lines(&self, old: &str, new: &str) -> (LineRange, LineRange) {
        (LineRange::of(old, self.before), LineRange::of(new, self.after))
    }
}

/// Lines of a text, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineRange {
    /// The first line.
    pub first: usize,
    /// The last line; at least the first.
    pub last: usize,
}

impl LineRange {
    /// Returns the lines that `span` covers in `text`. A span that ends after a `\n` does not cover the next line.
    ///
    /// # Panics
    ///
    /// Panics if the span does not lie in `text`.
    #[must_use]
    pub fn of(text: &str, span: Span) -> Self {
        let bytes = text.as_bytes();
        let first = 1 + line_breaks(&bytes[..span.start()]);
        let inner = bytes[span.range()].strip_suffix(b"\n").unwrap_or(&bytes[span.range()]);
        Self { first, last: first + line_breaks(inner) }
    }
}
