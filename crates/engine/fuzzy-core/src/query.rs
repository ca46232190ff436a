//! One search: a document, an old text, and facts about both for several rungs.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Document;
use crate::finder::TextFinder;

/// Bytes of text looked at between two looks at the clock: about 100 µs of the slowest loop in the engine.
const BYTES_PER_CLOCK: usize = 1 << 16;

/// Bytes that one substring pass may cover between two looks at the clock, well under a millisecond.
const PASS_BYTES_PER_CLOCK: usize = 1 << 20;

/// Bytes that a substring pass covers in the time of one step of any other loop; measured, it is faster still.
const PASS_BYTES_PER_STEP: usize = 32;

/// Steps that finding and comparing one line cost beside those for its bytes: calls that take as long as so many bytes
/// of a scan.
pub(crate) const STEPS_PER_LINE: usize = 16;

/// The default budget of a query, in steps.
///
/// A step is a byte of the slowest loop in the engine, about 1.5 ns where this was measured. The command allows a
/// search two seconds, and this is more than ten times as long. So the clock ends a search first on any machine that
/// has one, and a machine without a clock ends it at the same place as every other.
const DEFAULT_BUDGET: u64 = 1 << 34;

/// The reason why a walk ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The query's deadline has passed, or its budget is spent.
    Deadline,
    /// A rung would have to do more work than it may on one query.
    TooCostly,
}

/// One search: a document, an old text, a deadline, and facts for several rungs, each computed once.
///
/// A query serves one walk on one thread; the document outlives it.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Document, Query};
///
/// let file = Document::new("a b");
/// assert_eq!(Query::new(&file, "b").old(), "b");
/// ```
pub struct Query<'q> {
    document: &'q Document<'q>,
    needle: &'q str,
    needle_lines: OnceCell<Vec<&'q str>>,
    /// Preparing it takes as long as the search of a short text, and an exact edit looks for its old text several times.
    needle_finder: OnceCell<TextFinder<'q>>,
    /// First occurrence of the old text.
    first: OnceCell<Option<usize>>,
    /// Second occurrence of the old text; may overlap the first.
    second: OnceCell<Option<usize>>,
    /// First occurrences of parts of the old text. A handful, so a list is searched faster than a map is hashed.
    parts: RefCell<Vec<(Box<str>, Option<usize>)>>,
    deadline: Option<Instant>,
    cancelled: Option<&'q AtomicBool>,
    budget: u64,
    /// Steps taken so far.
    spent: Cell<u64>,
    /// Work since the last look at the clock.
    work: Cell<usize>,
    stop: Cell<Option<Stop>>,
    /// Whether a rule of an exact edit asked for the whole text.
    reads_whole: Cell<bool>,
}

impl<'q> Query<'q> {
    /// Makes a query without a deadline and with a generous budget; computes nothing.
    #[must_use]
    pub fn new(document: &'q Document<'q>, old: &'q str) -> Self {
        Self {
            document,
            needle: old,
            needle_lines: OnceCell::new(),
            needle_finder: OnceCell::new(),
            first: OnceCell::new(),
            second: OnceCell::new(),
            parts: RefCell::new(Vec::new()),
            deadline: None,
            cancelled: None,
            budget: DEFAULT_BUDGET,
            spent: Cell::new(0),
            work: Cell::new(0),
            stop: Cell::new(None),
            reads_whole: Cell::new(false),
        }
    }

