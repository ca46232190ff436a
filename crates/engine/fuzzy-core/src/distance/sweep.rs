//! The free-start search of a whole text, in lanes.
//!
//! A text is read in segments, a segment is cut into `L` parts, and the parts advance side by
//! side. Each lane starts `reach` characters before its part, so every match within the limit
//! that ends in the part lies within what the lane has read. For the same reason a lane goes on to
//! its part of the next segment as if the texts were one.

use std::iter::Peekable;
use std::ops::ControlFlow;

use super::band::Band;
use super::kernel::{STRIP, Steps};
use super::pattern::Pattern;

/// Least length of a segment, in bytes: large against the cost of starting the lanes, small
/// against the caches.
const MIN_SEGMENT: usize = 1 << 16;

/// A pass over one text.
#[derive(Debug)]
pub(super) struct Sweep<'p, const L: usize> {
    pattern: &'p Pattern,
    limit: usize,
    /// Characters each lane reads before its part, in whole strips.
    warm: usize,
    /// Bytes read between two rounds of visits.
    segment: usize,
    /// Classes of the last `warm` characters before the segment, then of the segment.
    classes: Vec<u32>,
}

impl<'p, const L: usize> Sweep<'p, L> {
    pub(super) fn new(pattern: &'p Pattern, limit: usize, reach: usize) -> Self {
        // A single lane takes a text that is short against the pattern in one go.
        let (warm, segment) = if L == 1 {
            (0, usize::MAX)
        } else {
            let warm = reach.next_multiple_of(STRIP);
            (warm, MIN_SEGMENT.max(warm.saturating_mul(16)))
        };
        Self {
            pattern,
            limit,
            warm,
            segment,
            // Before the text come characters that the pattern lacks: no match is better for them.
            classes: vec![0; warm],
        }
    }

    /// Visits the stops within the limit, in order.
    pub(super) fn run(
        mut self,
        text: &str,
        mut stops: Peekable<impl Iterator<Item = usize>>,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while stops.next_if_eq(&0).is_some() {
            if self.pattern.len() <= self.limit {
                visit(0, self.pattern.len())?;
            }
        }
        if self.pattern.len() == 0 {
            for stop in stops {
                visit(stop, 0)?;
            }
            return ControlFlow::Continue(());
        }

        let mut band = Band::new(self.pattern, self.limit);
        let mut marks = Vec::new();
        let mut from = 0;
        while from < text.len() && stops.peek().is_some() {
            let to = text.floor_char_boundary(from.saturating_add(self.segment));
            marks.clear();
            self.load(&text[from..to], from, &mut stops, &mut marks);
            self.measure(&mut band, &mut marks);
            for mark in &marks {
                if let Some(distance) = mark.distance {
                    visit(mark.stop, distance)?;
                }
            }
            from = to;
        }
        ControlFlow::Continue(())
    }

    /// Appends the classes of a segment's characters and notes where its stops fall.
    fn load(
        &mut self,
        segment: &str,
        from: usize,
        stops: &mut Peekable<impl Iterator<Item = usize>>,
        marks: &mut Vec<Mark>,
    ) {
        let passed = self.classes.len() - self.warm;
        self.classes.drain(..passed);
        let first = self.classes.len();
        let mut done = 0;
        while done < segment.len() {
            let stop = stops.peek().map_or(segment.len(), |&stop| stop - from);
            let end = stop.min(segment.len());
            self.push(&segment[done..end]);
            done = end;
            while stops.next_if_eq(&(from + end)).is_some() {
                marks.push(Mark::new(from + end, self.classes.len() - first));
            }
        }
    }

    /// Appends the classes of some characters.
    fn push(&mut self, text: &str) {
        let pattern = self.pattern;
        if text.is_ascii() {
            let classes = text.bytes().map(|byte| pattern.ascii_class(byte));
            self.classes.extend(classes);
        } else {
            self.classes.extend(text.chars().map(|char| pattern.class(char)));
        }
    }

    /// Fills in the distances of the marks of the loaded segment.
    fn measure(&mut self, band: &mut Band<'_, L>, marks: &mut [Mark]) {
        let len = self.classes.len() - self.warm;
        let part = len.div_ceil(L).next_multiple_of(STRIP);
        // Characters after the text change nothing before it.
        self.classes.resize(self.warm + part * L, 0);

        // Each lane's marks, those of its first column excluded: the lane before ends there.
        let mut next = [0; L];
        for (lane, next) in next.iter_mut().enumerate() {
            *next = marks.partition_point(|mark| mark.column <= lane * part);
        }
        for start in (0..self.warm + part).step_by(STRIP) {
            let classes = std::array::from_fn(|lane| strip_at(&self.classes, lane * part + start));
            band.advance(&classes, &Steps::LEVEL);
            if start < self.warm {
                continue;
            }
            let done = start - self.warm;
            for (lane, next) in next.iter_mut().enumerate() {
                let base = lane * part + done;
                while let Some(mark) = marks.get_mut(*next)
                    && mark.column <= base + STRIP
                {
                    mark.distance = band.distance(lane, mark.column - base);
                    *next += 1;
                }
            }
        }
        self.classes.truncate(self.warm + len);
    }
}

/// A stop of the loaded segment.
#[derive(Debug)]
struct Mark {
    /// Byte offset in the text.
    stop: usize,
    /// Characters of the segment before it.
    column: usize,
    /// What was found, if within the limit.
    distance: Option<usize>,
}

impl Mark {
    fn new(stop: usize, column: usize) -> Self {
        Self { stop, column, distance: None }
    }
}

/// The classes of the strip that begins at `at`; the caller has padded the last one.
fn strip_at(classes: &[u32], at: usize) -> &[u32; STRIP] {
    classes.get(at..).and_then(<[u32]>::first_chunk).unwrap_or(&[0; STRIP])
}
