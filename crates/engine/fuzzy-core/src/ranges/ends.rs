//! Where a range ends: the rule of the last text.

use std::ops::Range;

use super::depth::Depths;
use super::lines::{FileLines, Likeness, QuotedLines, body, has_word, lead, width};
use crate::RangeRefusal;
use crate::decider::REPORTED;

/// Marks at the start of a line that closes a block.
const CLOSING: [char; 3] = ['}', ')', ']'];

/// Marks at the end of a line that opens a block.
const OPENING: [char; 4] = ['{', '(', '[', ':'];

/// Returns whether a text is one block: a line, deeper lines below it, and marks around them.
pub(crate) fn is_block(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else { return false };
    let is_mark = |line: &str| line.trim_start().starts_with(CLOSING) || line.trim() == "{";
    lines.all(|line| width(lead(line)) > width(lead(first)) || is_mark(line))
}

/// The reason why a range ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// `last` does not occur again, at its indentation, before the block of `first` ends.
    OnlyOne,
    /// It is the first `last`, and every line between is deeper than `first`. Either it has the depth of `first`; or it is
    /// the last deeper line, and the new text is one block, too.
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
            Self::ClosesBlock => "it is the first `last`, and closes or ends the block that `first` opens",
            Self::ExpectedLines => "the range has the expected number of lines",
            Self::Numbers => "the line numbers say so",
        }
    }
}

/// The indentation of a text that may be `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// As much deeper than `first` as in the quotes; without indentation, that of `first`.
    Relative,
    /// That of the quote.
    AsGiven,
    Any,
}

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The line after the last one.
    pub(super) line: usize,
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
    /// Whether the new text is one block: its first line, and lines below it that belong to it.
    pub(super) is_new_block: bool,
    /// Whether the new text leaves the block of its first line itself.
    pub(super) is_new_out: bool,
}

