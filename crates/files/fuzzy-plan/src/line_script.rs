//! A hunk line by line: what has to occur in the file, what of it goes, and what comes between.

use std::collections::HashSet;
use std::iter::repeat_n;

use fuzzy_patch::Mark;
use fuzzy_report::Hunk;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::glyphs::in_plain;

/// A line that the file has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OldLine<'h> {
    /// The line without its line break.
    pub(crate) text: &'h str,
    /// Whether the hunk takes it out.
    pub(crate) goes: bool,
}

/// A hunk line by line.
#[derive(Clone, Debug)]
pub(crate) struct Script<'h> {
    /// The lines that the file has to have, from top to bottom.
    pub(crate) old: Vec<OldLine<'h>>,
    /// The lines that come in front of each of these, and after the last.
    pub(crate) added: Vec<Vec<&'h str>>,
    /// Whether the last line of the old text and that of the new one are said to have no line break.
    pub(crate) is_open: [bool; 2],
    /// Whether the patch says what each line is.
    pub(crate) is_marked: bool,
}

impl<'h> Script<'h> {
    /// Makes the script of two texts. `marks` say what their lines are; without them, or if they are those of other
    /// texts, a shortest diff does.
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
        Self::of(&hunk.edit.old_string, &hunk.edit.new_string, &hunk.marks)
    }

    /// Makes the script of lines of which the marks say what each is.
    fn of_marks(old: &[&'h str], new: &[&'h str], marks: &[Mark], is_open: [bool; 2]) -> Self {
        let mut script =
            Self { old: Vec::with_capacity(old.len()), added: vec![Vec::new()], is_open, is_marked: false };
        let mut comes = 0;
        for mark in marks {
            if *mark == Mark::Add {
                script.added[script.old.len()].push(new[comes]);
            } else {
                script.old.push(OldLine { text: old[script.old.len()], goes: *mark == Mark::Remove });
                script.added.push(Vec::new());
            }
            comes += usize::from(*mark != Mark::Remove);
        }
        script
    }

    /// Returns the lines that the hunk leaves, from top to bottom, and for each whether it comes.
    pub(crate) fn new_lines(&self) -> Vec<(&'h str, bool)> {
        let mut lines = Vec::new();
        for (at, added) in self.added.iter().enumerate() {
            lines.extend(added.iter().map(|line| (*line, true)));
            lines.extend(self.old.get(at).filter(|line| !line.goes).map(|line| (line.text, false)));
        }
        lines
    }

    /// Returns how many of the old lines occur in front of everything that changes.
    pub(crate) fn head(&self) -> usize {
        (0..self.old.len()).find(|at| self.changes_at(*at)).unwrap_or(self.old.len())
    }

    /// Returns how many of the old lines occur in front of what is after everything that changes.
    pub(crate) fn tail(&self) -> usize {
        let mut lines = (1..=self.old.len()).rev();
        lines.find(|at| !self.added[*at].is_empty() || self.old[*at - 1].goes).unwrap_or(0)
    }

    /// Returns the script with the lines that come as far down as they can be without another new text, or as far up
    /// past empty lines: a diff of two texts cannot tell where among equal lines they are. A brace belongs to what it
    /// closes.
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

    /// Returns where the lines that come at `at` may occur as well, one line further up or down.
    fn next_for(&self, at: usize, up: bool) -> Option<usize> {
        let (next, line) = if up { (at.checked_sub(1)?, at - 1) } else { (at + 1, at) };
        let OldLine { text, goes } = *self.old.get(line)?;
        let end = if up { self.added[at].last() } else { self.added[at].first() };
        (!goes && end == Some(&text) && (!up || text.trim().is_empty()) && self.added[next].is_empty()).then_some(next)
    }

    /// Returns whether an old line goes or something comes in front of it.
    fn changes_at(&self, at: usize) -> bool {
        !self.added[at].is_empty() || self.old[at].goes
    }

    /// Returns the first line that the patch marks as deleted, if `text` has no line that looks like it, blanks aside. A
    /// line that was changed meanwhile is not overwritten because it resembles the deleted one.
    pub(crate) fn absent(&self, text: &str) -> Option<&'h str> {
        if !self.is_marked {
            return None;
        }
        let there: HashSet<String> = text.lines().map(solid).collect();
        self.old.iter().filter(|line| line.goes).map(|line| line.text).find(|line| !there.contains(&solid(line)))
    }

    /// Returns whether nothing goes.
    pub(crate) fn only_adds(&self) -> bool {
        self.old.iter().all(|line| !line.goes)
    }
}

/// Returns a line without its blanks, in plain characters.
pub(crate) fn solid(line: &str) -> String {
    in_plain(line).split_whitespace().collect()
}

/// Returns whether the last line of a text has no line break.
pub(crate) fn is_open(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('\n')
}

/// Returns the lines of a text without their line breaks.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line)).collect()
}

/// Returns what the lines of two texts are by a shortest diff: where lines are replaced, the old ones go first.
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
