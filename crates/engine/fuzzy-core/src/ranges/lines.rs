//! Whole lines of a text and of a quote, and their comparison.

use std::ops::Range;

use crate::blank::{is_blank_text, trim_end, words};
use crate::{LineTable, Span};

/// The characters of indentation. Other blanks, such as a byte order mark, are text.
const INDENTATION: [char; 2] = [' ', '\t'];

/// The columns of a tab, for a comparison of depths alone.
const TAB: usize = 8;

/// How far two lines have to be alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Byte for byte.
    Equal,
    /// The same words and marks, whatever the blanks between them.
    Tokens,
}

impl Likeness {
    /// Returns whether two lines are so much alike.
    pub(super) fn holds(self, one: &str, other: &str) -> bool {
        match self {
            Self::Equal => one == other,
            Self::Tokens => tokens(one).eq(tokens(other)),
        }
    }

    /// Returns whether two lines without their indentation are so much alike.
    pub(super) fn holds_of_body(self, one: &str, other: &str) -> bool {
        match self {
            Self::Equal => body(one) == body(other),
            Self::Tokens => self.holds(one, other),
        }
    }
}

/// Returns the words, and the runs of other characters between them and between blanks.
pub(crate) fn tokens(line: &str) -> impl Iterator<Item = &str> {
    words(line).flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let is_word = is_word_part(rest.chars().next()?);
            let end = rest.find(|c| is_word_part(c) != is_word).unwrap_or(rest.len());
            let (token, after) = rest.split_at(end);
            rest = after;
            Some(token)
        })
    })
}

/// Returns whether a character is a part of words.
pub(crate) fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether a line has a word.
pub(crate) fn has_word(line: &str) -> bool {
    line.contains(is_word_part)
}

/// Returns the indentation of a line.
pub(crate) fn lead(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(INDENTATION).len()]
}

/// Returns a line without its indentation and the blanks at its end.
pub(crate) fn body(line: &str) -> &str {
    trim_end(line.trim_start_matches(INDENTATION))
}

/// Returns the columns of an indentation.
pub(crate) fn width(lead: &str) -> usize {
    lead.chars().fold(0, |width, c| if c == '\t' { (width / TAB + 1) * TAB } else { width + 1 })
}

/// The lines of a text, without an empty line after a last line break.
#[derive(Clone, Copy)]
pub(crate) struct FileLines<'t> {
    text: &'t str,
    table: &'t LineTable,
    count: usize,
}

impl<'t> FileLines<'t> {
    pub(crate) fn new(text: &'t str, table: &'t LineTable) -> Self {
        let is_closed = table.span(table.len() - 1).is_empty();
        Self { text, table, count: table.len() - usize::from(is_closed) }
    }

    pub(crate) const fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the number of lines; 0 for an empty text.
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Returns a line without its line break.
    pub(crate) fn line(&self, at: usize) -> &'t str {
        let line = self.table.span(at).text(self.text);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Returns the span of some lines, at least one, without the last line break.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Span {
        let last = lines.end - 1;
        let start = self.table.span(lines.start).start();
        Span::new(start, self.table.span(last).start() + self.line(last).len())
    }

    /// Returns the offset of the start of a line.
    pub(crate) fn start(&self, at: usize) -> usize {
        self.table.span(at).start()
    }

    /// Returns the line break of a line, if it has one.
    pub(crate) fn line_break(&self, at: usize) -> Option<&'static str> {
        let end = self.after_break(at)?;
        Some(if self.text[..end].ends_with("\r\n") { "\r\n" } else { "\n" })
    }

    /// Returns the offset after the line break of a line, if it has one.
    pub(crate) fn after_break(&self, at: usize) -> Option<usize> {
        let end = self.table.span(at).end();
        (end < self.text.len()).then_some(end + 1)
    }

    /// Returns the lines that a span touches; a span that ends after a line break does not touch the next line.
    pub(crate) fn touched(&self, span: Span) -> Range<usize> {
        let last = span.end().max(span.start() + 1) - 1;
        self.table.index_of(span.start())..self.table.index_of(last) + 1
    }

    /// Returns the first lines at which a quote begins, from the line `from` on.
    pub(super) fn places<'a>(
        &'a self,
        quote: &'a [&'a str],
        likeness: Likeness,
        from: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let end = (self.count + 1).saturating_sub(quote.len());
        (from..end).filter(move |at| self.has(quote, likeness, *at))
    }

    /// Returns whether a quote is at a line.
    pub(super) fn has(&self, quote: &[&str], likeness: Likeness, at: usize) -> bool {
        quote.len() <= self.count.saturating_sub(at)
            && quote.iter().enumerate().all(|(index, line)| likeness.holds(self.line(at + index), line))
    }

    pub(crate) fn is_blank(&self, at: usize) -> bool {
        is_blank_text(self.line(at))
    }

    /// Returns the depth of a line, in columns.
    pub(crate) fn depth(&self, at: usize) -> usize {
        width(lead(self.line(at)))
    }
}

/// The lines of a text that names lines of a file, without the blank lines at its ends.
#[derive(Clone, Debug)]
pub(super) struct QuotedLines<'e> {
    /// The lines, at least one; the first and the last one are not blank.
    pub(super) lines: Vec<&'e str>,
    /// The number of blank lines that are left out above.
    pub(super) blank_above: usize,
    /// The number of blank lines that are left out below.
    pub(super) blank_below: usize,
}

impl<'e> QuotedLines<'e> {
    /// Reads a quote; returns none for a blank text.
    pub(super) fn read(text: &'e str) -> Option<Self> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let mut lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let above = lines.iter().position(|line| !is_blank_text(line))?;
        let below = lines.iter().rev().take_while(|line| is_blank_text(line)).count();
        lines.truncate(lines.len() - below);
        lines.drain(..above);
        Some(Self { lines, blank_above: above, blank_below: below })
    }

    /// Returns the indentation of the first line.
    pub(super) fn lead(&self) -> &'e str {
        lead(self.lines[0])
    }
}

/// Returns the part of a text from its first line that is not blank to its last one, without the last line break; all
/// of a blank text.
pub(crate) fn without_blank_ends(text: &str) -> &str {
    let end = trim_end(text).len();
    let start = text.len() - crate::blank::trim_start(text).len();
    if start >= end {
        return text;
    }
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let part = &text[start..end];
    part.strip_suffix('\r').unwrap_or(part)
}
