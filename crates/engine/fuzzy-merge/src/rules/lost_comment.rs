//! The edit deletes from the middle of a line with a comment to a later line.
//!
//! The kept beginning of the line would lose its comment.
//!
//! Example: file `mode = fast # why  stop = no`, old `mode = fast  stop = no`, new `mode = slow  halt = no`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let line = texts.file.line_of(known.start);
    if known.start <= line.start || known.end <= line.end {
        return false;
    }
    let comment = texts.file.comment(line).filter(|comment| known.contains(comment));
    if !comment.is_some_and(|comment| texts.is_unknown(comment)) {
        return false;
    }
    let before = hunk.new.start.checked_sub(1);
    before.is_some_and(|token| texts.new.comment(texts.new.line_of(token)).is_none())
}
