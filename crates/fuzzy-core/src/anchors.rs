//! Blocks found by their first and last line alone.

use crate::query::Occurrences;
use crate::{Query, Span, blank, line_end, line_start};

impl<'q> Query<'q> {
    /// Returns every haystack line that equals `trimmed` without the blanks at its ends, top to bottom.
    ///
    /// # Complexity
    ///
    /// One substring pass and a look at each line it hits; for an empty `trimmed` one pass over all lines.
    #[must_use]
    pub fn lines_trimmed_to<'a>(&'a self, trimmed: &'a str) -> LinesTrimmedTo<'a, 'q> {
        let from = if trimmed.is_empty() { Some(0) } else { self.first_occurrence(trimmed) };
        let places = self.occurrences_from(trimmed, from.unwrap_or(self.haystack().len()));
        LinesTrimmedTo { query: self, trimmed, places, at: from }
    }

    /// Returns, for each line that equals the needle's first (both trimmed), the block down to the first line that
    /// equals the needle's last and stands at least two lines lower. One empty last needle line is dropped.
    ///
    /// Empty where the needle has fewer than three lines, counted before that line is dropped.
    ///
    /// # Complexity
    ///
    /// One [`lines_trimmed_to`](Self::lines_trimmed_to) for each of the two, walked side by side.
    #[must_use]
    pub fn anchor_blocks(&self) -> Option<AnchorBlocks<'_, 'q>> {
        if self.needle_lines().len() < 3 {
            return None;
        }
        let lines = self.needle_lines_trimmed();
        let (first, last) = (blank::trim(lines[0]), blank::trim(lines[lines.len() - 1]));
        let occurs = |text: &str| text.is_empty() || self.first_occurrence(text).is_some();
        if self.known_absent(last) || !occurs(first) || !occurs(last) {
            return None;
        }
        let (first_lines, last_lines) = (self.lines_trimmed_to(first), self.lines_trimmed_to(last));
        Some(AnchorBlocks { haystack: self.haystack(), first_lines, last_lines, closing: None, last: None })
    }
}

/// Haystack lines with a given trimmed text; see [`Query::lines_trimmed_to`].
#[derive(Debug)]
pub struct LinesTrimmedTo<'a, 'q> {
    query: &'a Query<'q>,
    trimmed: &'a str,
    places: Occurrences<'a, 'q>,
    /// Start of the next line, where lines are walked one by one.
    at: Option<usize>,
}

impl Iterator for LinesTrimmedTo<'_, '_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let haystack = self.query.haystack();
        loop {
            let line = if self.trimmed.is_empty() {
                let start = self.at?;
                let end = line_end(haystack, start);
                self.at = (end < haystack.len()).then_some(end + 1);
                Span::new(start, end)
            } else {
                let place = self.places.next()?;
                let line = Span::new(line_start(haystack, place), line_end(haystack, place));
                self.places.skip_to(line.end());
                line
            };
            if self.query.spend(line.len() + 16).is_break() {
                return None;
            }
            if blank::trim(line.text(haystack)) == self.trimmed {
                return Some(line);
            }
        }
    }
}

/// A block between two anchor lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchorBlock {
    /// From the first line's start to the last line's end, without its `\n`.
    pub span: Span,
    /// How many lines it has, both anchors included; at least three.
    pub lines: usize,
}

/// Blocks between two anchor lines, both included, top to bottom; see [`Query::anchor_blocks`].
#[derive(Debug)]
pub struct AnchorBlocks<'a, 'q> {
    haystack: &'q str,
    first_lines: LinesTrimmedTo<'a, 'q>,
    last_lines: LinesTrimmedTo<'a, 'q>,
    /// The last closing line that was drawn; it may close later blocks too.
    closing: Option<Span>,
    last: Option<AnchorBlock>,
}

impl Iterator for AnchorBlocks<'_, '_> {
    type Item = AnchorBlock;

    fn next(&mut self) -> Option<AnchorBlock> {
        let first = self.first_lines.next()?;
        let below = |end: usize| (end < self.haystack.len()).then_some(end + 1);
        let second = below(first.end())?;
        let third = below(line_end(self.haystack, second))?;
        while self.closing.is_none_or(|closing| closing.start() < third) {
            self.closing = Some(self.last_lines.next()?);
        }
        let span = Span::new(first.start(), self.closing?.end());
        let newlines = |from: usize, to: usize| memchr::memchr_iter(b'\n', &self.haystack.as_bytes()[from..to]).count();
        // Blocks overlap where many first lines wait for one closing line, so only what changed is counted.
        let lines = match self.last {
            Some(AnchorBlock { span: last, lines }) if last.overlaps(span) => {
                lines - newlines(last.start(), span.start()) + newlines(last.end(), span.end())
            }
            _ => newlines(span.start(), span.end()) + 1,
        };
        self.last = Some(AnchorBlock { span, lines });
        self.last
    }
}
