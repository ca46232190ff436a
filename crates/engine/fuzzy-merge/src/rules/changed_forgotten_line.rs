//! The edit changes a line that the old text forgot.
//!
//! Its author knew the line and wrote it anew: which of the two versions is right is open. A mark or a comment at its end
//! is no change.
//!
//! Example: file `a()  retry(3)  b()`, old `a()  b()`, new `a()  retry(5)  b()`.

use crate::align::column::ColumnKind;
use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, columns) = (merge.texts, &merge.columns);
    let (file, new) = (&texts.file, &texts.new);
    let is_forgotten = |&index: &usize| {
        index < file.len() && columns.kind(texts, index) == ColumnKind::Forgotten && texts.is_foreign_line(index)
    };
    let is_after = Some(hunk.file.end).filter(is_forgotten).is_some();
    if is_after && (file.is_continued(&hunk.file) || new.is_continued(&hunk.new)) {
        return true;
    }
    let is_before = hunk.file.start.checked_sub(1).filter(is_forgotten).is_some();
    if !is_before || !(file.goes_on(&hunk.file) || new.goes_on(&hunk.new)) {
        return false;
    }
    let mut words = new.words(hunk.new.clone());
    !hunk.file.is_empty() || words.any(|word| !new.in_trailing_comment(word))
}
