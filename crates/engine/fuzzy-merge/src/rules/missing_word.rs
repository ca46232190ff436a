//! The edit deletes a line of which the file lacks a word.
//!
//! The file changed the line before the edit deletes it, or it is another line.
//!
//! Example: file `open(path)`, old `open(path, mode)`, new empty.

use crate::align::column::ColumnKind;
use crate::hunks::Change;
use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Delete { .. }, texts) = (&hunk.change, merge.texts) else { return false };
    let words = texts.old.words(hunk.old.clone());
    let mut slips = words.filter(|&word| texts.kind_of_old(word) == ColumnKind::OldSlip);
    slips.any(|word| !texts.is_lost_line(word) && !texts.old.in_comment(word))
}
