//! Blocks found by their first and last line alone.

use crate::query::{Occurrences, STEPS_PER_LINE};
use crate::{Query, Span, blank, line_end};

impl<'q> Query<'q> {
    /// Returns every line of the text that equals `trimmed` without the blanks at its ends, top to bottom.
    ///
    /// # Complexity
    ///
    /// One substring pass and a look at each line it hits; for an empty `trimmed` one pass over all lines.
    #[must_use]
    pub fn lines_trimmed_to<'a>(&'a self, trimmed: &'a str) -> LinesTrimmedTo<'a, 'q> {
        let from = if trimmed.is_empty() { Some(0) } else { self.first_occurrence(trimmed) };
        let places = self.occurrences_from(trimmed, from.unwrap_or(self.text().len()));
        LinesTrimmedTo { query: self, trimmed, places, below: from.filter(|_| trimmed.is_empty()) }
    }

    /// Returns, for each line that equals the old text's first (both trimmed), the block down to the first line that
    /// equals the old text's last and is at least two lines lower. One empty last line of the old text is dropped.
    ///
    /// Empty where the old text has fewer than three lines, counted before that line is dropped.
    ///
    /// # Complexity
    ///
    /// One [`lines_trimmed_to`](Self::lines_trimmed_to) for each of the two, walked side by side.
    #[must_use]
    pub fn anchor_blocks(&self) -> Option<AnchorBlocks<'_, 'q>> {
        if self.old_lines().len() < 3 {
            return None;
        }
        let lines = self.old_lines_trimmed();
        let (first, last) = (blank::trim(lines[0]), blank::trim(lines[lines.len() - 1]));
        if self.known_absent(last) {
            return None;
        }
        for anchor in [first, last].into_iter().filter(|anchor| !anchor.is_empty()) {
            self.first_occurrence(anchor)?;
        }
        let (first_lines, last_lines) = (self.lines_trimmed_to(first), self.lines_trimmed_to(last));
        Some(AnchorBlocks { haystack: self.text(), first_lines, last_lines, closing: None, last: None })
    }
}

/// Haystack lines with a given trimmed text; see [`Query::lines_trimmed_to`].
#[derive(Debug)]
pub struct LinesTrimmedTo<'a, 'q> {
    query: &'a Query<'q>,
    trimmed: &'a str,
    places: Occurrences<'a, 'q>,
    /// Start of the line to look at before searching on.
    below: Option<usize>,
}

impl LinesTrimmedTo<'_, '_> {
    /// Returns the next blank line, by looking at each.
    fn next_blank(&mut self) -> Option<Span> {
        let haystack = self.query.text();
        loop {
            let start = self.below?;
            let line = Span::new(start, line_end(haystack, start));
            self.below = below(haystack, line.end());
            if self.query.spend(line.len() + STEPS_PER_LINE).is_break() {
                return None;
            }
            if blank::is_blank_text(line.text(haystack)) {
                return Some(line);
            }
        }
    }

    /// Returns the next line that is not blank: the one below the last if it is one of those looked for, else the next
    /// one that a search finds. Such lines often occur in a row, and looking takes less time than starting a search.
    fn next_text(&mut self) -> Option<Span> {
        let row = self.below.take().and_then(|start| self.line_from(start));
        let line = row.or_else(|| self.search())?;
        if self.query.spend(line.len() + STEPS_PER_LINE).is_break() {
            return None;
        }
        self.places.skip_to(line.end());
        self.below = below(self.query.text(), line.end());
        Some(line)
    }

    fn search(&mut self) -> Option<Span> {
        loop {
            let place = self.places.next()?;
            if let Some(line) = self.line_at(place) {
                return Some(line);
            }
            let end = line_end(self.query.text(), place);
            if self.query.spend(end - place + STEPS_PER_LINE).is_break() {
                return None;
            }
            self.places.skip_to(end);
        }
    }

    /// Returns the line that starts at `start` if it is one of those looked for.
    fn line_from(&self, start: usize) -> Option<Span> {
        let rest = &self.query.text()[start..];
        let after = rest[blank::leading_inline(rest)..].strip_prefix(self.trimmed)?;
        let below = &after[blank::leading_inline(after)..];
        let end = start + rest.len() - below.len();
        (below.is_empty() || below.starts_with('\n')).then(|| Span::new(start, end))
    }

    /// Returns the line with the text at `place` if it has nothing but blanks beside it.
    fn line_at(&self, place: usize) -> Option<Span> {
        let haystack = self.query.text();
        let after = place + self.trimmed.len();
        let start = place - blank::trailing_inline(&haystack[..place]);
        let end = after + blank::leading_inline(&haystack[after..]);
        let is_line = (start == 0 || haystack.as_bytes()[start - 1] == b'\n')
            && haystack.as_bytes().get(end).is_none_or(|byte| *byte == b'\n');
        is_line.then(|| Span::new(start, end))
    }
}

impl Iterator for LinesTrimmedTo<'_, '_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        if self.trimmed.is_empty() { self.next_blank() } else { self.next_text() }
    }
}

/// Returns where the line below the one that ends at `end` starts.
fn below(haystack: &str, end: usize) -> Option<usize> {
    (end < haystack.len()).then_some(end + 1)
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
    /// The block before.
    last: Option<CountedBlock>,
}

/// A block whose lines were counted.
#[derive(Clone, Copy, Debug)]
struct CountedBlock {
    first: Span,
    closing: Span,
    lines: usize,
}

impl Iterator for AnchorBlocks<'_, '_> {
    type Item = AnchorBlock;

    fn next(&mut self) -> Option<AnchorBlock> {
        let first = self.first_lines.next()?;
        let second = below(self.haystack, first.end())?;
        let third = below(self.haystack, line_end(self.haystack, second))?;
        let closing = loop {
            match self.closing.filter(|closing| closing.start() >= third) {
                Some(closing) => break closing,
                None => self.closing = Some(self.last_lines.next()?),
            }
        };
        // Blocks overlap where many first lines wait for one closing line, so only what changed is counted.
        let lines = match self.last {
            Some(upper) if upper.closing.end() > first.start() => {
                upper.lines - self.steps(upper.first, first) + self.steps(upper.closing, closing)
            }
            _ => self.steps(first, closing) + 1,
        };
        self.last = Some(CountedBlock { first, closing, lines });
        Some(AnchorBlock { span: Span::new(first.start(), closing.end()), lines })
    }
}

impl AnchorBlocks<'_, '_> {
    /// Returns how many lines below `upper` the line `lower` is.
    fn steps(&self, upper: Span, lower: Span) -> usize {
        if lower.start() <= upper.end() + 1 {
            return usize::from(lower != upper);
        }
        memchr::memchr_iter(b'\n', &self.haystack.as_bytes()[upper.start()..lower.start()]).count()
    }
}
