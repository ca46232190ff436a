//! Finds lines by their numbers, which are trusted only with a guard.

use std::ops::Range;

use super::lines::{FileLines, Likeness, QuotedLines};
use crate::quote::Numbers;
use crate::{RangeRefusal, Span};

/// The lines by which numbers may be stale. Of two ranges that are both nearer than this, either may be the numbered one.
const STALE: usize = 50;

/// The lines of some numbers and their guards.
pub(super) struct Numbered<'a> {
    pub(super) lines: FileLines<'a>,
    pub(super) numbers: Numbers,
    pub(super) first: Option<&'a QuotedLines<'a>>,
    pub(super) last: Option<&'a QuotedLines<'a>>,
}

impl Numbered<'_> {
    /// Returns the range that is meant.
    ///
    /// # Errors
    ///
    /// Returns the reason why no range is certain.
    pub(super) fn find(&self) -> Result<Range<usize>, RangeRefusal> {
        let Numbers { first, last, are_exact, .. } = self.numbers;
        let all = self.lines.len();
        if first == 0 || last < first || (are_exact && last > all) {
            return Err(RangeRefusal::NoSuchLines { lines: all });
        }
        let (start, count) = (first - 1, last - first + 1);
        if are_exact {
            let is_guarded =
                [Likeness::Equal, Likeness::Tokens].iter().any(|likeness| self.fits(*likeness, start, count));
            return if is_guarded { Ok(start..last) } else { Err(RangeRefusal::NoRange { lines: count }) };
        }
        if self.first.is_none() {
            let line = (start < all).then(|| self.lines.span(&(start..first)));
            return Err(RangeRefusal::Unguarded { line });
        }
        for likeness in [Likeness::Equal, Likeness::Tokens] {
            let starts = (0..(all + 1).saturating_sub(count)).filter(|at| self.fits(likeness, *at, count));
            let mut starts: Vec<usize> = starts.collect();
            if starts.is_empty() {
                continue;
            }
            starts.sort_by_key(|at| at.abs_diff(start));
            let near =
                starts.iter().take_while(|at| at.abs_diff(start) <= STALE.max(starts[0].abs_diff(start))).count();
            if near > 1 {
                let span = |at: &usize| -> Span { self.lines.span(&(*at..at + count)) };
                return Err(RangeRefusal::NearRanges { ranges: starts[..near].iter().map(span).collect() });
            }
            return Ok(starts[0]..starts[0] + count);
        }
        Err(RangeRefusal::NoRange { lines: count })
    }

    /// Returns whether the `count` lines at `start` have the guards as their ends.
    fn fits(&self, likeness: Likeness, start: usize, count: usize) -> bool {
        let begins = self.first.is_none_or(|first| {
            first.lines.len() + first.blank_above <= count
                && self.lines.has(&first.lines, likeness, start + first.blank_above)
        });
        begins
            && self.last.is_none_or(|last| {
                let lines = last.lines.len() + last.blank_below;
                lines <= count && self.lines.has(&last.lines, likeness, start + count - lines)
            })
    }
}
