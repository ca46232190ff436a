//! Decides which of two texts that differ only in blanks occurs in the file: the one with the file's blank lines and
//! indentation.

use std::ops::Range;

use fuzzy_core::blank;
use fuzzy_merge::{Key, equal_but_blanks, key};
use fuzzy_search::{Index, full_lines};

/// A line that is not blank.
struct Row<'t> {
    key: Key,
    /// The line after its indentation.
    body: &'t str,
    indent: usize,
    /// The blank lines before it.
    blank: Vec<&'t str>,
}

/// The rows of a text, and the blank lines after the last.
struct Layout<'t> {
    rows: Vec<Row<'t>>,
    /// The number of blank lines after the last row.
    after: usize,
}

impl<'t> Layout<'t> {
    fn of(text: &'t str) -> Self {
        let mut rows = Vec::new();
        let mut blank = Vec::new();
        for line in text.split('\n') {
            if blank::is_blank_text(line) {
                blank.push(line.trim_end_matches('\r'));
            } else {
                let indent = blank::leading(line);
                let body = line[indent..].trim_end_matches('\r');
                rows.push(Row { key: key(line), body, indent, blank: std::mem::take(&mut blank) });
            }
        }
        // The text after the last `\n` is no line.
        Self { rows, after: blank.len().saturating_sub(usize::from(text.ends_with('\n'))) }
    }

    /// Returns the layout of some lines of the index, with the blank lines around them.
    fn of_file(index: &Index<'t>, lines: Range<usize>) -> Self {
        let start = lines.start.checked_sub(1).map_or(0, |before| index.lines[before].end + 1);
        let end = index.lines.get(lines.end).map_or(index.text.len(), |after| after.start);
        Self::of(&index.text[start.min(end)..end])
    }

    /// Returns whether `file` is this text, the edited `old`: the same lines with the same relative indentation, and
    /// with the blanks that the edit changed.
    fn occurs(&self, file: &Self, old: &Self) -> bool {
        let old_has = |body| old.rows.iter().any(|row| row.body == body);
        self.rows.len() == file.rows.len()
            && self
                .rows
                .iter()
                .zip(&file.rows)
                .all(|(ours, theirs)| ours.key == theirs.key && (ours.body == theirs.body || old_has(ours.body)))
            && self.rows.iter().zip(&file.rows).skip(1).all(|(ours, theirs)| ours.blank == theirs.blank)
            && is_enough_blank(self.before(), file.before(), old.before())
            && is_enough_blank(self.after, file.after, old.after)
            && (self.is_as_deep(file, 0) || self.is_as_deep(file, 1))
    }

    /// Returns the number of blank lines before the first row.
    fn before(&self) -> usize {
        self.rows.first().map_or(0, |row| row.blank.len())
    }

    /// Returns the change of indentation from each row to the next, in bytes, from a row on.
    fn steps(&self, from: usize) -> Vec<isize> {
        let rows = self.rows.get(from..).unwrap_or_default().windows(2);
        rows.map(|pair| pair[1].indent.cast_signed() - pair[0].indent.cast_signed()).collect()
    }

    /// Returns whether the steps between lines are the file's, up to one factor. The first line has no step if the text
    /// starts inside a line.
    fn is_as_deep(&self, file: &Self, from: usize) -> bool {
        if from >= self.rows.len() {
            return false;
        }
        let (ours, theirs) = (self.steps(from), file.steps(from));
        let widest = ours.iter().zip(&theirs).max_by_key(|(ours, _)| ours.abs()).map_or((1, 1), |(a, b)| (*a, *b));
        let mut steps = ours.iter().zip(&theirs);
        steps.all(|(ours, theirs)| ours * widest.1 == theirs * widest.0 && ours.signum() == theirs.signum())
    }

    /// Returns the least indentation, in bytes.
    fn base(&self) -> Option<usize> {
        self.rows.iter().map(|row| row.indent).min()
    }

    /// Returns the number of blank lines.
    fn blank(&self) -> usize {
        self.after + self.rows.iter().map(|row| row.blank.len()).sum::<usize>()
    }
}

/// Returns whether a text has enough blank lines at an end: as many as the file, or at least as many as the old text.
fn is_enough_blank(ours: usize, theirs: usize, old: usize) -> bool {
    ours == theirs || (ours < theirs && ours >= old)
}

/// Returns whether an edit of blanks alone is already applied to some lines of the index.
pub(crate) fn is_applied(index: &Index<'_>, lines: Range<usize>, needle: &str, new: &str) -> bool {
    equal_but_blanks(needle, new) && !full_lines(new).is_empty() && is_new_text(index, lines, needle, new)
}

/// Returns whether some lines of the index are the new text of an edit, including its changes of quotes, letter case
/// and blanks.
pub(crate) fn is_new_text(index: &Index<'_>, lines: Range<usize>, needle: &str, new: &str) -> bool {
    let file = Layout::of_file(index, lines);
    let (old, new) = (Layout::of(needle), Layout::of(new));
    // The steps show nothing about a block that moved as a whole.
    let is_moved = old.base() != new.base() && new.base() != file.base();
    // The edit changes the width of the steps.
    let is_rescaled = old.steps(0) != new.steps(0) && old.rows.len() == new.rows.len() && old.is_as_deep(&new, 0);
    let is_to_scale = !is_rescaled || new.steps(0) == file.steps(0);
    !is_moved && is_to_scale && new.occurs(&file, &old) && (!old.occurs(&file, &new) || new.blank() > old.blank())
}
