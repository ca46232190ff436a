//! The reasons why the lines that an edit names by their ends are not certain.

use crate::Span;

/// The reason why the lines that an edit names by their ends are not certain. All spans are in the searched text.
///
/// The enum is exhaustive on purpose: a caller that words each reason must see a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeRefusal {
    /// The edit is to replace every place, which a range or an insertion cannot.
    ReplaceAll,
    /// `first` or `last` is empty or blank.
    Blank {
        /// Whether it is `last`.
        is_last: bool,
    },
    /// The text was found inside a line, and only whole lines are named.
    PartOfLine {
        /// The whole lines.
        lines: Span,
        /// Whether the text is `last`.
        is_last: bool,
    },
    /// The lines beside an insertion have no word, `first` has none and is not in the text as it is quoted, or `last` has none and ends a part of a block that ends likewise: a slip in
    /// their indentation would be another place.
    OnlyMarks {
        /// The lines.
        lines: Span,
        /// Whether they are those of `last`.
        is_last: bool,
    },
    /// `last` does not occur after `first`.
    NoLast {
        /// The ranges to equal texts with another indentation.
        ends: Vec<Span>,
    },
    /// `last` occurs several times after `first`, and nothing says which place is the end.
    Undecided {
        /// The possible ranges, the shortest first.
        ends: Vec<Span>,
    },
    /// No range has the expected number of lines.
    OtherLength {
        /// The expected number of lines.
        expected: usize,
        /// The possible ranges, the shortest first.
        ends: Vec<Span>,
    },
    /// The range leaves the block that has its first line.
    LeavesBlock {
        /// The line at which it does.
        line: Span,
        /// The range.
        range: Span,
    },
    /// The file's line below the range is in the new text, and not in the range.
    TooShort {
        /// The line below the range.
        line: Span,
        /// The range.
        range: Span,
    },
    /// The new text is one block, and the range contains another one beside that of its first line.
    TooLong {
        /// The line that begins the other block.
        line: Span,
        /// The range.
        range: Span,
    },
    /// The range contains its own first text again, or beside an inexact one a line of the same form.
    FirstAgain {
        /// The line.
        line: Span,
        /// The range.
        range: Span,
        /// Whether the line only has the same form.
        is_form: bool,
    },
    /// The new text equals the lines at the start of the range, so that the edit may have been made before.
    StartsWithNew {
        /// The other lines.
        rest: Span,
        /// The range.
        range: Span,
    },
    /// The indentation of the new text is not certain, because the quoted one is not the file's.
    Indentation {
        /// The quoted line of the file.
        line: Span,
    },
    /// The new place of moved or copied lines is inside them.
    IntoItself {
        /// The lines beside the new place.
        beside: Span,
    },
    /// The indentation of moved or copied lines at their new place is not certain.
    NewDepth {
        /// The line that cannot be indented there; none if that of all lines is not certain.
        line: Option<Span>,
    },
    /// Moved or copied lines may belong to several depths at their new place, and nothing says to which.
    UnknownDepth {
        /// The nearest line at each depth, the innermost first.
        depths: Vec<Span>,
    },
    /// The lines are all of a block that no line closes, and that cannot be empty.
    EmptyBlock {
        /// The line that opens the block.
        head: Span,
    },
    /// A line becomes the end of its sequence, or no longer is, and its separator cannot be changed for certain.
    Separator {
        /// The line.
        line: Span,
    },
    /// No range of so many lines has the guards as its ends.
    NoRange {
        /// The number of lines.
        lines: usize,
    },
    /// Several ranges that have the guards as their ends are near the numbers.
    NearRanges {
        /// The ranges.
        ranges: Vec<Span>,
    },
    /// The numbers are not those of lines of the text.
    NoSuchLines {
        /// The number of lines of the text.
        lines: usize,
    },
    /// The line numbers have no guard, and the text is not known to be the numbered one.
    Unguarded {
        /// The first of these lines; none if the text has no such line.
        line: Option<Span>,
    },
}

impl RangeRefusal {
    /// Calls `change` with every span.
    pub(crate) fn for_each_span(&mut self, mut change: impl FnMut(&mut Span)) {
        match self {
            Self::PartOfLine { lines: line, .. } | Self::OnlyMarks { lines: line, .. } | Self::Indentation { line } => {
                change(line);
            }
            Self::NoLast { ends } | Self::Undecided { ends } | Self::OtherLength { ends, .. } => {
                ends.iter_mut().for_each(change);
            }
            Self::NearRanges { ranges } => ranges.iter_mut().for_each(change),
            Self::LeavesBlock { line, range }
            | Self::TooShort { line, range }
            | Self::TooLong { line, range }
            | Self::FirstAgain { line, range, .. }
            | Self::StartsWithNew { rest: line, range } => {
                change(line);
                change(range);
            }
            Self::UnknownDepth { depths } => depths.iter_mut().for_each(change),
            Self::Separator { line } | Self::EmptyBlock { head: line } => change(line),
            Self::Unguarded { line } | Self::NewDepth { line } => line.iter_mut().for_each(change),
            Self::IntoItself { beside } => change(beside),
            Self::ReplaceAll | Self::Blank { .. } | Self::NoRange { .. } | Self::NoSuchLines { .. } => {}
        }
    }
}
