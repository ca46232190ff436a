//! The byte range that everything in the engine speaks in.

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
/// ```
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

    /// Returns the offset behind the last byte.
    #[must_use]
    pub const fn end(self) -> usize {
        self.end
    }

    /// Counts the bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Says whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Says whether the byte at `offset` lies inside; the end does not.
    #[must_use]
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Says whether the two spans share a byte.
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
    /// Panics if the span does not lie in `haystack` on character boundaries.
    #[must_use]
    pub fn text(self, haystack: &str) -> &str {
        &haystack[self.range()]
    }
}
