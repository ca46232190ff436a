//! Windows of whole lines that are similar to a text.

use std::cell::{Cell, RefCell};
use std::ops::{ControlFlow, RangeInclusive};

use rustc_hash::FxHashMap;

use crate::distance::{self, Pattern};
use crate::{Query, Similarity, Span};

/// Word steps that the pass over the text may take, about half a second: 5 MB against 6,000 characters.
const MAX_BOUNDING_STEPS: u64 = 1 << 29;

/// Word steps that measuring windows may take, less than a fifth of a second at three nanoseconds each.
const MAX_MEASURING_STEPS: u64 = 1 << 26;

/// Windows of whole lines that may be similar to a text, with their similarities on demand.
///
/// Distances and lengths count Unicode scalar values, those of a window without its last line's `\n`.
#[derive(Debug)]
pub struct SimilarWindows<'a, 'q> {
    query: &'a Query<'q>,
    text: &'a str,
    windows: Vec<SimilarWindow>,
    /// What was measured: files that repeat a line repeat windows too.
    measured: RefCell<FxHashMap<&'a str, Measured>>,
    work: Cell<u64>,
}

/// A distance, if it is no more than the limit.
#[derive(Clone, Copy, Debug)]
struct Measured {
    limit: usize,
    distance: Option<usize>,
}

/// A window of whole lines and a lower bound of its distance.
#[derive(Clone, Copy, Debug)]
pub struct SimilarWindow {
    /// From the first line's start to the last line's end, without its `\n`.
    pub span: Span,
    /// The first line, from 0.
    pub first: usize,
    /// How many lines.
    pub lines: usize,
    /// The longer one of the two lengths, the window's and the text's.
    pub longer: usize,
    /// A distance that the window's own is not less than.
    pub least_distance: usize,
}

impl SimilarWindow {
    /// Returns whether the two share a line.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.first < other.first + other.lines && other.first < self.first + self.lines
    }

    /// Returns a similarity that the window's own does not exceed.
    #[must_use]
    pub fn bound(&self) -> Similarity {
        Similarity::of_distance(self.least_distance, self.longer)
    }
}

impl<'q> Query<'q> {
    /// Finds the windows of `sizes` lines whose similarity to `text` may be `least` or more.
    ///
    /// No window of such similarity is missed. Breaks if the deadline has passed or if it would cost too much.
    ///
    /// # Complexity
    ///
    /// One pass over the lines' lengths; if those leave anything, one over the text that takes about
    /// `haystack * text / 64` word steps, two thirds of that for a `least` of 0.6 and a third for 0.8.
    pub fn similar_windows<'a>(
        &'a self,
        text: &'a str,
        sizes: RangeInclusive<usize>,
        least: Similarity,
    ) -> ControlFlow<(), SimilarWindows<'a, 'q>> {
        let (measured, work) = (RefCell::default(), Cell::new(0));
        let mut search = SimilarWindows { query: self, text, windows: Vec::new(), measured, work };
        let lengths = LineLengths::new(self);
        let length = distance::scalar_len(text);
        let window = |last: usize, lines: usize| {
            let first = (last + 1).checked_sub(lines).filter(|_| lines > 0)?;
            let (found, span) = lengths.window(first, lines);
            let longer = found.max(length);
            let window = SimilarWindow { span, first, lines, longer, least_distance: found.abs_diff(length) };
            (window.least_distance <= most_distance(longer, least)).then_some(window)
        };
        let mut limit = None;
        let mut ends = Vec::new();
        for last in 0..lengths.lines() {
            let windows = sizes.clone().filter_map(|lines| window(last, lines));
            let needed = windows.map(|window| most_distance(window.longer, least)).max();
            if needed.is_some() {
                ends.push(last);
                limit = limit.max(needed);
            }
        }
        let Some(limit) = limit else { return ControlFlow::Continue(search) };
        let cost = distance::cost(self.text().len(), length);
        if cost > MAX_BOUNDING_STEPS {
            self.too_costly()?;
        }
        // The parts of a text that advance side by side take a third of the time. Far more is read ahead of the stops
        // for a long text than for a short one, so it is not enough to look at the clock there.
        self.may_take(distance::time(cost) / 3)?;
        let mut at = 0;
        let stops = ends.iter().map_while(|last| {
            let end = lengths.end(*last);
            let read = std::mem::replace(&mut at, end);
            self.spend(end - read).is_continue().then_some(end)
        });
        let mut next = 0;
        let _ = Pattern::new(text).least_ending_at(self.text(), stops, limit, |stop, least_distance| {
            // No two lines end at the same byte, so the stop determines the line.
            while lengths.end(ends[next]) != stop {
                next += 1;
            }
            let windows = sizes.clone().filter_map(|lines| window(ends[next], lines));
            let bounded = windows
                .map(|window| SimilarWindow { least_distance: window.least_distance.max(least_distance), ..window });
            search.windows.extend(bounded.filter(|it| it.least_distance <= most_distance(it.longer, least)));
            ControlFlow::Continue(())
        });
        if self.stopped().is_some() {
            return ControlFlow::Break(());
        }
        search.windows.sort_by_key(|window| (window.first, window.lines));
        ControlFlow::Continue(search)
    }
}

