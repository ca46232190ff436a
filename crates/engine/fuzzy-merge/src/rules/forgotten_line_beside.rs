//! Forgotten lines are between two lines that the edit changes.
//!
//! They may need the change, too.
//!
//! Example: file `a = 1  b = 1  c = 1`, old `a = 1  c = 1`, new `a = 2  c = 2`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let (start, end) = (hunk.old.start, hunk.old.end);
    let (is_first, is_last) = (start == 0, end == texts.old.len());
    let is_changed_before = !is_first && (is_last || texts.is_on_touched_line(start - 1));
    let is_changed_after = !is_last && (is_first || texts.is_on_touched_line(end));
    (is_changed_before && texts.has_whole_line(hunk.file.start..known.start))
        || (is_changed_after && texts.has_whole_line(known.end..hunk.file.end))
}
