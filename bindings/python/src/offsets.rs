//! Converts byte offsets to code points, which index Python strings, and to line numbers.

use fuzzy_pipeline::Span;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The start, in code points.
    pub(crate) start: usize,
    /// The end, in code points.
    pub(crate) end: usize,
    /// The start and the end, in bytes of UTF-8.
    pub(crate) bytes: (usize, usize),
    /// The first and the last line, counted from 1.
    pub(crate) lines: (usize, usize),
}

/// Counts code points and lines from one place to the next, so that many places in order cost one pass over the text.
pub(crate) struct Offsets<'t> {
    text: &'t str,
    is_ascii: bool,
    at: Position,
}

#[derive(Clone, Copy, Default)]
struct Position {
    byte: usize,
    points: usize,
    /// The number of line breaks before it.
    breaks: usize,
}

impl<'t> Offsets<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii(), at: Position::default() }
    }

    /// Converts a span.
    pub(crate) fn of(&mut self, span: Span) -> Spot {
        let start = self.position(span.start());
        let end = self.position(span.end());
        // A span that ends after a line break does not cover the next line.
        let ends_line = span.end() > span.start() && self.text[..span.end()].ends_with('\n');
        let last = end.breaks + 1 - usize::from(ends_line);
        Spot {
            start: start.points,
            end: end.points,
            bytes: (start.byte, end.byte),
            lines: (start.breaks + 1, last.max(start.breaks + 1)),
        }
    }

    fn position(&mut self, byte: usize) -> Position {
        let Position { byte: last, points, breaks } = self.at;
        let (passed, is_forward) = if byte >= last { (last..byte, true) } else { (byte..last, false) };
        let passed = &self.text[passed];
        let (more_points, more_breaks) = (self.points(passed), passed.bytes().filter(|byte| *byte == b'\n').count());
        self.at = if is_forward {
            Position { byte, points: points + more_points, breaks: breaks + more_breaks }
        } else {
            Position { byte, points: points - more_points, breaks: breaks - more_breaks }
        };
        self.at
    }

    fn points(&self, text: &str) -> usize {
        if self.is_ascii { text.len() } else { text.chars().count() }
    }
}
