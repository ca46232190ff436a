//! Windows of whole lines that equal the old text's lines under a normal form.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::query::STEPS_PER_LINE;
use crate::sequence::Sequence;
use crate::{Query, Span, blank, line_end, line_start, rarity};

/// A normal form of single lines: two lines are the same when their normal forms are.
pub trait LineForm {
    /// Returns the normal form of `line`, which holds no `\n`.
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str>;

    /// Returns the normal form of all lines of the text that equal `old_line`.
    fn wanted<'t>(&self, old_line: &'t str) -> Cow<'t, str> {
        self.normal(old_line)
    }

    /// Returns a part of the old text's line that occurs literally in every line with the same normal form.
    ///
    /// It filters the text: the longer, the better. An empty one filters nothing.
    fn anchor<'t>(&self, old_line: &'t str) -> &'t str;
}

/// Lines without the blanks at both ends.
#[derive(Clone, Copy, Debug)]
pub struct Trimmed;

impl LineForm for Trimmed {
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(blank::trim(line))
    }

    fn anchor<'t>(&self, old_line: &'t str) -> &'t str {
        blank::trim(old_line)
    }
}

/// Lines without the blanks at their end.
#[derive(Clone, Copy, Debug)]
pub struct TrimmedEnd;

impl LineForm for TrimmedEnd {
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(blank::trim_end(line))
    }

    fn anchor<'t>(&self, old_line: &'t str) -> &'t str {
        blank::trim(old_line)
    }
}

/// Lines without the blanks at their start.
#[derive(Clone, Copy, Debug)]
pub struct Stripped;

impl LineForm for Stripped {
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(blank::trim_start(line))
    }

    fn anchor<'t>(&self, old_line: &'t str) -> &'t str {
        blank::trim(old_line)
    }
}

