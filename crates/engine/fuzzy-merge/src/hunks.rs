//! The changes of a merge: hunks between two tokens that file and new text share.
//!
//! A hunk deletes the known tokens of the file, and inserts the tokens of the new text. Other tokens of the file are
//! kept. The [rules](crate::rules) refuse uncertain ones.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::conflict_lines::ConflictLines;
use crate::mechanisms::{BESIDE_BLANK_LINE, HEAD_MARK, JOINTS, REST_OF_LINES};
use crate::regions::Region;
use crate::text::tokens::{Class, Tokens, encloses};
use crate::text::whitespace::breaks;

/// The tokens of the three texts between two tokens that file and new text share.
#[derive(Clone, Debug)]
pub(crate) struct Hunk {
    pub(crate) file: Range<usize>,
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
    pub(crate) change: Change,
    /// Whether the new text wins here, on the lines of a conflict.
    pub(crate) is_taken: bool,
}

/// The change of the file in a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The file's tokens are kept.
    Keep,
    /// Tokens of the file are deleted.
    Delete {
        /// From the first deleted token to the last.
        known: Range<usize>,
        /// These and the rest of their lines.
        file: Range<usize>,
    },
    /// Tokens of the new text replace tokens of the file.
    Replace {
        /// From the first replaced token to the last.
        known: Range<usize>,
        new: Vec<usize>,
    },
    /// Tokens of the new text are inserted before a token of the file.
    Insert { at: usize, new: Vec<usize>, placement: Placement },
}

/// How certain the place of an insertion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    Sure,
    /// Anywhere among forgotten lines.
    AmongUnknown,
}

