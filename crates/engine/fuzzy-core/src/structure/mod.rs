//! Where a block belongs, by the structure that a text shows: depths, heads, closing lines and separators.
//!
//! [`strings`] finds the lines that are parts of values, [`heads`] the kind of a block and what hangs on it, [`levels`]
//! the depth of a block at a place, and [`separators`] the marks between neighbours. No list of grammars is used.

pub(crate) mod heads;
pub(crate) mod levels;
pub(crate) mod separators;
mod strings;

use std::ops::Range;

pub(crate) use self::strings::Inside;
use self::strings::{inside_strings, outside_strings};
use crate::Span;
use crate::ranges::lines::{FileLines, body, has_word, is_word_part, lead};

/// The other lines that an edit changes or moves together with its own. All spans are in the text before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arranged {
    /// The lines that hang on the first one: attributes, decorators and documentation.
    pub hanging: Option<Span>,
    /// Whether the new lines are behind those that close the block of the quoted ones.
    pub is_behind: bool,
    /// The places at the ends of lines where a separator was added or, if the span is not empty, removed.
    pub separators: Vec<Span>,
}

impl Arranged {
    /// Makes the changes of some separators.
    #[must_use]
    pub const fn of_separators(separators: Vec<Span>) -> Self {
        Self { hanging: None, is_behind: false, separators }
    }

    /// Calls `change` with every span.
    pub(crate) fn for_each_span(&mut self, change: impl FnMut(&mut Span)) {
        self.hanging.iter_mut().chain(&mut self.separators).for_each(change);
    }
}

/// Marks at the start of a line that only comments and lines of a preprocessor have.
const COMMENTS: [&str; 5] = ["//", "#", "--", ";;", "/*"];

/// Words of lines that continue a block, which ends where they are.
const CONTINUING: [&str; 9] = ["else", "elif", "elsif", "elseif", "except", "finally", "catch", "rescue", "ensure"];

/// The lines of a text, and which of them are parts of strings.
#[derive(Clone)]
pub(crate) struct Outline<'t> {
    pub(crate) lines: FileLines<'t>,
    inside: Vec<Inside>,
    /// Whether `#name` is a member of a class.
    has_private: bool,
}

impl<'t> Outline<'t> {
    pub(crate) fn new(lines: FileLines<'t>) -> Self {
        let mut uses = lines.text().match_indices("this.#");
        Self { lines, inside: inside_strings(&lines), has_private: uses.next().is_some() }
    }

    /// Returns the outline for a place: inside a string, every line is one of prose.
    pub(crate) fn at(mut self, line: usize) -> Self {
        if line < self.lines.len() && self.inside[line] != Inside::Nothing {
            self.inside.fill(Inside::Nothing);
        }
        self
    }

    /// Returns the string in which a line begins.
    pub(crate) fn inside(&self, at: usize) -> Inside {
        self.inside[at]
    }

    /// Returns whether a line shows the depth of a block: it is not blank, and no part of a string.
    pub(crate) fn is_code(&self, at: usize) -> bool {
        self.inside[at] == Inside::Nothing && !self.lines.is_blank(at)
    }

