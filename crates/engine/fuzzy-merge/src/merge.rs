//! A merge: the aligned texts, and the changes of the file that the edit comes to.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::conflict_lines::ConflictLines;
use crate::hunks::Hunk;
use crate::rules;

/// The aligned texts of an edit at its place, and its changes.
pub(crate) struct Merge<'m, 't> {
    pub(crate) texts: &'m Texts<'t>,
    pub(crate) columns: Columns,
    pub(crate) hunks: Vec<Hunk>,
}

impl<'m, 't> Merge<'m, 't> {
    /// Merges the texts. On the lines of a conflict the new text wins. Makes fewer hunks as soon as the merge is
    /// cancelled.
    pub(crate) fn new(texts: &'m Texts<'t>, conflict: &ConflictLines) -> Self {
        let columns = Columns::of(texts);
        let hunks = Hunk::all(texts, &columns, conflict);
        Self { texts, columns, hunks }
    }

    /// Returns the hunks in conflict, and those in which the new text wins.
    pub(crate) fn conflicts(&self) -> impl Iterator<Item = &Hunk> {
        self.hunks.iter().filter(|hunk| hunk.is_taken || rules::is_conflict(self, hunk))
    }

    /// Returns the inserted tokens of the new text, hunk by hunk.
    pub(crate) fn insertions(&self) -> impl Iterator<Item = &[usize]> {
        self.hunks.iter().map(Hunk::inserted)
    }

    /// Returns the inserted tokens of the new text.
    pub(crate) fn inserted(&self) -> impl Iterator<Item = usize> {
        self.insertions().flatten().copied()
    }

    /// Returns the deleted tokens of the file.
    pub(crate) fn deleted(&self) -> impl Iterator<Item = usize> {
        self.hunks.iter().filter_map(Hunk::deleted).cloned().flatten()
    }

    /// Returns the replaced tokens of the file with those of the new text.
    pub(crate) fn replacements(&self) -> impl Iterator<Item = (&Range<usize>, &[usize])> {
        let replaced = self.hunks.iter().filter_map(|hunk| Some((hunk.deleted()?, hunk.inserted())));
        replaced.filter(|(_, new)| !new.is_empty())
    }

    /// Returns the lines of the file that the old text forgot, each as its tokens.
    pub(crate) fn forgotten_lines(&self) -> Vec<Range<usize>> {
        let lines = self.texts.file.full_lines();
        lines.filter(|line| self.texts.is_all_unknown(line.clone())).collect()
    }
}
