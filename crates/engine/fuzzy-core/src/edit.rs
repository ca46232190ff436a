//! An edit of a text, and its result.

use std::fmt;
use std::ops::RangeInclusive;

use crate::Span;
use crate::document::line_breaks;
use crate::outcome::Match;
use crate::quote::{Ends, Numbers, Quote};
use crate::transfer::Transfer;

/// An old text and the new one for its place.
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
    /// The text to replace, as the caller expects it in the file, or what [`quote`](Self::quote) says.
    pub old: &'e str,
    /// The text to write there; always literal.
    pub new: &'e str,
    /// Whether the edit replaces every place rather than the only one.
    pub replace_all: bool,
    /// The line, counted from 1, on which the caller expects the old text. It chooses the nearest of otherwise equal
    /// places; no place is refused for its distance.
    pub line: Option<usize>,
    /// Whether line endings stay as given. Otherwise they are fitted to the file, as
    /// [`with_raw_endings`](Self::with_raw_endings) describes.
    pub raw_endings: bool,
    /// The text of the file when the edit was written, if the caller knows it. Where the file lacks the old text, or has
    /// it several times, the decider of `adaptive` takes the place that it had there. Other deciders ignore it.
    pub base: Option<&'e str>,
    /// The part of the edit that `old` quotes; by default all of the text to replace.
    pub quote: Quote<'e>,
    /// The new place of the lines, if they are moved or copied instead of replaced. The new text is then ignored.
    pub transfer: Option<Transfer<'e>>,
}

impl<'e> Edit<'e> {
    /// Makes an edit that writes `new` in the only place of `old`.
    #[must_use]
    pub const fn new(old: &'e str, new: &'e str) -> Self {
        Self {
            old,
            new,
            replace_all: false,
            line: None,
            raw_endings: false,
            base: None,
            quote: Quote::Whole,
            transfer: None,
        }
    }

    /// Makes an edit that writes `new` in the place of all lines from the first line of `first` to the last line of
    /// `last`.
    ///
    /// Both are searched like an old text, as whole lines: equal lines, then lines with the same words and marks, then
    /// by the ladder. The range ends at the first `last` after `first` that has its indentation relative to `first`, if
    /// that does not occur again before the block ends, or closes the block that `first` opens, or ends it while `new` is
    /// one block, too; otherwise the edit is refused, and [`RangeRefusal`](crate::RangeRefusal) lists the places. Blank
    /// lines at the ends of both texts are left out, and a line break more or less at the end of `new` means nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// let edit = fuzzy_core::Edit::range("def f():", "    return x", "def f():\n    return 1").with_expected_lines(Some(9));
    /// assert_eq!(edit.old, "def f():");
    /// ```
    #[must_use]
    pub const fn range(first: &'e str, last: &'e str, new: &'e str) -> Self {
        let quote = Quote::First(Ends { last, expected_lines: None, numbers: None });
        Self { quote, ..Self::new(first, new) }
    }

    /// Makes an edit that inserts `new` as lines of its own below the lines of `anchor`, and replaces nothing.
    #[must_use]
    pub const fn after(anchor: &'e str, new: &'e str) -> Self {
        Self { quote: Quote::After, ..Self::new(anchor, new) }
    }

    /// Makes an edit that inserts `new` as lines of its own above the lines of `anchor`, and replaces nothing.
    #[must_use]
    pub const fn before(anchor: &'e str, new: &'e str) -> Self {
        Self { quote: Quote::Before, ..Self::new(anchor, new) }
    }

    /// Sets the number of lines that a range replaces; it decides between several places of its last text.
    #[must_use]
    pub const fn with_expected_lines(mut self, lines: Option<usize>) -> Self {
        if let Quote::First(ends) = self.quote {
            self.quote = Quote::First(Ends { expected_lines: lines, ..ends });
        }
        self
    }

