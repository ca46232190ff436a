//! The edit deletes all known tokens of a line, and the file has unknown ones before them.
//!
//! The unknown tokens would be deleted, too.
//!
//! Example: file `async run()`, old `run()`, new empty.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Delete { known, file }, tokens) = (&hunk.change, &merge.texts.file) else { return false };
    (file.start..known.start).any(|index| tokens.class(index) != Class::Separator)
}
