//! The kinds of old texts: the replaced text, the ends of the replaced lines, or a line beside new ones.

use std::ops::RangeInclusive;

/// The kind of text that the old text of an edit quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quote<'e> {
    /// All of the text to replace.
    #[default]
    Whole,
    /// The first lines of the lines to replace.
    First(Ends<'e>),
    /// The lines above the place of the new ones; nothing is replaced.
    After,
    /// The lines below the place of the new ones; nothing is replaced.
    Before,
}

/// The quote and the numbers that show where the lines to replace end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ends<'e> {
    /// The last lines to replace. It may be empty if there are `numbers`.
    pub last: &'e str,
    /// The number of lines to replace, which decides between several places of `last`.
    pub expected_lines: Option<usize>,
    /// The line numbers of the lines to replace.
    pub numbers: Option<Numbers>,
}

/// The numbers of some lines, as the author of an edit read them.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Edit, Numbers};
///
/// // Two lines that begin with the quoted one, near line 7.
/// let edit = Edit::range("fn f() {", "", "").with_numbers(Some(Numbers::new(&(7..=8))));
/// assert!(edit.old.starts_with("fn f"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Numbers {
    /// The first line, counted from 1.
    pub first: usize,
    /// The last line; it is replaced, too.
    pub last: usize,
    /// Whether the text is known to be the one that the author read. Otherwise lines may have moved, and the numbers
    /// need a quote of the first line.
    pub are_exact: bool,
}

impl Numbers {
    /// Makes the numbers of a text that may have changed since they were read.
    #[must_use]
    pub const fn new(lines: &RangeInclusive<usize>) -> Self {
        Self { first: *lines.start(), last: *lines.end(), are_exact: false }
    }

    /// Sets whether the text is known to be the one that the author read.
    #[must_use]
    pub const fn exact(self, are_exact: bool) -> Self {
        Self { are_exact, ..self }
    }
}