    /// Sets the moment after which the walk gives up.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets a flag that ends the walk like a deadline, soon after the flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: Option<&'q AtomicBool>) -> Self {
        self.cancelled = flag;
        self
    }

    /// Returns whether the walk was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Sets how many steps the walk may take before it gives up, as at a deadline. They are counted, not timed: the
    /// same query takes as many on every machine, and no clock is needed.
    #[must_use]
    pub fn with_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }

    /// Returns the number of steps spent so far.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Returns the searched document.
    #[must_use]
    pub fn document(&self) -> &'q Document<'q> {
        self.document
    }

    /// Returns the searched text.
    #[must_use]
    pub fn text(&self) -> &'q str {
        self.document.text()
    }

    /// Returns the text to a rule of an exact edit whose answer depends on more than the lines around the place.
    ///
    /// The decision is then not local ([`Judgement::is_local`](crate::Judgement::is_local)).
    #[must_use]
    pub fn whole_text(&self) -> &'q str {
        self.reads_whole.set(true);
        self.text()
    }

    /// Returns whether a rule asked for the whole text.
    pub(crate) fn reads_whole(&self) -> bool {
        self.reads_whole.get()
    }

    /// Returns the old text.
    #[must_use]
    pub fn old(&self) -> &'q str {
        self.needle
    }

    /// Returns the old text's lines as `split` gives them: nothing dropped, so a final `\n` makes an empty last line.
    #[must_use]
    pub fn old_lines(&self) -> &[&'q str] {
        self.needle_lines.get_or_init(|| self.needle.split('\n').collect())
    }

    /// Returns the old text's lines less one empty last line, so that a final `\n` adds no line.
    #[must_use]
    pub fn old_lines_trimmed(&self) -> &[&'q str] {
        let lines = self.old_lines();
        lines.strip_suffix(&[""]).unwrap_or(lines)
    }

    /// Returns where the old text itself occurs first.
    ///
    /// # Complexity
    ///
    /// At most one pass over the text, once for the query.
    #[must_use]
    pub fn first_exact(&self) -> Option<usize> {
        *self.first.get_or_init(|| self.exact_from(0))
    }

    /// Returns where the old text itself occurs for the second time; the two may overlap.
    #[must_use]
    pub fn second_exact(&self) -> Option<usize> {
        *self.second.get_or_init(|| self.first_exact().and_then(|first| self.exact_from(first + 1)))
    }

    fn exact_from(&self, from: usize) -> Option<usize> {
        self.occurrences_from(self.needle, from).next()
    }

    /// Returns where `part` occurs first, remembered for the query.
    ///
    /// The filter of nearly every rung: a text that has to occur and does not ends the rung after one pass, and the
    /// next rung that needs the same text pays nothing.
    #[must_use]
    pub fn first_occurrence(&self, part: &str) -> Option<usize> {
        if part == self.needle && !part.is_empty() {
            return self.first_exact();
        }
        if let Some((_, first)) = self.parts.borrow().iter().find(|(known, _)| **known == *part) {
            return *first;
        }
        let first = self.occurrences(part).next();
        self.parts.borrow_mut().push((part.into(), first));
        first
    }

    /// Returns whether `part` is already known not to occur; costs no pass.
    #[must_use]
    pub fn known_absent(&self, part: &str) -> bool {
        self.parts.borrow().iter().any(|(known, first)| first.is_none() && **known == *part)
    }

    /// Returns whether a part of `text` is already known not to occur, and with it `text`; costs no pass.
    #[must_use]
    pub fn known_absent_part(&self, text: &str) -> bool {
        self.parts.borrow().iter().any(|(known, first)| {
            first.is_none() && !known.is_empty() && memchr::memmem::find(text.as_bytes(), known.as_bytes()).is_some()
        })
    }

    /// Returns every place of `text`, left to right; places may overlap. An empty text has none.
    #[must_use]
    pub fn occurrences<'a>(&'a self, text: &'a str) -> Occurrences<'a, 'q> {
        self.occurrences_from(text, 0)
    }

    /// Returns every place of `text` that starts at `from` or later.
    #[must_use]
    pub fn occurrences_from<'a>(&'a self, text: &'a str, from: usize) -> Occurrences<'a, 'q> {
        let finder = if text == self.needle {
            self.needle_finder.get_or_init(|| TextFinder::new(self.needle)).clone()
        } else {
            TextFinder::new(text)
        };
        Occurrences { query: self, finder, at: from }
    }

    /// Returns the first place of the finder's text at `from` or later, looking at the clock on the way.
    fn find_from(&self, finder: &mut TextFinder<'_>, from: usize) -> Option<usize> {
        let haystack = self.text().as_bytes();
        let length = finder.len();
        let mut start = from;
        while start + length <= haystack.len() {
            let end = (start + PASS_BYTES_PER_CLOCK.max(length) + length).min(haystack.len());
            let found = finder.find(&haystack[start..end]);
            // A place was compared to its end, and the next one may overlap it.
            let passed = found.map_or(end - start, |at| at + length);
            if self.work(passed, passed / PASS_BYTES_PER_STEP).is_break() {
                return None;
            }
            if let Some(at) = found {
                return Some(start + at);
            }
            if end == haystack.len() {
                return None;
            }
            start = end - length + 1;
        }
        None
    }

    /// Counts `steps` of work, about a byte each, and breaks if the walk has to end; looks at the clock now and then.
    ///
    /// Every loop that can run for long calls this between bounded steps.
    #[inline]
    pub fn spend(&self, steps: usize) -> ControlFlow<()> {
        self.work(steps, steps)
    }

    /// Counts work in bytes until the next look at the clock, and in steps of the budget.
    #[inline]
    fn work(&self, bytes: usize, steps: usize) -> ControlFlow<()> {
        let (work, spent) = (self.work.get() + bytes, self.spent.get().saturating_add(steps as u64));
        self.spent.set(spent);
        if work < BYTES_PER_CLOCK && spent <= self.budget && self.stop.get().is_none() {
            self.work.set(work);
            return ControlFlow::Continue(());
        }
        self.look(Duration::ZERO)
    }

    /// Returns whether work that takes about `time` may begin which cannot look at the clock: not if it would end after
    /// the deadline, or overdraw the budget. A nanosecond counts as a step.
    pub fn may_take(&self, time: Duration) -> ControlFlow<()> {
        if let Ok(steps) = usize::try_from(time.as_nanos())
            && steps < BYTES_PER_CLOCK
        {
            return self.spend(steps);
        }
        let steps = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.spent.set(self.spent.get().saturating_add(steps));
        self.look(time)
    }

    /// Breaks if the budget is spent or the deadline is at most `ahead` away.
    #[cold]
    fn look(&self, ahead: Duration) -> ControlFlow<()> {
        self.work.set(0);
        if self.stop.get().is_none()
            && (self.spent.get() > self.budget
                || self.is_cancelled()
                || self.deadline.is_some_and(|deadline| Instant::now() + ahead >= deadline))
        {
            self.stop.set(Some(Stop::Deadline));
        }
        if self.stop.get().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns whether the walk has to end now, for work outside the walk that checks now and then.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.look(Duration::ZERO).is_break()
    }

    /// Ends the walk because the rung's exact answer would cost too much; the answer is then a refusal, not a guess.
    pub fn too_costly(&self) -> ControlFlow<()> {
        if self.stop.get().is_none() {
            self.stop.set(Some(Stop::TooCostly));
        }
        ControlFlow::Break(())
    }

    /// Returns why the walk has to end without an answer, if it has to.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        self.stop.get()
    }
}

impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("needle", &self.needle)
            .field("haystack_bytes", &self.text().len())
            .finish_non_exhaustive()
    }
}

/// The places of a text in a query's text, left to right, overlapping ones included.
#[derive(Debug)]
pub struct Occurrences<'a, 'q> {
    query: &'a Query<'q>,
    finder: TextFinder<'a>,
    at: usize,
}

impl Occurrences<'_, '_> {
    /// Leaves out the places that start before `offset`.
    pub fn skip_to(&mut self, offset: usize) {
        self.at = self.at.max(offset);
    }
}

impl Iterator for Occurrences<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.finder.len() == 0 {
            return None;
        }
        let found = self.query.find_from(&mut self.finder, self.at)?;
        // No occurrence begins inside a character, so the next byte is as good a start as the next boundary.
        self.at = found + 1;
        Some(found)
    }
}
