//! Finds literal texts in order, with blanks between them.

use std::ops::ControlFlow;

use crate::sequence::Sequence;
use crate::{Query, Span, blank, rarity};

/// The blanks between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// One or more blanks, line breaks included.
    Blanks,
    /// One or more blanks of one line, after its first other character.
    Inline,
    /// The blanks that a line starts with, none or more.
    Indent,
}

impl Gap {
    /// Returns the length in bytes of the gap at the start of `text`; none without a gap.
    fn at_start(self, text: &str) -> Option<usize> {
        let length = match self {
            Self::Blanks => blank::leading(text),
            Self::Inline | Self::Indent => blank::leading_inline(text),
        };
        (length > 0 || self == Self::Indent).then_some(length)
    }

    /// Returns the length in bytes of the gap at the end of `text`; none without a gap.
    fn at_end(self, text: &str) -> Option<usize> {
        let length = match self {
            Self::Blanks => blank::trailing(text),
            Self::Inline | Self::Indent => blank::trailing_inline(text),
        };
        (length > 0 || self == Self::Indent).then_some(length)
    }
}

/// An old text with collapsed runs of blanks: literal parts in order, with a gap between each two.
///
/// A gap covers all blanks of its kind at its place, so any one part determines the place of all.
#[derive(Clone, Debug)]
pub struct CollapsedPattern<'n> {
    parts: Vec<&'n str>,
    gap: Gap,
}

impl<'n> CollapsedPattern<'n> {
    /// Makes a pattern of `parts`, slices of an old text in its order.
    ///
    /// No part begins or ends with a blank that its gap would cover. Only the last part may be empty: the pattern then
    /// ends with a gap. With [`Gap::Indent`] every part except the last ends with `\n`, and the last is not empty.
    #[must_use]
    pub const fn new(parts: Vec<&'n str>, gap: Gap) -> Self {
        Self { parts, gap }
    }

    /// Returns the end of the place whose part `index` ends at `at`; adds the compared bytes to `work`.
    fn end(&self, haystack: &str, index: usize, mut at: usize, work: &mut usize) -> Option<usize> {
        for part in &self.parts[index + 1..] {
            let gap = self.gap.at_start(&haystack[at..])?;
            *work += gap + part.len() + 1;
            at += gap;
            at = haystack[at..].starts_with(part).then_some(at + part.len())?;
        }
        Some(at)
    }

    /// Returns the start of the place whose part `index` starts at `at`; adds the compared bytes to `work`.
    fn start(&self, haystack: &str, index: usize, mut at: usize, work: &mut usize) -> Option<usize> {
        for part in self.parts[..index].iter().rev() {
            let gap = self.gap.at_end(&haystack[..at])?;
            *work += gap + part.len() + 1;
            at -= gap;
            at = haystack[..at].ends_with(part).then(|| at - part.len())?;
        }
        Some(at)
    }

    /// Returns the units that a scan compares.
    fn units(&self) -> Vec<Unit> {
        let mut units = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 && self.gap != Gap::Indent {
                units.push(Unit::Gap);
            }
            units.extend(part.chars().map(Unit::Char));
        }
        units
    }
}

/// The unit of a scan: a character, or a gap of any blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Char(char),
    Gap,
}

/// Steps, in bytes of a scan, that one place of the rarest part costs before its verification.
const STEPS_PER_PLACE: usize = 48;

impl Query<'_> {
    /// Calls `visit` with the span of every place of `pattern`, left to right, each once.
    ///
    /// # Complexity
    ///
    /// One substring pass for the rarest part, and a verification around each of its places. Where that part is too
    /// frequent, one linear scan over the whole text. Memory is linear in the old text, whatever the text.
    pub fn places_of(
        &self,
        pattern: &CollapsedPattern<'_>,
        mut visit: impl FnMut(Span) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let parts = &pattern.parts;
        if parts.iter().any(|part| self.known_absent(part)) {
            return ControlFlow::Continue(());
        }
        let Some(rarest) = rarity::rarest(0..parts.len(), |part| parts[*part]) else {
            return ControlFlow::Continue(());
        };
        let Some(first) = self.first_occurrence(parts[rarest]) else { return self.go_on() };

        let haystack = self.text();
        // The cost of the scan. A small haystack is not worth one.
        let mut budget = 2 * haystack.len() + 4096;
        let mut visited = 0;
        for place in self.occurrences_from(parts[rarest], first) {
            let mut work = STEPS_PER_PLACE;
            if let Some(end) = pattern.end(haystack, rarest, place + parts[rarest].len(), &mut work)
                && let Some(start) = pattern.start(haystack, rarest, place, &mut work)
            {
                visited += 1;
                visit(Span::new(start, end))?;
            }
            self.spend(work)?;
            match budget.checked_sub(work) {
                Some(rest) => budget = rest,
                None => return self.scan(pattern, visited, visit),
            }
        }
        self.go_on()
    }

    /// Visits the places of `pattern` after the first `skip`, by one pass over the text.
    fn scan(
        &self,
        pattern: &CollapsedPattern<'_>,
        mut skip: usize,
        mut visit: impl FnMut(Span) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        Sequence::new(pattern.units()).scan(self.units(pattern.gap), |first, last| {
            if skip > 0 {
                skip -= 1;
                return ControlFlow::Continue(());
            }
            visit(Span::new(first.start(), last.end()))
        })?;
        self.go_on()
    }

    /// Streams the text's units, with gaps of this kind.
    fn units(&self, gap: Gap) -> impl Iterator<Item = (Unit, Span)> {
        let haystack = self.text();
        let mut at = 0;
        // Whether the line has only blanks so far.
        let mut is_indent = true;
        std::iter::from_fn(move || {
            loop {
                let rest = &haystack[at..];
                let c = rest.chars().next()?;
                if self.spend(c.len_utf8()).is_break() {
                    return None;
                }
                let start = at;
                at += c.len_utf8();
                let is_blank = blank::is_blank(c);
                let collapses = match gap {
                    Gap::Blanks => is_blank,
                    Gap::Inline => is_blank && c != '\n' && !is_indent,
                    Gap::Indent => is_blank && c != '\n' && is_indent,
                };
                is_indent = c == '\n' || is_indent && is_blank;
                if collapses {
                    at = start + gap.at_start(rest).unwrap_or(0);
                    if gap == Gap::Indent {
                        continue;
                    }
                    return Some((Unit::Gap, Span::new(start, at)));
                }
                return Some((Unit::Char(c), Span::new(start, at)));
            }
        })
    }

    /// Breaks if a filter was cut short.
    fn go_on(&self) -> ControlFlow<()> {
        if self.stopped().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests;