impl SimilarWindows<'_, '_> {
    /// Returns the windows, by first line and then by the number of lines.
    #[must_use]
    pub fn all(&self) -> &[SimilarWindow] {
        &self.windows
    }

    /// Returns the window's distance, or nothing if its similarity is surely less than `least`.
    ///
    /// Breaks if the deadline has passed or if all that was measured has cost too much.
    pub fn distance(&self, window: &SimilarWindow, least: Similarity) -> ControlFlow<(), Option<usize>> {
        let limit = most_distance(window.longer, least);
        if window.least_distance > limit {
            return ControlFlow::Continue(None);
        }
        let there = window.span.text(self.query.text());
        self.query.spend(there.len())?;
        let known = self.measured.borrow().get(there).copied();
        if let Some(Measured { limit: known, distance }) = known
            && (distance.is_some() || limit <= known)
        {
            self.work(there.len().div_ceil(64))?;
            return ControlFlow::Continue(distance.filter(|distance| *distance <= limit));
        }
        let shorter = self.text.len().min(there.len());
        let band = (2 * limit + 1) / 64 + 2;
        self.work(shorter.saturating_mul(band.min(self.text.len().max(there.len()).div_ceil(64))))?;
        let distance = distance::scalar_distance_within(self.text, there, limit);
        self.measured.borrow_mut().insert(there, Measured { limit, distance });
        ControlFlow::Continue(distance)
    }

    /// Counts word steps, and breaks if none are left.
    fn work(&self, steps: usize) -> ControlFlow<()> {
        self.work.set(self.work.get().saturating_add(steps as u64));
        if self.work.get() > MAX_MEASURING_STEPS {
            self.query.too_costly()
        } else {
            self.query.may_take(distance::time(steps as u64))
        }
    }
}

/// Returns the greatest distance at which the similarity can be `least`, or one more.
fn most_distance(longer: usize, least: Similarity) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length times at most 1")]
    let most = ((1.0 - least.get()) * longer as f64) as usize;
    longer.min(most + 1)
}

/// Where lines start, in bytes and in scalar values.
struct LineLengths<'a> {
    table: &'a crate::LineTable,
    /// Scalar values before each line; one more is that of a line after the last.
    before: Vec<usize>,
}

impl<'a> LineLengths<'a> {
    fn new(query: &'a Query<'_>) -> Self {
        let table = query.document().lines();
        let haystack = query.text();
        let is_ascii = haystack.is_ascii();
        let mut before = Vec::with_capacity(table.len() + 1);
        let mut at = 0;
        for line in table.iter() {
            before.push(at);
            at += 1 + if is_ascii { line.len() } else { distance::scalar_len(line.text(haystack)) };
        }
        before.push(at);
        Self { table, before }
    }

    fn lines(&self) -> usize {
        self.table.len()
    }

    /// Returns the length and the span of a window that must lie inside the table.
    fn window(&self, first: usize, lines: usize) -> (usize, Span) {
        let span = Span::new(self.table.span(first).start(), self.end(first + lines - 1));
        (self.before[first + lines] - self.before[first] - 1, span)
    }

    /// Returns where a line ends.
    fn end(&self, line: usize) -> usize {
        self.table.span(line).end()
    }
}