impl Query<'_> {
    /// Calls `visit` with the span of every window of `lines.len()` lines of the text that equal `lines` under `form`,
    /// top to bottom. A span runs from the first line's start to the last line's end, without its `\n`.
    ///
    /// # Complexity
    ///
    /// Usually two or three substring passes: one for each of the old text's first, last and rarest line, and a
    /// verification around each place of the rarest. Where that line is too frequent, or no line says anything, one
    /// linear scan over all lines. Memory is linear in the old text, whatever the text.
    pub fn windows_equal_by(
        &self,
        lines: &[&str],
        form: &impl LineForm,
        mut visit: impl FnMut(Span) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let anchors: Vec<&str> = lines.iter().map(|line| form.anchor(line)).collect();
        if anchors.iter().any(|anchor| self.known_absent(anchor)) {
            return ControlFlow::Continue(());
        }
        let rarest = rarity::rarest(0..lines.len(), |line| anchors[*line]);
        // The first and the last line come first because the rungs that anchor on them ask for the same two.
        for line in [Some(0), lines.len().checked_sub(1), rarest].into_iter().flatten() {
            if lines.is_empty() || (!anchors[line].is_empty() && self.first_occurrence(anchors[line]).is_none()) {
                return ControlFlow::Continue(());
            }
        }
        let search = WindowSearch { query: self, normals: lines.iter().map(|line| form.wanted(line)).collect(), form };
        let from = match rarest {
            Some(line) => search.around(line, anchors[line], &mut visit)?,
            None => Some(0),
        };
        match from {
            Some(from) => search.scan(from, &mut visit),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Query<'_> {
    /// Calls `visit` with the span of every window of `lines` text lines that holds the text under `core` and
    /// beside it nothing but blanks, top to bottom.
    ///
    /// # Complexity
    ///
    /// Linear in the blanks around the core and in the windows that there are.
    pub fn windows_around(
        &self,
        core: Span,
        lines: usize,
        mut visit: impl FnMut(Span) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let haystack = self.text();
        // Only the blanks beside the core are looked at: its line may be the whole file, and hold many such cores.
        let above = blank::trailing(&haystack[..core.start()]);
        let below = blank::leading(&haystack[core.end()..]);
        self.spend(core.len() + above + below)?;
        let core_lines = memchr::memchr_iter(b'\n', &haystack.as_bytes()[core.range()]).count() + 1;
        let Some(spare) = lines.checked_sub(core_lines) else { return ControlFlow::Continue(()) };
        let (top, bottom) = (core.start() - above, core.end() + below);
        let bytes = haystack.as_bytes();
        // Where the line starts that holds the blank before `at`, and where the one ends that holds the blank after it.
        let start_above = |at: usize| {
            let newline = memchr::memrchr(b'\n', bytes.get(top..at)?);
            newline.map(|newline| top + newline + 1).or((top == 0).then_some(0))
        };
        let end_below = |at: usize| {
            let newline = memchr::memchr(b'\n', bytes.get(at..bottom)?);
            newline.map(|newline| at + newline).or((bottom == bytes.len()).then_some(bottom))
        };
        let (Some(mut start), Some(mut end)) = (start_above(core.start()), end_below(core.end())) else {
            return ControlFlow::Continue(());
        };
        // The topmost window takes as many of the spare lines as there are above, and the rest below.
        let mut spare_above = 0;
        while spare_above < spare
            && let Some(higher) = start.checked_sub(1).and_then(start_above)
        {
            (start, spare_above) = (higher, spare_above + 1);
        }
        for _ in spare_above..spare {
            match end_below(end + 1) {
                Some(lower) => end = lower,
                None => return ControlFlow::Continue(()),
            }
        }
        loop {
            visit(Span::new(start, end))?;
            let Some(lower) = end_below(end + 1).filter(|_| spare_above > 0) else { break };
            (start, end, spare_above) = (line_end(haystack, start) + 1, lower, spare_above - 1);
        }
        ControlFlow::Continue(())
    }
}

/// A search for the windows whose lines have these normal forms.
struct WindowSearch<'a, 'q, F> {
    query: &'a Query<'q>,
    normals: Vec<Cow<'a, str>>,
    form: &'a F,
}

impl<F: LineForm> WindowSearch<'_, '_, F> {
    /// Visits the windows whose line `index` holds `anchor`, looking only around the anchor's places.
    ///
    /// Gives up when verifying has cost more than a scan would; returns where the scan then has to start.
    fn around(
        &self,
        index: usize,
        anchor: &str,
        visit: &mut impl FnMut(Span) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<usize>> {
        let haystack = self.query.text();
        // The cost of the scan. A small haystack is not worth one.
        let mut budget = haystack.len() / 2 + 4096;
        let first = self.query.first_occurrence(anchor).unwrap_or(haystack.len());
        let mut places = self.query.occurrences_from(anchor, first);
        while let Some(place) = places.next() {
            let line = Span::new(line_start(haystack, place), line_end(haystack, place));
            places.skip_to(line.end());
            let mut work = line.len() + 64;
            if self.same(line, index)
                && let Some(window) = self.verify(line, index, &mut work)
            {
                visit(window)?;
            }
            self.query.spend(work)?;
            match budget.checked_sub(work) {
                Some(rest) => budget = rest,
                None => return ControlFlow::Continue(self.start_below(line, index)),
            }
        }
        if self.query.stopped().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(None) }
    }

    /// Returns whether a line of the text equals line `index` of the old text.
    fn same(&self, line: Span, index: usize) -> bool {
        self.form.normal(line.text(self.query.text())) == self.normals[index]
    }

    /// Returns the window whose line `index` is `line`, if all its other lines are the old text's.
    fn verify(&self, line: Span, index: usize, work: &mut usize) -> Option<Span> {
        let haystack = self.query.text();
        let mut start = line.start();
        for above in (0..index).rev() {
            let end = start.checked_sub(1)?;
            start = line_start(haystack, end);
            *work += end - start + STEPS_PER_LINE;
            if !self.same(Span::new(start, end), above) {
                return None;
            }
        }
        let mut end = line.end();
        for below in index + 1..self.normals.len() {
            if end == haystack.len() {
                return None;
            }
            let start = end + 1;
            end = line_end(haystack, start);
            *work += end - start + STEPS_PER_LINE;
            if !self.same(Span::new(start, end), below) {
                return None;
            }
        }
        Some(Span::new(start, end))
    }

    /// Returns the start of the line below the one at which the window with `line` as its line `index` begins.
    fn start_below(&self, line: Span, index: usize) -> Option<usize> {
        let haystack = self.query.text();
        let mut start = line.start();
        for _ in 0..index {
            match start.checked_sub(1) {
                Some(end) => start = line_start(haystack, end),
                None => return Some(0),
            }
        }
        let end = line_end(haystack, start);
        (end < haystack.len()).then_some(end + 1)
    }

    /// Visits the windows that start at `from` or later by one pass over the lines.
    fn scan(&self, from: usize, visit: &mut impl FnMut(Span) -> ControlFlow<()>) -> ControlFlow<()> {
        let haystack = self.query.text();
        let mut ids = FxHashMap::default();
        let mut lengths = 0_u64;
        let pattern = self.normals.iter().map(|normal| {
            lengths |= 1 << (normal.len() & 63);
            let next = ids.len();
            Some(*ids.entry(&**normal).or_insert(next))
        });
        let sequence = Sequence::new(pattern.collect());
        let mut at = Some(from);
        let units = std::iter::from_fn(|| {
            let start = at?;
            let end = line_end(haystack, start);
            at = (end < haystack.len()).then_some(end + 1);
            if self.query.spend(end - start + STEPS_PER_LINE).is_break() {
                return None;
            }
            let normal = self.form.normal(&haystack[start..end]);
            // Most lines have a length that no line of the needle has, and need no look-up.
            let id = if lengths >> (normal.len() & 63) & 1 == 1 { ids.get(&*normal).copied() } else { None };
            Some((id, Span::new(start, end)))
        });
        sequence.scan(units, |first, last| visit(Span::new(first.start(), last.end())))?;
        if self.query.stopped().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
