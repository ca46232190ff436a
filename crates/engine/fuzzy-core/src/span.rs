//! The byte range that everything in the engine speaks in.

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes, `start..end`, whose ends lie on character boundaries of the text it belongs to.
///
/// # Examples
///
/// ```
/// use fuzzy_core::Span;
///
/// let span = Span::new(4, 7);
/// assert_eq!(span.text("let foo = 1;"), "foo");
/// assert!(span.contains(4) && !span.contains(7));
///
/// assert_eq!(span.to_string(), "4..7");
/// assert_eq!(std::ops::Range::from(span), 4..7);
/// assert_eq!(Span::try_from(4..7), Ok(span));
/// # #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
/// let reversed = 7..4;
/// assert!(Span::try_from(reversed).is_err());
/// ```
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// Makes the span `start..end`, in bytes.
    ///
    /// # Panics
    ///
    /// Panics if `end` lies before `start`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        assert!(start <= end, "a span must not end before it starts");
        Self { start, end }
    }

    /// Returns the offset of the first byte.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start
    }

    /// Returns the offset after the last byte.
    #[must_use]
    pub const fn end(self) -> usize {
        self.end
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether the byte at `offset` lies inside; the end does not.
    #[must_use]
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Returns whether the two spans share a byte.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the same bytes as a range, for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the text under the span.
    ///
    /// # Panics
    ///
    /// Panics if the span does not lie in `text` on character boundaries.
    #[must_use]
    pub fn text(self, text: &str) -> &str {
        &text[self.range()]
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.range()
    }
}

/// A range that ends before it starts is no span.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the range {}..{} ends before it starts", .0.start, .0.end)]
pub struct ReversedRange(pub Range<usize>);

impl TryFrom<Range<usize>> for Span {
    type Error = ReversedRange;

    fn try_from(range: Range<usize>) -> Result<Self, ReversedRange> {
        if range.start <= range.end {
            Ok(Self { start: range.start, end: range.end })
        } else {
            Err(ReversedRange(range))
        }
    }
}
