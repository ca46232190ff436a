//! Walks over the lines of a patch, and looks ahead without a table of lines: a patch may be nothing but line breaks.

use crate::fence::Fence;

/// One line of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// The line without its `\n`; a `\r` before that is still there.
    pub(crate) text: &'t str,
    /// Counted from 1.
    pub(crate) number: usize,
}

impl<'t> Line<'t> {
    /// Returns the line without its line ending, `\n` or `\r\n`: what a marker is compared with.
    pub(crate) fn bare(self) -> &'t str {
        self.text.strip_suffix('\r').unwrap_or(self.text)
    }

    /// Returns whether the line ends in `\r\n`. Where a marker does, the patch was sent so, and the `\r` of the lines
    /// that it encloses says nothing about the file.
    pub(crate) fn has_return(self) -> bool {
        self.text.ends_with('\r')
    }

    /// Returns what the line means inside a block whose marker did or did not end in `\r\n`.
    pub(crate) fn content(self, returns: bool) -> &'t str {
        if returns { self.bare() } else { self.text }
    }

    /// Returns whether the line has nothing but white space.
    pub(crate) fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A place between two lines; a copy looks ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    rest: &'t str,
    number: usize,
    /// What is before the lines of a fence that is indented as a whole, in a list for instance.
    indent: &'t str,
    /// The line after that fence.
    until: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { rest: text, number: 1, indent: "", until: 0 }
    }

    /// Returns the line that comes next, without moving.
    pub(crate) fn peek(self) -> Option<Line<'t>> {
        let mut ahead = self;
        ahead.advance()
    }

    /// Returns whether the line that comes next begins with `mark`.
    pub(crate) fn starts_with(self, mark: &str) -> bool {
        self.peek().is_some_and(|line| line.text.starts_with(mark))
    }

    /// Returns the number of the line that comes next.
    pub(crate) const fn number(self) -> usize {
        self.number
    }

    /// Returns the line that comes next and goes after it.
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

    /// Returns the next line's text without the indentation of the fence that it is in.
    fn dedented(self, text: &'t str) -> &'t str {
        if self.number >= self.until {
            return text;
        }
        // Only blank lines lack it.
        text.strip_prefix(self.indent).unwrap_or_else(|| text.trim_start_matches([' ', '\t']))
    }

    /// Leaves out what `fence` has before its mark on the lines after it, up to the one that closes it, if every one
    /// has it. Returns the line that has not.
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

    /// Returns whether the lines that come next are those of an indented fence.
    pub(crate) const fn is_dedenting(self) -> bool {
        self.number < self.until
    }
}
