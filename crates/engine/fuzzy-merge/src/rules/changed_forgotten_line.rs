//! The edit changes a forgotten line.
//!
//! The new text has another version of the line; either may be right. A mark or a comment that the new
//! text adds at its end is no change.
//!
//! Example: file `a()  retry(3)  b()`, old `a()  b()`, new `a()  retry(5)  b()`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let texts = merge.texts;
    let (file, new) = (&texts.file, &texts.new);
    let is_forgotten = |index: usize| {
        index < file.len() && merge.columns.file_to_new[index].is_some() && texts.is_forgotten_line(index)
    };
    let is_after = is_forgotten(hunk.file.end);
    if is_after && (file.ends_inside_line(&hunk.file) || new.ends_inside_line(&hunk.new)) {
        return true;
    }
    let is_before = hunk.file.start > 0 && is_forgotten(hunk.file.start - 1);
    if !is_before || !(file.begins_inside_line(&hunk.file) || new.begins_inside_line(&hunk.new)) {
        return false;
    }
    let mut words = new.words(hunk.new.clone());
    !hunk.file.is_empty() || words.any(|word| !new.in_trailing_comment(word))
}
