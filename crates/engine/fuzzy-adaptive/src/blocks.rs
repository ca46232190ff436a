//! The blocks of a text, by the indentation of its lines.

use std::ops::Range;

use fuzzy_core::blank;
use fuzzy_locate::{Index, Needle};

/// A line of the needle with a line of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePair {
    /// Its index in the needle.
    pub(crate) ours: usize,
    /// Its index in the file.
    pub(crate) theirs: usize,
}

/// The lines of a text that are not blank.
pub(crate) trait Lines {
    /// Returns the text of a line, if there is one.
    fn get(&self, at: usize) -> Option<&str>;

    /// Returns the depth of a line: greater for more bytes of blanks before it, and less for the header of a section
    /// than for its lines.
    fn depth(&self, at: usize) -> usize {
        self.get(at).map_or(0, |line| 2 * blank::leading(line) + usize::from(!is_section(line)))
    }

    /// Returns whether a line begins a block: the next one is deeper, or brackets open.
    fn heads_block(&self, at: usize) -> bool {
        let (line, next) = (self.get(at).unwrap_or_default().trim_end(), self.get(at + 1).unwrap_or_default());
        self.depth(at + 1) > self.depth(at) || line.ends_with(['{', '(', '[', ':']) || next.trim() == "{"
    }

    /// Returns whether a line begins or ends with a bracket, and so belongs to the block before it.
    fn is_bracket(&self, at: usize) -> bool {
        self.get(at).unwrap_or_default().trim_start().starts_with(['}', ')', ']', '{'])
    }

    /// Returns the line that begins the block of a line.
    fn head(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&above| self.depth(above) < self.depth(at) && !self.is_bracket(above))
    }

    /// Returns the line that begins the block of an annotation or a closing bracket, as deep as this one.
    fn own_head(&self, at: usize) -> Option<usize> {
        let line = self.get(at)?.trim_start();
        if line.starts_with(['}', ')', ']']) {
            return (0..at).rev().find(|&above| self.depth(above) <= self.depth(at) && !self.is_bracket(above));
        }
        let is_annotation = |line: &str| line.trim_start().starts_with(['@', '#']);
        let mut below = (at..).map_while(|below| Some((below, self.get(below)?)));
        let (annotated, _) = below.find(|(_, line)| !is_annotation(line))?;
        (annotated != at).then_some(annotated)
    }

    /// Returns the lines that begin the blocks of a line, the innermost first.
    fn heads(&self, at: usize) -> impl Iterator<Item = usize> {
        let own = self.own_head(at).filter(|&own| self.depth(own) == self.depth(at));
        own.into_iter().chain(std::iter::successors(self.head(at), |&head| self.head(head)))
    }

    /// Returns whether a bracket between two lines closes the block that the first begins.
    fn closes_block(&self, head: usize, to: usize) -> bool {
        let is_end = |line: &str| line.starts_with(['}', ')', ']']) && !line.ends_with(['{', '(', '[', ':']);
        let mut between = head + 1..to;
        between.any(|at| self.depth(at) <= self.depth(head) && self.get(at).is_some_and(|line| is_end(line.trim())))
    }

    /// Returns whether lines after one, and before another, end the block that both are in, or the one that the first
    /// begins.
    fn ends_block(&self, from: usize, to: usize) -> bool {
        let (first, last) = (self.depth(from), self.depth(to));
        let is_out = |at: usize| if first < last { self.depth(at) <= first } else { self.depth(at) < last };
        (from + 1..to).any(|at| is_out(at) && !self.is_bracket(at))
    }

    /// Returns whether one of some lines is less deep than the first and the last of them.
    fn leaves_block(&self, lines: Range<usize>) -> bool {
        let depth = self.depth(lines.start).min(self.depth(lines.end - 1));
        lines.into_iter().any(|at| self.depth(at) < depth && !self.is_bracket(at))
    }
}

impl Lines for Index<'_> {
    fn get(&self, at: usize) -> Option<&str> {
        (at < self.lines.len()).then(|| self.line(at))
    }
}

impl Lines for Needle<'_> {
    fn get(&self, at: usize) -> Option<&str> {
        self.lines.get(at).map(|line| line.text)
    }
}

/// Returns whether a line is the header of a section, `[name]`.
fn is_section(line: &str) -> bool {
    let name = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '[') && !name.contains(','))
}
