//! A hunk line by line: the lines that the file must have, the removed ones among them, and the added lines between
//! them.

use std::collections::HashSet;
use std::iter::repeat_n;

use fuzzy_patch::Mark;
use fuzzy_report::Hunk;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A line that the file must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OldLine<'h> {
    /// The line without its line break.
    pub(crate) text: &'h str,
    /// Whether the hunk removes it.
    pub(crate) is_removed: bool,
}

/// A hunk line by line.
#[derive(Clone, Debug)]
pub(crate) struct Script<'h> {
    /// The lines that the file must have, from top to bottom.
    pub(crate) old: Vec<OldLine<'h>>,
    /// The added lines before each of these, and after the last.
    pub(crate) added: Vec<Vec<&'h str>>,
    /// Whether the last lines of the old and of the new text have no line break.
    pub(crate) is_open: [bool; 2],
    /// Whether the patch marks the kind of each line.
    pub(crate) is_marked: bool,
}

impl<'h> Script<'h> {
    /// Makes the script of two texts. `marks` are the kinds of their lines; without marks, or if they do not fit, a
    /// shortest diff determines them.
    pub(crate) fn of(old: &'h str, new: &'h str, marks: &[Mark]) -> Self {
        let is_open = [old, new].map(is_open);
        let [old, new] = [old, new].map(lines);
        let of_old = marks.iter().filter(|mark| **mark != Mark::Add).count();
        let of_new = marks.iter().filter(|mark| **mark != Mark::Remove).count();
        if (of_old, of_new) == (old.len(), new.len()) {
            Self { is_marked: !marks.is_empty(), ..Self::of_marks(&old, &new, marks, is_open) }
        } else {
            Self::of_marks(&old, &new, &marks_of(&old, &new), is_open)
        }
    }

    /// Makes the script of a hunk.
    pub(crate) fn of_hunk(hunk: &'h Hunk) -> Self {
        Self::of(&hunk.edit.old, &hunk.edit.new, &hunk.edit.marks)
    }

    /// Makes the script of lines with marks.
    fn of_marks(old: &[&'h str], new: &[&'h str], marks: &[Mark], is_open: [bool; 2]) -> Self {
        let mut script =
            Self { old: Vec::with_capacity(old.len()), added: vec![Vec::new()], is_open, is_marked: false };
        let mut next_new = 0;
        for mark in marks {
            if *mark == Mark::Add {
                script.added[script.old.len()].push(new[next_new]);
            } else {
                script.old.push(OldLine { text: old[script.old.len()], is_removed: *mark == Mark::Remove });
                script.added.push(Vec::new());
            }
            next_new += usize::from(*mark != Mark::Remove);
        }
        script
    }

    /// Returns the lines after the hunk, from top to bottom, and whether each is added.
    pub(crate) fn new_lines(&self) -> Vec<(&'h str, bool)> {
        let mut lines = Vec::new();
        for (at, added) in self.added.iter().enumerate() {
            lines.extend(added.iter().map(|line| (*line, true)));
            lines.extend(self.old.get(at).filter(|line| !line.is_removed).map(|line| (line.text, false)));
        }
        lines
    }

    /// Returns the number of old lines before all changes.
    pub(crate) fn head(&self) -> usize {
        (0..self.old.len()).find(|at| self.changes_at(*at)).unwrap_or(self.old.len())
    }

    /// Returns the number of old lines before the context at the end.
    pub(crate) fn tail(&self) -> usize {
        let mut lines = (1..=self.old.len()).rev();
        lines.find(|at| !self.added[*at].is_empty() || self.old[*at - 1].is_removed).unwrap_or(0)
    }

    /// Returns the script with its added lines as far down as possible without another result, or as far up past empty
    /// lines: a diff of two texts cannot distinguish their position among equal lines. A brace belongs to the block
    /// that it closes.
    pub(crate) fn slid(&self, up: bool) -> Self {
        let mut slid = self.clone();
        let order: Vec<usize> =
            if up { (0..self.added.len()).collect() } else { (0..self.added.len()).rev().collect() };
        for start in order {
            let mut at = start;
            while let Some(next) = slid.next_for(at, up) {
                let mut lines = std::mem::take(&mut slid.added[at]);
                if up {
                    lines.rotate_right(1);
                } else {
                    lines.rotate_left(1);
                }
                slid.added[next] = lines;
                at = next;
            }
        }
        slid
    }

    /// Returns the position one line up or down that the added lines at `at` may also have.
    fn next_for(&self, at: usize, up: bool) -> Option<usize> {
        let (next, line) = if up { (at.checked_sub(1)?, at - 1) } else { (at + 1, at) };
        let OldLine { text, is_removed } = *self.old.get(line)?;
        let end = if up { self.added[at].last() } else { self.added[at].first() };
        (!is_removed && end == Some(&text) && (!up || text.trim().is_empty()) && self.added[next].is_empty())
            .then_some(next)
    }

    /// Returns whether an old line is removed or has added lines before it.
    fn changes_at(&self, at: usize) -> bool {
        !self.added[at].is_empty() || self.old[at].is_removed
    }

    /// Returns the first line that the patch marks as removed, if no line of `text` looks like it without blanks. A
    /// line that changed meanwhile must not be overwritten because it is similar to the removed one.
    pub(crate) fn absent(&self, text: &str) -> Option<&'h str> {
        if !self.is_marked {
            return None;
        }
        let there: HashSet<String> = text.lines().map(solid).collect();
        self.old.iter().filter(|line| line.is_removed).map(|line| line.text).find(|line| !there.contains(&solid(line)))
    }

    /// Returns whether no line is removed.
    pub(crate) fn only_adds(&self) -> bool {
        self.old.iter().all(|line| !line.is_removed)
    }
}

/// Returns a line without blanks, and with the ASCII forms of dashes and quotes, which models write.
pub(crate) fn solid(line: &str) -> String {
    let plain = |c: char| match c {
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '″' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => c,
    };
    line.chars().filter(|c| !c.is_whitespace()).map(plain).collect()
}

/// Returns whether the last line of a text has no line break.
pub(crate) fn is_open(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('\n')
}

/// Returns the lines of a text without their line breaks.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line)).collect()
}

/// Returns the kinds of the lines of two texts by a shortest diff; removed lines precede the added ones.
fn marks_of(old: &[&str], new: &[&str]) -> Vec<Mark> {
    let mut marks = Vec::with_capacity(old.len() + new.len());
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        if let DiffOp::Equal { len, .. } = op {
            marks.extend(repeat_n(Mark::Keep, len));
        } else {
            marks.extend(repeat_n(Mark::Remove, op.old_range().len()));
            marks.extend(repeat_n(Mark::Add, op.new_range().len()));
        }
    }
    marks
}