    /// Sets the numbers of the lines that a range replaces, counted from 1.
    ///
    /// They are trusted if both texts of the range are empty: only for a text that is known to be the numbered one.
    /// Otherwise these texts are the guards: the range of so many lines is replaced whose first lines, and last lines if
    /// given, equal them, and which is nearest to the numbers.
    #[must_use]
    pub const fn lines(self, lines: &RangeInclusive<usize>) -> Self {
        let are_exact = self.old.is_empty();
        self.with_numbers(Some(Numbers::new(lines).exact(are_exact)))
    }

    /// Sets the numbers of the lines that a range replaces.
    #[must_use]
    pub const fn with_numbers(mut self, numbers: Option<Numbers>) -> Self {
        if let Quote::First(ends) = self.quote {
            self.quote = Quote::First(Ends { numbers, ..ends });
        }
        self
    }

    /// Makes the edit move the whole lines of its place, or copy them, instead of replacing them.
    ///
    /// Both places are found in the text before the edit. The lines get the depth of their new place, and blank lines
    /// around both places stay as a person leaves them.
    ///
    /// # Examples
    ///
    /// ```
    /// use fuzzy_core::{Edit, Transfer, TransferKind};
    ///
    /// let edit = Edit::range("def f():", "    return x", "");
    /// let edit = edit.with_transfer(Some(Transfer::new(TransferKind::Move, "    return y", true)));
    /// assert!(edit.transfer.is_some());
    /// ```
    #[must_use]
    pub const fn with_transfer(mut self, transfer: Option<Transfer<'e>>) -> Self {
        self.transfer = transfer;
        self
    }

    /// Sets whether the edit replaces every place rather than the only one.
    #[must_use]
    pub const fn with_replace_all(mut self, replace_all: bool) -> Self {
        self.replace_all = replace_all;
        self
    }

    /// Sets the line, counted from 1, on which the caller expects the old text.
    #[must_use]
    pub const fn with_line(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }

    /// Sets the text of the file when the edit was written: as the agent read it, or as its own last edit left it.
    #[must_use]
    pub const fn with_base(mut self, base: Option<&'e str>) -> Self {
        self.base = base;
        self
    }

    /// Sets whether line endings stay as given: nothing is converted, and the new text lands byte for byte.
    ///
    /// By default they are fitted to the file. An old text that occurs exactly is used as given. Otherwise, if the file
    /// or the old text has `\r\n`, the search uses a view with `\n` alone, and the new text gets the line ending of the
    /// replaced lines, else of their neighbours, else the file's more frequent one. No byte outside the replaced spans
    /// changes, and no `\r\n` is split. `replace_all` counts occurrences under either ending. A decider that
    /// [fits line endings itself](crate::Decider::fits_line_endings) does so in any case.
    #[must_use]
    pub const fn with_raw_endings(mut self, raw_endings: bool) -> Self {
        self.raw_endings = raw_endings;
        self
    }
}

/// The result of an edit of a text; no file is written.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Applied, Candidate, Match, Similarity, Span};
///
/// let found = Match::new("mine", Candidate::new(Span::new(0, 1), Similarity::new(1.0)));
/// let applied = Applied::new("b".to_owned(), found, Vec::new());
/// assert_eq!(applied.output, "b");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Applied {
    /// The whole new text.
    pub output: String,
    /// The match; with `replace_all`, the first one.
    pub found: Match,
    /// Every replaced place, top to bottom; one without `replace_all`.
    pub replaced: Vec<Replaced>,
}

impl Applied {
    /// Makes the result of an edit that was applied without a pipeline.
    #[must_use]
    pub const fn new(output: String, found: Match, replaced: Vec<Replaced>) -> Self {
        Self { output, found, replaced }
    }
}

/// One replaced place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Replaced {
    /// The replaced bytes of the old text.
    pub before: Span,
    /// The bytes of the new text in their place.
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

/// Lines of a text, counted from 1, both ends included; two numbers in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(into = "(usize, usize)"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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

impl From<LineRange> for (usize, usize) {
    fn from(LineRange { first, last }: LineRange) -> Self {
        (first, last)
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last { write!(f, "line {first}") } else { write!(f, "lines {first}-{last}") }
    }
}
