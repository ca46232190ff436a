//! A file and an edit of it, line by line.

use std::ops::Range;

use fastrand::Rng;

use super::corpus::{File, Role};
use super::words::{indentation, tokens};

/// A line in the file, the old text, the new text and the expected file; `None` where it is missing.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) file: Option<String>,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    pub(super) expected: Option<String>,
    /// Whether it is a line of code or of a list, not a comment and not the start or end of a block.
    pub(super) is_plain: bool,
}

impl Row {
    /// Makes a kept line.
    pub(super) fn kept(text: String, is_plain: bool) -> Self {
        let text = Some(text);
        Self { file: text.clone(), old: text.clone(), new: text.clone(), expected: text, is_plain }
    }

    /// Makes an added line.
    pub(super) fn added(text: String) -> Self {
        Self { new: Some(text.clone()), expected: Some(text), ..Self::default() }
    }

    /// Makes a line that only the old text has, or only old and new text.
    pub(super) fn extra(text: String, shared: bool) -> Self {
        Self { old: Some(text.clone()), new: shared.then_some(text), ..Self::default() }
    }

    /// Replaces the line by another one.
    pub(super) fn change(&mut self, text: String) {
        self.expected = Some(text.clone());
        self.new = Some(text);
    }

    /// Puts a slip into the old text, and into the new one if it is `shared`.
    pub(super) fn slip(&mut self, shared: bool, text: Option<String>) {
        if shared {
            self.new.clone_from(&text);
        }
        self.old = text;
    }

    /// Changes the line in the old text, and in the new one if the slip is `shared`.
    pub(super) fn change_texts(&mut self, shared: bool, change: impl Fn(&str) -> String) {
        for line in self.old.iter_mut().chain(self.new.iter_mut().filter(|_| shared)) {
            *line = change(line);
        }
    }

    /// Deletes the line.
    pub(super) fn delete(&mut self) {
        (self.new, self.expected) = (None, None);
    }

    /// Returns whether the edit keeps the line.
    pub(super) fn is_kept(&self) -> bool {
        self.file.is_some() && self.file == self.expected
    }

    /// Returns whether the edit changes the line.
    pub(super) fn is_changed(&self) -> bool {
        self.file.is_some() && self.expected.is_some() && self.file != self.expected
    }

    /// Returns whether the line has no slip.
    pub(super) fn is_clean(&self) -> bool {
        self.old == self.file && self.new == self.expected
    }

    /// Returns whether the file's line is blank.
    pub(super) fn is_blank(&self) -> bool {
        self.file.as_deref().is_some_and(|line| line.trim().is_empty())
    }

    /// Returns the indentation of the file's line, in bytes.
    pub(super) fn depth(&self) -> usize {
        self.file.as_deref().map_or(0, indentation)
    }
}

/// An edit of a part of a file.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The file's lines before the part.
    pub(super) before: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// The file's lines after the part.
    pub(super) after: Vec<String>,
    /// One step of indentation.
    pub(super) unit: &'static str,
    /// The mark of a comment; empty if there is none.
    pub(super) comment: &'static str,
}

impl Part {
    /// Cuts a part out of a file.
    pub(super) fn new(file: &File, part: &Range<usize>) -> Self {
        let unit = file.language.unit;
        let mut lines: Vec<String> = file.lines.iter().map(|line| unit.repeat(line.depth) + &line.text).collect();
        let after = lines.split_off(part.end);
        let rows = lines.split_off(part.start).into_iter().zip(&file.lines[part.clone()]);
        let rows = rows.map(|(text, line)| Row::kept(text, matches!(line.role, Role::Plain | Role::Entry))).collect();
        Self { before: lines, rows, after, unit, comment: file.language.comment }
    }

    /// Returns one column as a text of whole lines.
    pub(super) fn column(&self, column: impl Fn(&Row) -> &Option<String>) -> String {
        let lines: Vec<&str> = self.rows.iter().filter_map(|row| column(row).as_deref()).collect();
        lines.join("\n")
    }

    /// Returns the whole file with one column in place of the part.
    pub(super) fn whole(&self, column: impl Fn(&Row) -> &Option<String>) -> String {
        let part = self.rows.iter().filter_map(|row| column(row).as_ref());
        self.before.iter().chain(part).chain(&self.after).fold(String::new(), |text, line| text + line + "\n")
    }

    /// Returns the indexes of the lines for which `matches` holds.
    pub(super) fn indexes(&self, matches: impl Fn(&Row) -> bool) -> Vec<usize> {
        (0..self.rows.len()).filter(|index| matches(&self.rows[*index])).collect()
    }

    /// Returns whether a word occurs in the file as a whole word.
    pub(super) fn has_word(&self, word: &str) -> bool {
        let whole = self.whole(|row| &row.file);
        tokens(&whole).into_iter().any(|place| whole[place] == *word)
    }

    /// Returns whether the edit adds, changes or deletes a line directly before or after the line `at`.
    pub(super) fn touches_change(&self, at: usize) -> bool {
        (at > 0 && !self.rows[at - 1].is_kept()) || self.rows.get(at + 1).is_some_and(|row| !row.is_kept())
    }

    /// Picks an index for which `matches` holds.
    pub(super) fn choose(&self, rng: &mut Rng, matches: impl Fn(usize) -> bool) -> Option<usize> {
        rng.choice((0..self.rows.len()).filter(|at| matches(*at)).collect::<Vec<_>>())
    }

    /// Changes every line of the old text, and of the new one if the slip is `shared`. Returns `None` if the old text
    /// remains unchanged.
    pub(super) fn change_texts(&mut self, shared: bool, change: impl Fn(&str) -> String) -> Option<()> {
        let is_changed = self.rows.iter().filter_map(|row| row.old.as_deref()).any(|line| change(line) != line);
        self.rows.iter_mut().for_each(|row| row.change_texts(shared, &change));
        is_changed.then_some(())
    }
}
