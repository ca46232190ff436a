//! Where a range ends: the rule of the last text.

use std::ops::Range;

use super::depth::Depths;
use super::lines::{FileLines, Likeness, QuotedLines, lead, width};
use crate::RangeRefusal;
use crate::decider::REPORTED;

/// Marks at the start of a line that closes a block.
const CLOSING: [char; 3] = ['}', ')', ']'];

/// The reason why a range ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// `last` does not occur again, at its indentation, before the block of `first` ends.
    OnlyOne,
    /// It is the first `last`, it has the depth of `first`, and every line between is deeper.
    ClosesBlock,
    /// The range has the expected number of lines.
    ExpectedLines,
    /// The line numbers say so.
    Numbers,
}

impl EndReason {
    /// Returns the reason in words: a clause without a full stop.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::OnlyOne => "`last` does not occur again at its indentation before the block of `first` ends",
            Self::ClosesBlock => "it is the first `last`, and closes the block that `first` opens",
            Self::ExpectedLines => "the range has the expected number of lines",
            Self::Numbers => "the line numbers say so",
        }
    }
}

/// The last line of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The line after it.
    pub(super) end: usize,
    pub(super) reason: EndReason,
    pub(super) likeness: Likeness,
}

/// The search for the end of a range.
#[derive(Clone, Copy)]
pub(super) struct EndSearch<'a> {
    pub(super) lines: FileLines<'a>,
    /// The lines of `first` in the file.
    pub(super) first: &'a Range<usize>,
    pub(super) depths: Depths<'a>,
    pub(super) last: &'a QuotedLines<'a>,
    pub(super) expected_lines: Option<usize>,
}

impl EndSearch<'_> {
    /// Returns the end that an equal `last` decides; none if there is no equal text at its indentation.
    ///
    /// # Errors
    ///
    /// Returns the reason why no end is certain, with all candidates.
    pub(super) fn decide(&self) -> Result<Option<End>, RangeRefusal> {
        for likeness in [Likeness::Equal, Likeness::Tokens] {
            let ends: Vec<usize> = self.ends(likeness, true).collect();
            let Some(nearest) = ends.first().copied() else { continue };
            let found = |end, reason| Ok(Some(End { end, reason, likeness }));
            if let Some(expected) = self.expected_lines {
                let end = self.first.start.saturating_add(expected);
                if ends.contains(&end) || self.ends(likeness, false).any(|other| other == end) {
                    return found(end, EndReason::ExpectedLines);
                }
                return Err(RangeRefusal::OtherLength { expected, ends: self.ranges(&ends) });
            }
            if let Some(line) = self.way_out(nearest) {
                let line = self.lines.span(&(line..line + 1));
                return Err(RangeRefusal::LeavesBlock { line, range: self.range(nearest) });
            }
            if self.closes_block(nearest) {
                return found(nearest, EndReason::ClosesBlock);
            }
            let in_block: Vec<usize> = ends.into_iter().take_while(|end| self.is_in_block(nearest, *end)).collect();
            if in_block.len() > 1 {
                return Err(RangeRefusal::Undecided { ends: self.ranges(&in_block) });
            }
            return found(nearest, EndReason::OnlyOne);
        }
        Ok(None)
    }

    /// Returns the refusal without an equal `last` at its indentation, with the ranges to equal texts at another one.
    pub(super) fn no_last(&self) -> RangeRefusal {
        let ends: Vec<usize> = self.ends(Likeness::Tokens, false).collect();
        match self.expected_lines {
            Some(expected) if !ends.is_empty() => {
                RangeRefusal::OtherLength { expected, ends: self.ranges(&ends) }
            }
            _ => RangeRefusal::NoLast { ends: self.ranges(&ends) },
        }
    }

    /// Returns the first line between `first` and the end that is less deep than both, and so outside their block.
    pub(super) fn way_out(&self, end: usize) -> Option<usize> {
        let last = end - self.last.lines.len();
        let depth = width(self.depths.there).min(self.lines.depth(last));
        (self.first.end..last).find(|at| !self.lines.is_blank(*at) && self.lines.depth(*at) < depth)
    }

    /// Returns the lines after every text that equals `last`, the nearest first; with `at_depth`, only of those that
    /// have its indentation.
    fn ends(&self, likeness: Likeness, at_depth: bool) -> impl Iterator<Item = usize> + '_ {
        let count = self.last.lines.len();
        // The quote of the first lines may include the last one.
        let from = self.first.end.saturating_sub(count).max(self.first.start);
        let until = (self.lines.len() + 1).saturating_sub(count);
        let is_here = move |at: usize| {
            self.last.lines.iter().enumerate().all(|(index, line)| {
                let there = self.lines.line(at + index);
                likeness.holds_of_body(there, line)
                    && (!at_depth || line.trim().is_empty() || self.depths.is_at(lead(line), lead(there)))
            })
        };
        (from..until).filter(move |at| at + count >= self.first.end && is_here(*at)).map(move |at| at + count)
    }

    /// Returns whether the `last` before `end` closes the block that `first` opens.
    fn closes_block(&self, end: usize) -> bool {
        let last = end - self.last.lines.len();
        if last < self.first.end || self.lines.depth(last) != width(self.depths.there) {
            return false;
        }
        let mut between = (self.first.end..last).filter(|at| !self.lines.is_blank(*at)).peekable();
        let opens = between.peek().is_some() || self.lines.line(last).trim_start().starts_with(CLOSING);
        opens && between.all(|at| self.lines.depth(at) > width(self.depths.there))
    }

    /// Returns whether no line between two ends is less deep than `first`.
    fn is_in_block(&self, nearest: usize, end: usize) -> bool {
        let last = end - self.last.lines.len();
        (nearest..last).all(|at| self.lines.is_blank(at) || self.lines.depth(at) >= width(self.depths.there))
    }

    fn range(&self, end: usize) -> crate::Span {
        self.lines.span(&(self.first.start..end))
    }

    fn ranges(&self, ends: &[usize]) -> Vec<crate::Span> {
        ends.iter().take(REPORTED).map(|end| self.range(*end)).collect()
    }
}
