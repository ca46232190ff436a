//! The map: how the author's text maps to the file's, as the kept words of a merge show it.
//!
//! A line is words, and marks and blanks between them. Where all texts have a word, and old and new text have the same
//! marks beside it, the file's marks there are those of the author in the file's terms. The map learns these pairs once,
//! by [role](roles::Role), and the new text is written through it.
//!
//! ```text
//! file: a;b;3      old: a,b,3      new: a,b,3      written: a;b;3
//!       c;d;4           c,d,4           c,d,4               c;d;4
//!                                       e,f,5               e;f;5
//! ```
//!
//! A pair is known if two lines show it and none contradicts it. One pair rewrites nothing, except at the end of the old
//! text's [last line](last_line), which is the file's: the statement or the sequence may go on there. If a new line has
//! marks for which the file has others everywhere, and the map does not know which, it is [open](Map::open).

mod change;
mod first_line;
mod last_line;
mod learn;
mod line;
mod line_breaks;
mod roles;

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::hunks::Hunk;
use crate::mechanisms::{LINE_BREAKS, LINE_END, MARKS, Mechanism};
use crate::text::lines::without_leading_break;

use change::{Change, changed};
pub(crate) use first_line::indented;
use learn::Shown;
use line::LineWriter;

/// The texts of an edit in the file's terms.
#[derive(Debug, Default)]
pub(crate) struct Map {
    old: Vec<Change>,
    new: Vec<Change>,
    /// A token of the new text with a mark that the file writes otherwise, in an unknown way.
    pub(crate) open: Option<usize>,
    /// The slips that the changes undo.
    pub(crate) undone: Vec<&'static Mechanism>,
}

impl Map {
    /// Learns from aligned texts, and reads old and new text in the file's terms.
    pub(crate) fn of(texts: &Texts<'_>, columns: &Columns, hunks: &[Hunk]) -> Self {
        let mut inserted = vec![false; texts.new.len()];
        for &token in hunks.iter().filter(|hunk| !hunk.is_taken).flat_map(Hunk::inserted) {
            inserted[token] = true;
        }
        let mut map = Self::default();
        if !inserted.contains(&true) {
            return map;
        }
        if texts.run.uses(&MARKS) {
            map.write(texts, columns, &inserted);
        }
        if texts.run.uses(&LINE_BREAKS) {
            let breaks = line_breaks::changes(texts, &inserted);
            map.undone.extend((!breaks.is_empty()).then_some(&LINE_BREAKS));
            map.new.extend(breaks);
        }
        map.open = map.open.or_else(|| hunks.iter().find_map(|hunk| lost_joint(texts, hunk)));
        if texts.run.uses(&LINE_END)
            && let Some([old, new]) = last_line::changes(texts, &inserted)
        {
            map.add(&LINE_END, old, new);
        }
        map
    }

    /// Returns old and new text in the file's terms; none if they are so already, or if a mark is open.
    pub(crate) fn texts(&self, texts: &Texts<'_>) -> Option<[String; 2]> {
        let is_changed = self.open.is_none() && !self.undone.is_empty();
        let read = |text, changes| without_leading_break(changed(text, changes));
        is_changed.then(|| [read(texts.old.text, &self.old), read(texts.new.text, &self.new)])
    }

    /// Adds changes of old and new text. A change of a part that is changed already is left out.
    fn add(&mut self, slip: &'static Mechanism, old: Change, new: Change) {
        let is_free = |known: &[Change], at: &Range<usize>| {
            known.iter().all(|(other, _)| other.end <= at.start || at.end <= other.start)
        };
        if is_free(&self.new, &new.0) && is_free(&self.old, &old.0) {
            self.old.push(old);
            self.new.push(new);
            self.undone.push(slip);
        }
    }

    /// Reads the inserted tokens in the file's terms, and the kept ones beside which the file has other marks.
    fn write(&mut self, texts: &Texts<'_>, columns: &Columns, inserted: &[bool]) {
        let shown = Shown::of(texts, columns);
        if !shown.has_slip() {
            return;
        }
        for line in texts.new.full_lines().filter(|line| inserted[line.clone()].contains(&true)) {
            let mut writer = LineWriter::new(texts, &shown, line, inserted);
            writer.write();
            self.open = self.open.or(writer.open());
            self.new.extend(writer.changes());
        }
        if self.new.is_empty() {
            return;
        }
        self.undone.push(&MARKS);
        for kept in &shown.kept {
            if let Some(file) = shown.known(kept.role, kept.text) {
                self.old.push((kept.old.clone(), file.to_owned()));
                self.new.push((kept.new.clone(), file.to_owned()));
            }
        }
    }
}

/// Returns a mark that joins a kept line to the new one after it, and that the file lacks, if it is not written.
fn lost_joint(texts: &Texts<'_>, hunk: &Hunk) -> Option<usize> {
    let new = &texts.new;
    let first = hunk.inserted().iter().copied().find(|&index| new.opens_line(index))?;
    let is_on_line = |&index: &usize| texts.is_mark(index) && new.line_number(index) + 1 == new.line_number(first);
    let mut marks = (0..first).rev().take_while(is_on_line).filter(|index| !hunk.inserted().contains(index));
    marks.find(|&index| texts.is_lost_joint(index))
}