    pub(crate) fn lead(&self, at: usize) -> &'t str {
        lead(self.lines.line(at))
    }

    pub(crate) fn depth(&self, at: usize) -> usize {
        self.lines.depth(at)
    }

    pub(crate) fn body(&self, at: usize) -> &'t str {
        body(self.lines.line(at))
    }

    /// Returns whether a line is a comment or one of a preprocessor, which may stand at any depth.
    pub(crate) fn is_comment(&self, at: usize) -> bool {
        let body = self.body(at);
        is_comment(body) && !(self.has_private && is_hash_word(body))
    }

    /// Returns whether a line is code and no comment.
    pub(crate) fn is_item(&self, at: usize) -> bool {
        self.is_code(at) && !self.is_comment(at)
    }

    /// Returns the nearest code from a line on.
    fn below(&self, at: usize) -> Option<usize> {
        (at..self.lines.len()).find(|at| self.is_code(*at))
    }

    /// Returns the line above a line that opens its block.
    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        self.parent_of(at, self.depth(at))
    }

    /// Returns the line above a line that opens the block of lines at a depth.
    pub(crate) fn parent_of(&self, at: usize, depth: usize) -> Option<usize> {
        (0..at).rev().find(|at| self.is_code(*at) && self.depth(*at) < depth && !self.is_closing(*at))
    }

    /// Returns whether a line is in brackets, as the members of an object are.
    pub(crate) fn is_member(&self, at: usize) -> bool {
        self.parent(at).is_some_and(|parent| self.body(parent).ends_with(['{', '[', '(']))
    }

    /// Returns the first line of the statement that ends with a line: where the brackets open that it closes, and above
    /// lines that end with a backslash.
    pub(crate) fn statement(&self, end: usize) -> usize {
        let mut open = 0_isize;
        let mut at = end;
        loop {
            open += brackets(self.body(at));
            let above = (0..at).rev().find(|at| self.is_code(*at));
            match above {
                Some(above) if open < 0 || self.body(above).ends_with('\\') => at = above,
                // Brackets in a pattern or a comment open nothing.
                _ => return if open < 0 || self.depth(at) > self.depth(end) { end } else { at },
            }
        }
    }

    /// Returns whether a line only closes blocks: `}`, `end`, `</ul>`, `});`.
    pub(crate) fn is_closing(&self, at: usize) -> bool {
        is_closing(self.body(at))
    }

    /// Returns whether a line continues what the block above it began: `} else {`, `except E:`.
    pub(crate) fn continues(&self, at: usize) -> bool {
        continues(self.body(at))
    }

    /// Returns whether the lines below a line belong to it: the next code is deeper, or closes what it opens.
    pub(crate) fn opens(&self, at: usize) -> bool {
        self.below(at + 1).is_some_and(|below| self.depth(below) > self.depth(at))
            || self.body(at).ends_with(['{', '(', '['])
    }

    /// Returns the line on which some lines hang, if they are attributes or documentation; otherwise their last one.
    pub(crate) fn head_below(&self, lines: &Range<usize>) -> usize {
        let last = lines.end - 1;
        let depth = self.depth(lines.start);
        let solid = (lines.end..self.lines.len()).take_while(|at| !self.lines.is_blank(*at));
        let head = solid.into_iter().find(|at| self.is_code(*at) && self.depth(*at) == depth && !self.is_attached(*at));
        head.filter(|head| self.is_code(last) && self.hanging(*head, false) <= lines.start).unwrap_or(last)
    }

    /// Returns whether a block begins with a line, also with its mark on the next one.
    pub(crate) fn opens_block(&self, at: usize) -> bool {
        self.opens(at) || self.below(at + 1).is_some_and(|below| self.body(below) == "{")
    }

    /// Returns the first line before `end` that begins another block as `head` does, at its depth: both open one, or both are
    /// marked as headings and a blank line is above.
    pub(crate) fn next_section(&self, head: usize, end: usize) -> Option<usize> {
        let is_blank = |at: Option<usize>| at.is_none_or(|at| at >= self.lines.len() || self.lines.is_blank(at));
        // A comment is no heading.
        let is_section = |at: usize| {
            let line = self.body(at);
            let is_heading = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
            let is_marked = is_heading && (line.starts_with("##") || is_blank(Some(at + 1)));
            is_marked || (line.starts_with('[') && line.ends_with(']'))
        };
        let depth = self.depth(head);
        let mut beside = (head + 1..end).filter(|at| self.is_code(*at) && self.depth(*at) == depth);
        if self.opens_block(head) && !self.continues(head) {
            return beside.find(|at| {
                let is_other = !self.continues(*at) && !self.is_closing(*at) && self.body(*at) != "{";
                is_other && has_word(self.body(*at)) && !self.is_comment(*at) && self.opens_block(*at)
            });
        }
        let mark = |at: usize| self.body(at).chars().take_while(|c| *c == '#').count();
        let is_apart = |at: usize| is_blank(at.checked_sub(1));
        is_section(head)
            .then(|| beside.find(|at| is_section(*at) && mark(*at) == mark(head) && is_apart(*at)))
            .flatten()
    }

    /// Returns the line of some lines that begins their block: below attributes and documentation.
    pub(crate) fn head(&self, lines: &Range<usize>) -> usize {
        let depth = self.depth(lines.start);
        let is_head = |at: &usize| self.is_code(*at) && self.depth(*at) == depth && !self.is_attached(*at);
        lines.clone().find(is_head).unwrap_or(lines.start)
    }

    /// Returns some lines with what hangs on them.
    pub(crate) fn with_hanging(&self, lines: &Range<usize>) -> Range<usize> {
        let head = self.head(lines);
        if !self.is_code(head) || self.is_attached(head) {
            return lines.clone();
        }
        self.hanging(head, self.opens(head)).min(lines.start)..lines.end
    }

    /// Returns the code of some lines that shows their depth: all except comments left of the first line.
    pub(crate) fn shown<'a>(&'a self, lines: &Range<usize>) -> impl Iterator<Item = usize> + 'a {
        let first = self.depth(lines.start);
        lines.clone().filter(move |at| self.is_code(*at) && (self.depth(*at) >= first || !self.is_comment(*at)))
    }
}

fn is_closing(line: &str) -> bool {
    // `end = 1`, `end: 1` and `done()` are names.
    let ends = |rest: &str| ends_word(rest) && !rest.trim_start().starts_with(['=', ':', '(', '[', '+']);
    let is_word = ["end", "fi", "done", "esac"].iter().any(|word| line.strip_prefix(word).is_some_and(ends));
    (line.starts_with(['}', ')', ']']) && !line.ends_with(['{', '(', '[', ':'])) || line.starts_with("</") || is_word
}

fn continues(line: &str) -> bool {
    let is_word = CONTINUING.iter().any(|word| line.strip_prefix(word).is_some_and(ends_word));
    is_word || (line.starts_with(['}', ')', ']']) && !is_closing(line))
}

pub(crate) fn is_comment(body: &str) -> bool {
    // `*p = 1;` and `*values() {` are code.
    let is_inner = |rest: &str| rest.is_empty() || rest.starts_with([' ', '/']) || rest.ends_with("*/");
    COMMENTS.iter().any(|mark| body.starts_with(mark)) || body.strip_prefix('*').is_some_and(is_inner)
}

/// Returns whether a word follows the mark of a line: `#name`, `#include`.
fn is_hash_word(body: &str) -> bool {
    body.strip_prefix('#').is_some_and(|rest| rest.starts_with(is_word_part))
}

/// Returns how many more brackets a line opens than it closes.
pub(crate) fn brackets(line: &str) -> isize {
    let mark = |c: char| isize::from("([{".contains(c)) - isize::from(")]}".contains(c));
    outside_strings(line).map(|(_, c)| mark(c)).sum()
}

fn ends_word(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| c.is_whitespace() || ";:,).({".contains(c))
}
