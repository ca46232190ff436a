//! The edit deletes all that the old text has of a line, and the file has more before it.
//!
//! The rest would be deleted with it, though the old text does not have it.
//!
//! Example: file `async run()`, old `run()`, new empty.

use crate::hunks::Change;
use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Delete { known, file }, tokens) = (&hunk.change, &merge.texts.file) else { return false };
    (file.start..known.start).any(|index| tokens.class(index) != Class::Separator)
}
