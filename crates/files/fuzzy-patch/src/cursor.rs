//! Reads the lines of a patch with lookahead, without a table of lines: a patch may consist of line breaks only.

use crate::fence::Fence;

/// One line of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// The line without its `\n`; a `\r` before that is kept.
    pub(crate) text: &'t str,
    /// The line's number, counted from 1.
    pub(crate) number: usize,
}

impl<'t> Line<'t> {
    /// Returns the line without its line ending, `\n` or `\r\n`, for comparison with a marker.
    pub(crate) fn bare(self) -> &'t str {
        self.text.strip_suffix('\r').unwrap_or(self.text)
    }

    /// Returns whether the line ends in `\r\n`. If a marker does, the patch was sent with `\r\n`, and the `\r` of the
    /// enclosed lines says nothing about the file.
    pub(crate) fn has_return(self) -> bool {
        self.text.ends_with('\r')
    }

    /// Returns the content of the line inside a block whose marker ends in `\r\n` (`returns`) or `\n`.
    pub(crate) fn content(self, returns: bool) -> &'t str {
        if returns { self.bare() } else { self.text }
    }

    /// Returns whether the line has nothing but white space.
    pub(crate) fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A position between two lines; a copy looks ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    rest: &'t str,
    number: usize,
    /// The indentation of a fence that is indented as a whole, for example in a list.
    indent: &'t str,
    /// The line after that fence.
    until: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { rest: text, number: 1, indent: "", until: 0 }
    }

    /// Returns the next line without moving.
    pub(crate) fn peek(self) -> Option<Line<'t>> {
        let mut ahead = self;
        ahead.advance()
    }

    /// Returns whether the next line begins with `mark`.
    pub(crate) fn starts_with(self, mark: &str) -> bool {
        self.peek().is_some_and(|line| line.text.starts_with(mark))
    }

    /// Returns the number of the next line.
    pub(crate) const fn number(self) -> usize {
        self.number
    }

    /// Returns the next line and moves past it.
    pub(crate) fn advance(&mut self) -> Option<Line<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest.as_bytes());
        let text = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = end.map_or("", |end| &self.rest[end + 1..]);
        let line = Line { text: self.dedented(text), number: self.number };
        self.number += 1;
        Some(line)
    }

    /// Returns the next line's text without the indentation of its fence.
    fn dedented(self, text: &'t str) -> &'t str {
        if self.number >= self.until {
            return text;
        }
        // Only blank lines may lack the indentation.
        text.strip_prefix(self.indent).unwrap_or_else(|| text.trim_start_matches([' ', '\t']))
    }

    /// Removes the indentation of `fence` from the lines after it, up to its closing line, if every line has it.
    /// Otherwise returns the line without it.
    pub(crate) fn dedent(&mut self, fence: Fence, indent: &'t str) -> Option<usize> {
        let mut ahead = *self;
        while let Some(line) = ahead.advance() {
            match line.text.strip_prefix(indent) {
                Some(text) if fence.is_closed_by(text) => break,
                None if !line.is_blank() => return Some(line.number),
                _ => {}
            }
        }
        (self.indent, self.until) = (indent, ahead.number);
        None
    }

    /// Returns whether the next line is inside an indented fence.
    pub(crate) const fn is_dedenting(self) -> bool {
        self.number < self.until
    }
}
