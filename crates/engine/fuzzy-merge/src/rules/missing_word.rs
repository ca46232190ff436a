//! The file lacks a word of a line that the edit deletes.
//!
//! The line was changed in the file, or is another one.
//!
//! Example: file `open(path)`, old `open(path, mode)`, new empty.

use crate::align::column::ColumnKind;
use crate::hunks::{Change, Hunk};
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Delete { .. }, texts) = (&hunk.change, merge.texts) else { return false };
    let words = texts.old.words(hunk.old.clone());
    let mut slips = words.filter(|&word| texts.kind_of_old(word) == ColumnKind::OldSlip);
    slips.any(|word| !texts.is_lost_line(word) && !texts.old.in_comment(word))
}