impl Hunk {
    /// Returns the hunks of a region that are not empty.
    fn of_region<'r>(texts: &'r Texts<'_>, region: &'r Region) -> impl Iterator<Item = Self> + 'r {
        let end = (region.file.end, region.new.end);
        let (mut file, mut new) = (region.file.start, region.new.start);
        let hunks = region.shared.iter().copied().chain([end]).map(move |(in_file, in_new)| {
            let (file_between, new_between) = (file..in_file, new..in_new);
            (file, new) = (in_file + 1, in_new + 1);
            let old = old_between(texts, region, &file_between);
            Self { file: file_between, old, new: new_between, change: Change::Keep, is_taken: false }
        });
        hunks.filter(|hunk| hunk.file.len() + hunk.new.len() > 0)
    }

    /// Returns all hunks of a merge. On the lines of a conflict the new text wins.
    pub(crate) fn all(texts: &Texts<'_>, columns: &Columns, conflict: &ConflictLines) -> Vec<Self> {
        let hunks = columns.regions.iter().flat_map(|region| Self::of_region(texts, region));
        hunks
            .map(|mut hunk| {
                hunk.is_taken = conflict.has(texts, &hunk.file, &hunk.new);
                hunk.change = if hunk.is_taken { hunk.taken(texts) } else { hunk.merged(texts) };
                hunk
            })
            .collect()
    }

    /// Returns the deleted or replaced tokens of the file, from the first known one to the last.
    pub(crate) fn known(&self) -> Option<&Range<usize>> {
        match &self.change {
            Change::Delete { known, .. } | Change::Replace { known, .. } => Some(known),
            Change::Keep | Change::Insert { .. } => None,
        }
    }

    /// Returns the changed place of the file: all deleted or replaced tokens, or none before the token of an insertion.
    pub(crate) fn place(&self) -> Option<Range<usize>> {
        match &self.change {
            Change::Delete { file, .. } | Change::Replace { known: file, .. } => Some(file.clone()),
            Change::Insert { at, .. } => Some(*at..*at),
            Change::Keep => None,
        }
    }

    /// Returns the inserted tokens of the new text.
    pub(crate) fn inserted(&self) -> &[usize] {
        match &self.change {
            Change::Replace { new, .. } | Change::Insert { new, .. } => new,
            Change::Keep | Change::Delete { .. } => &[],
        }
    }

    /// Returns the tokens of this hunk on the lines of deleted ones: those before them and those after them.
    pub(crate) fn beside(&self, file: &Tokens<'_>, deleted: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let (first, last) = (file.line_of(deleted.start), file.line_of(deleted.end - 1));
        (self.file.start.max(first.start)..deleted.start, deleted.end..self.file.end.min(last.end))
    }

    /// Returns the change if the new text wins: all its tokens replace the file's.
    fn taken(&self, texts: &Texts<'_>) -> Change {
        let file = self.conflict_range(texts);
        let new: Vec<usize> = self.new.clone().collect();
        match (file.is_empty(), new.is_empty()) {
            (true, true) => Change::Keep,
            (true, false) => Change::Insert { at: file.start, new, placement: Placement::Sure },
            (false, true) => Change::Delete { known: file.clone(), file },
            (false, false) => Change::Replace { known: file, new },
        }
    }

    /// Returns the file's tokens without forgotten lines at the ends, and without a comment after a line unless the new
    /// text has one: these are kept, whichever text wins.
    pub(crate) fn conflict_range(&self, texts: &Texts<'_>) -> Range<usize> {
        let file = &texts.file;
        let has_comment = self.new.clone().any(|index| texts.new.in_comment(index));
        let is_kept = |&index: &usize| {
            if !has_comment && file.in_trailing_comment(index) {
                return true;
            }
            // If the new text has a part of the line, the rest is not kept.
            encloses(&self.file, &file.line_of(index)) && texts.is_forgotten_line(index)
        };
        let start = self.file.start + self.file.clone().take_while(is_kept).count();
        start..self.file.end - (start..self.file.end).rev().take_while(is_kept).count()
    }

    /// Returns the change of a three-way merge.
    fn merged(&self, texts: &Texts<'_>) -> Change {
        let new = self.inserted_with_joints(texts);
        let mut known = self.file.clone().filter(|&index| !texts.is_unknown(index));
        let known = known.next().map(|first| first..known.next_back().unwrap_or(first) + 1);
        match (known, new.first()) {
            (Some(known), None) => {
                let has_rest = texts.run.uses(&REST_OF_LINES);
                let file = if has_rest { self.with_rest_of_lines(&texts.file, &known) } else { known.clone() };
                Change::Delete { file, known }
            }
            (Some(known), Some(_)) => Change::Replace { known, new },
            (None, None) => Change::Keep,
            // The statement becomes the head of a block, and loses the mark that ends it.
            (None, Some(_))
                if texts.run.uses(&HEAD_MARK)
                    && self.ends_statement(texts)
                    && texts.becomes_head(self.old.start, self.new.start) =>
            {
                Change::Replace { known: self.file.start..self.file.start + 1, new }
            }
            (None, Some(&first)) => {
                let (at, placement) = self.insertion_point(texts, first);
                Change::Insert { at, new, placement }
            }
        }
    }

    /// Returns the inserted tokens of the new text, with the joints before them: marks at the end of a line that old and
    /// new text share, and the file lacks, because nothing follows there yet.
    fn inserted_with_joints(&self, texts: &Texts<'_>) -> Vec<usize> {
        let mut follows = false;
        let mut tokens: Vec<usize> = Vec::new();
        for index in self.new.clone().rev() {
            let is_inserted = texts.is_inserted(index);
            let is_joint = follows && texts.is_mark(index);
            if is_inserted || (is_joint && texts.is_lost_joint(index) && texts.run.uses(&JOINTS)) {
                tokens.push(index);
            }
            follows = if is_inserted { texts.new.opens_line(index) } else { is_joint };
        }
        tokens.reverse();
        tokens
    }

    /// Adds the rest of their lines to deleted tokens, if the edit deletes all known tokens of these lines: a mark or a
    /// comment is deleted with its statement.
    fn with_rest_of_lines(&self, file: &Tokens<'_>, known: &Range<usize>) -> Range<usize> {
        let (head, rest) = self.beside(file, known);
        let (first, last) = (file.line_of(known.start), file.line_of(known.end - 1));
        let whole = head.start..rest.end;
        if encloses(&whole, &(first.start..last.end)) { whole } else { known.clone() }
    }

    /// Returns the token of the file, among unknown ones, before which an insertion belongs that begins with `first`.
    fn insertion_point(&self, texts: &Texts<'_>, first: usize) -> (usize, Placement) {
        let (file, new) = (&texts.file, &texts.new);
        let Range { start: low, end: high } = self.file;
        if low == high {
            return (low, Placement::Sure);
        }
        // No line continues across the ends of the place.
        let starts_line = low == 0 || new.breaks_before(first);
        let ends_line = high == file.len() || new.breaks_before(self.new.end);
        if !starts_line {
            // It continues the line before, and belongs right after it, before the marks that end it.
            return (low, Placement::Sure);
        }
        if !ends_line {
            return (high, Placement::Sure);
        }
        let continues = new.class(first) == Class::Continuer && self.ends_statement(texts);
        let low = if low == 0 || continues { low } else { file.line_of(low - 1).end.min(high) };
        let high = if high == file.len() { high } else { file.line_of(high).start.max(low) };
        if high == file.len() || low == high {
            return (low, Placement::Sure);
        }
        match self.beside_blank_line(texts, low..high, first) {
            Some(at) => (at, Placement::Sure),
            None => (low, Placement::AmongUnknown),
        }
    }

    /// Returns the only end of a range of the file that has the old text's blank lines, if the insertion keeps them on
    /// that side: they determine its place.
    fn beside_blank_line(&self, texts: &Texts<'_>, among: Range<usize>, first: usize) -> Option<usize> {
        let (file, new) = (&texts.file, &texts.new);
        if !(self.old.is_empty() && texts.run.uses(&BESIDE_BLANK_LINE)) {
            return None;
        }
        let blank = breaks(texts.old.gap(self.old.end));
        let lines = file.line_starts(among.start + 1..among.end + 1);
        let mut alike = [among.start].into_iter().chain(lines).filter(|&index| breaks(file.gap(index)) == blank);
        let only = alike.next().filter(|_| alike.next().is_none())?;
        let kept = match only {
            end if end == among.end => new.gap(first),
            start if start == among.start => new.gap(self.new.end),
            _ => return None,
        };
        (breaks(kept) == blank).then_some(only)
    }

    /// Returns whether the file's tokens begin with a separator that ends a line.
    fn ends_statement(&self, texts: &Texts<'_>) -> bool {
        let first = self.file.start;
        texts.file.class(first) == Class::Separator && texts.file.ends_line(first)
    }
}

/// Returns the old text's tokens between the known tokens around some tokens of a region of the file.
fn old_between(texts: &Texts<'_>, region: &Region, file: &Range<usize>) -> Range<usize> {
    let before = texts.file_to_old[region.file.start..file.start].iter().rev().find_map(|&token| token);
    let after = texts.file_to_old[file.end..region.file.end].iter().find_map(|&token| token);
    let from = before.map_or(region.old.start, |token| token + 1);
    from..after.unwrap_or(region.old.end).max(from)
}
