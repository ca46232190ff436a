//! File and old text end a changed line with different marks, and the new text keeps neither for certain.
//!
//! Whether the mark was a slip or a change is open.
//!
//! Example: file `first;`, old `first,`, new `first. second`.

use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    merge.columns.affixes.are_unsettled
}
