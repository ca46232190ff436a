//! Items of sequences, and the marks that end them.

use fuzzy_core::blank::{is_blank, leading};
use fuzzy_merge::{Brackets, comment, comment_mark};

/// A line of code that may be an item of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'l> {
    line: &'l str,
    /// The bytes of the line before the mark, or before the blanks that end it.
    end: usize,
    /// The bytes after the mark, which may be a comment.
    after: usize,
    /// The mark that separates the item from the next one: `,`, `;` or `\\`.
    pub(super) mark: Option<char>,
}

impl<'l> Item<'l> {
    /// Finds the end of a line; none for a blank line, a comment or a lone mark.
    pub(super) fn of(line: &'l str) -> Option<Self> {
        let text = line.trim_end_matches(is_blank);
        if let Some(rest) = text.strip_suffix('\\').filter(|rest| rest.ends_with(is_blank)) {
            let end = rest.trim_end_matches(is_blank).len();
            return (end > 0).then_some(Self { line, end, after: text.len(), mark: Some('\\') });
        }
        let body = text.trim_start_matches(is_blank);
        if comment_mark(body).is_some() || body.starts_with("* ") {
            return None;
        }
        let code = text[..comment(text).unwrap_or(text.len())].trim_end_matches(is_blank);
        let mark = code.chars().next_back().filter(|last| matches!(last, ',' | ';'));
        let item = mark.map_or(code, |_| code[..code.len() - 1].trim_end_matches(is_blank));
        let is_empty = item.chars().all(is_blank);
        (!is_empty).then_some(Self { line, end: item.len(), after: code.len(), mark })
    }

    /// Returns whether a bracket is open at its end.
    pub(super) fn opens(&self) -> bool {
        self.line[..self.end].ends_with(['(', '[', '{'])
    }

    /// Returns whether it closes a bracket of another line.
    pub(super) fn closes(&self) -> bool {
        self.line.trim_start_matches(is_blank).starts_with([')', ']', '}'])
    }

    /// Returns the bytes of its indentation.
    pub(super) fn indentation(&self) -> usize {
        leading(self.line)
    }

    /// Returns how many more brackets it opens than it closes.
    pub(super) fn depth(&self) -> isize {
        Brackets::of(&self.line[..self.end]).depth()
    }

    /// Returns whether it is a part of another item at one end of it.
    pub(super) fn is_truncated(&self, other: &Self) -> bool {
        let [ours, theirs] = [self, other].map(|item| item.line[..item.end].trim_start_matches(is_blank));
        ours.len() < theirs.len() && (theirs.starts_with(ours) || theirs.ends_with(ours))
    }

    /// Returns whether it ends with a mark.
    pub(super) fn has(&self, mark: char) -> bool {
        self.mark == Some(mark)
    }

    /// Returns the line with the end of another item, in a sequence with this separator.
    pub(super) fn ended_as(&self, other: &Self, separator: char) -> String {
        let ours = match self.mark {
            // A line is continued at its end.
            mark if separator == '\\' && mark != Some('\\') => {
                self.line.trim_end_matches(is_blank).len()..self.line.len()
            }
            _ => self.end..self.after,
        };
        let has_end = separator != '\\' || other.has('\\');
        let theirs = if has_end { &other.line[other.end..other.after] } else { "" };
        [&self.line[..ours.start], theirs, &self.line[ours.end..]].concat()
    }
}
