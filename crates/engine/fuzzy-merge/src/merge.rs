//! A merge: the aligned texts and the changes of the file.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::conflict_lines::ConflictLines;
use crate::hunks::Hunk;

/// The aligned texts of an edit and its changes.
pub(crate) struct Merge<'m, 't> {
    pub(crate) texts: &'m Texts<'t>,
    pub(crate) columns: Columns,
    pub(crate) hunks: Vec<Hunk>,
    /// The lines of the file that the old text forgot, each as its tokens.
    pub(crate) forgotten_lines: Vec<Range<usize>>,
}

impl<'m, 't> Merge<'m, 't> {
    /// Merges the texts. On the lines of a conflict the new text wins. Finds fewer hunks once the merge is cancelled.
    pub(crate) fn new(texts: &'m Texts<'t>, conflict: &ConflictLines) -> Self {
        let columns = Columns::of(texts);
        let hunks = Hunk::all(texts, &columns, conflict);
        let lines = texts.file.full_lines();
        let forgotten_lines = lines.filter(|line| texts.is_forgotten_line(line.start)).collect();
        Self { texts, columns, hunks, forgotten_lines }
    }

    /// Returns the inserted tokens of the new text, hunk by hunk.
    pub(crate) fn insertions(&self) -> impl Iterator<Item = &[usize]> {
        self.hunks.iter().map(Hunk::inserted)
    }

    pub(crate) fn inserted(&self) -> impl Iterator<Item = usize> {
        self.insertions().flatten().copied()
    }

    pub(crate) fn deleted(&self) -> impl Iterator<Item = usize> {
        self.hunks.iter().filter_map(Hunk::place).flatten()
    }
}
