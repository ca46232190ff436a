//! File and old text end a changed line with different marks, and the new text does not determine the one to keep.
//!
//! The difference may be a slip or a change.
//!
//! Example: file `first;`, old `first,`, new `first. second`.

use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    merge.columns.affixes.are_uncertain
}