impl EndSearch<'_> {
    /// Returns the end that an equal `last` decides; none if there is no equal text at its indentation.
    ///
    /// # Errors
    ///
    /// Returns the reason why no end is certain, with all candidates.
    pub(super) fn decide(&self) -> Result<Option<End>, RangeRefusal> {
        let readings = [
            (Likeness::Equal, Depth::Relative),
            (Likeness::Tokens, Depth::Relative),
            (Likeness::Equal, Depth::AsGiven),
        ];
        if let Some(expected) = self.expected_lines {
            return self.expected(expected);
        }
        for (likeness, depth) in readings {
            let ends: Vec<usize> = self.ends(likeness, depth).collect();
            let Some(nearest) = ends.first().copied() else { continue };
            let found = |end, reason| Ok(Some(End { line: end, reason, likeness }));
            if let Some(stripped) = self.stripped(likeness, nearest)? {
                return found(stripped, EndReason::OnlyOne);
            }
            if self.is_inner_mark(nearest) {
                let lines = self.lines.span(&(nearest - self.last.lines.len()..nearest));
                return Err(RangeRefusal::OnlyMarks { lines, is_last: true });
            }
            if let Some(line) = self.way_out(nearest).filter(|_| !self.is_new_out) {
                let line = self.lines.span(&(line..line + 1));
                return Err(RangeRefusal::LeavesBlock { line, range: self.range(nearest) });
            }
            if let Some(other) = self.other_mark(nearest) {
                return Err(RangeRefusal::Undecided { ends: self.ranges(&[other, nearest]) });
            }
            if let Some(outer) = self.outer(nearest) {
                return Err(RangeRefusal::Undecided { ends: self.ranges(&[nearest, outer]) });
            }
            if self.closes_block(nearest) || (self.is_new_block && self.is_end_of_block(nearest)) {
                return found(nearest, EndReason::ClosesBlock);
            }
            let in_block: Vec<usize> = ends.into_iter().take_while(|end| self.is_in_block(nearest, *end)).collect();
            if in_block.len() > 1 {
                return Err(RangeRefusal::Undecided { ends: self.ranges(&in_block) });
            }
            return found(nearest, EndReason::OnlyOne);
        }
        for likeness in [Likeness::Equal, Likeness::Tokens] {
            if let [only] = self.in_block(likeness)[..] {
                return Ok(Some(End { line: only, reason: EndReason::OnlyOne, likeness }));
            }
        }
        Ok(None)
    }

    /// Returns the end with the expected number of lines: at an equal `last` at any depth, or at another mark that a
    /// refusal has offered.
    fn expected(&self, expected: usize) -> Result<Option<End>, RangeRefusal> {
        let end = self.first.start.saturating_add(expected);
        let mut all = Vec::new();
        for likeness in [Likeness::Equal, Likeness::Tokens] {
            let ends: Vec<usize> = self.ends(likeness, Depth::Any).collect();
            let is_offered = |other: &usize| *other == end || self.other_mark(*other) == Some(end);
            if ends.iter().any(is_offered) {
                return Ok(Some(End { line: end, reason: EndReason::ExpectedLines, likeness }));
            }
            all = ends;
        }
        // A similar text may end the range.
        if all.is_empty() { Ok(None) } else { Err(RangeRefusal::OtherLength { expected, ends: self.ranges(&all) }) }
    }

    /// Returns the ends in the block of `first`, if both quotes lost their indentation, which then says nothing.
    fn in_block(&self, likeness: Likeness) -> Vec<usize> {
        let has_lost = |lead: &str| lead.is_empty();
        if !has_lost(self.depths.quoted) || !has_lost(lead(self.last.lines[0])) {
            return Vec::new();
        }
        let block = width(self.depths.there);
        let is_inside = |at: usize| self.lines.is_blank(at) || self.lines.depth(at) > block || self.continues(at);
        let until = (self.first.end..self.lines.len()).find(|at| !is_inside(*at)).unwrap_or_else(|| self.lines.len());
        // A line at the depth of `first` may close the block.
        self.ends(likeness, Depth::Any).take_while(|end| *end <= until).collect()
    }

    /// Returns the end of a `last` without indentation in the block of `first`, if its depth is not that of `first`.
    ///
    /// # Errors
    ///
    /// Refuses a `last` that also stands in the file as it is quoted, if the quote of `first` has its indentation.
    fn stripped(&self, likeness: Likeness, nearest: usize) -> Result<Option<usize>, RangeRefusal> {
        let there = width(self.depths.there);
        if !lead(self.last.lines[0]).is_empty() || there == 0 {
            return Ok(None);
        }
        if self.depths.are_equal() {
            let count = self.last.lines.len();
            let mut given = self.lines.places(&self.last.lines, Likeness::Equal, nearest);
            return given.next().map_or(Ok(None), |other| {
                Err(RangeRefusal::Undecided { ends: self.ranges(&[nearest, other + count]) })
            });
        }
        let in_block = self.in_block(likeness);
        Ok(match in_block[..] {
            [only] if only < nearest => Some(only),
            _ => None,
        })
    }

    /// Returns the refusal without an equal `last` at its indentation, with the ranges to equal texts at another one.
    pub(super) fn no_last(&self) -> RangeRefusal {
        let ends: Vec<usize> = self.ends(Likeness::Tokens, Depth::Any).collect();
        RangeRefusal::NoLast { ends: self.ranges(&ends) }
    }

    /// Returns the line after another mark that closes a block at the depth of `last`, a closing mark, before it: `},` is
    /// where a quote of `}` may be meant to end.
    fn other_mark(&self, end: usize) -> Option<usize> {
        let last = end - self.last.lines.len();
        let is_mark = |at: usize| {
            let line = self.lines.line(at);
            line.trim_start().starts_with(CLOSING) && !line.ends_with(OPENING) && !has_word(line)
        };
        let is_last_mark = self.last.lines.len() == 1 && is_mark(last);
        let depth = self.lines.depth(last);
        let mut between = self.first.end..last;
        is_last_mark
            .then(|| between.find(|at| is_mark(*at) && self.lines.depth(*at) == depth))
            .flatten()
            .map(|at| at + 1)
    }

    /// Returns the first line between `first` and the end that is less deep than both, and so outside their block.
    pub(super) fn way_out(&self, end: usize) -> Option<usize> {
        let last = end - self.last.lines.len();
        let depth = width(self.depths.there).min(self.lines.depth(last));
        (self.first.end..last).find(|at| !self.lines.is_blank(*at) && self.lines.depth(*at) < depth)
    }

    /// Returns whether `last` is only marks that are deeper than `first`, and a block of `first` ends with marks above it or
    /// below it: a slip in its indentation would be that end.
    fn is_inner_mark(&self, end: usize) -> bool {
        let block = width(self.depths.there);
        let is_end = |at: &usize| !self.lines.is_blank(*at) && self.lines.depth(*at) <= block;
        let is_mark = |at: usize| !has_word(self.lines.line(at));
        let is_inner = self.lines.depth(end - 1) > block && !self.last.lines.iter().any(|line| has_word(line));
        let ends_above = || (self.first.end..end - self.last.lines.len()).any(|at| is_end(&at) && is_mark(at));
        is_inner && ((end..self.lines.len()).find(is_end).is_some_and(is_mark) || ends_above())
    }

    /// Returns the line after another text that equals `last`, is less deep than the one before `end`, and is the last line
    /// of the block of `first` or in it: a slip in the indentation of `last` would be that end.
    fn outer(&self, end: usize) -> Option<usize> {
        let block = width(self.depths.there);
        let is_inside = |at: usize| self.lines.is_blank(at) || self.lines.depth(at) > block;
        let depth = self.lines.depth(end - 1);
        let mut later = self.ends(Likeness::Tokens, Depth::Any).skip_while(|other| *other <= end);
        let other = later.find(|other| (block..depth).contains(&self.lines.depth(other - 1)))?;
        (self.first.end..other - 1).all(is_inside).then_some(other)
    }

    /// Returns the lines after every text that equals `last` and has such an indentation, the nearest first.
    fn ends(&self, likeness: Likeness, depth: Depth) -> impl Iterator<Item = usize> + '_ {
        let quoted = &self.last.lines;
        // The quote of the first lines may include the last one.
        let from = self.first.end.saturating_sub(quoted.len()).max(self.first.start);
        let until = (self.lines.len() + 1).saturating_sub(quoted.len());
        let has_depth = move |at: usize| match depth {
            Depth::Any => true,
            // A mark alone, such as a bracket, is everywhere.
            Depth::AsGiven => quoted.iter().any(|line| has_word(line)) && self.lines.has(quoted, Likeness::Equal, at),
            Depth::Relative => {
                let (first, there) = (lead(quoted[0]), lead(self.lines.line(at)));
                let within = Depths { quoted: first, there };
                let rest = quoted.iter().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
                self.depths.is_at(first, there)
                    && rest
                        .into_iter()
                        .all(|(index, line)| within.is_as_deep(lead(line), lead(self.lines.line(at + index))))
            }
        };
        let is_here = move |at: usize| {
            let mut lines = quoted.iter().enumerate();
            at + quoted.len() >= self.first.end
                && lines.all(|(index, line)| likeness.holds_of_body(self.lines.line(at + index), line))
                && has_depth(at)
        };
        (from..until).filter(move |at| is_here(*at)).map(move |at| at + quoted.len())
    }

    /// Returns whether the `last` before `end` closes the block that `first` opens: its last line has the depth of `first`,
    /// and every line between is deeper.
    fn closes_block(&self, end: usize) -> bool {
        let (start, last) = (end - self.last.lines.len(), end - 1);
        if start < self.first.end || self.lines.depth(last) != width(self.depths.there) {
            return false;
        }
        let mut between = (self.first.end..last).filter(|at| !self.lines.is_blank(*at)).peekable();
        let line = self.lines.line(last);
        let is_closing = line.trim_start().starts_with(CLOSING);
        // Marks such as a fence open a block as well.
        let closes = is_closing || (has_word(line) && between.peek().is_some());
        closes && between.all(|at| self.lines.depth(at) > width(self.depths.there) || self.continues(at))
    }

    /// Returns whether the lines before `end` are the block of `first`, without a line at its depth that closes it.
    fn is_end_of_block(&self, end: usize) -> bool {
        let block = width(self.depths.there);
        let is_solid = |at: &usize| !self.lines.is_blank(*at);
        let is_deeper = |at: usize| self.lines.depth(at) > block;
        end - self.last.lines.len() >= self.first.end
            && (self.first.end..end).filter(is_solid).all(is_deeper)
            && !(end..self.lines.len()).find(is_solid).is_some_and(is_deeper)
    }

    /// Returns whether a line at the depth of `first` opens its block, or continues it: `{`, `) {`, `} else {`.
    fn continues(&self, at: usize) -> bool {
        let line = body(self.lines.line(at));
        let is_deep = self.lines.depth(at) == width(self.depths.there);
        is_deep && line.ends_with(OPENING) && (line.len() == 1 || line.starts_with(CLOSING))
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
