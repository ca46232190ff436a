//! Forgotten lines are between two lines that the edit changes.
//!
//! They may need the change, too, or belong to the deleted ones. They do not matter if both lines only change in part, and
//! the file has both as they are, and only once: the author knew what is changed.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `c()`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let (start, end) = (hunk.old.start, hunk.old.end);
    let (is_first, is_last) = (start == 0, end == texts.old.len());
    let is_changed_before = !is_first && (is_last || texts.is_on_touched_line(start - 1));
    let is_changed_after = !is_last && (is_first || texts.is_on_touched_line(end));
    let is_open = |one: usize, other: usize| !(is_certain(merge, one) && is_certain(merge, other));
    (is_changed_before
        && texts.has_whole_line(hunk.file.start..known.start)
        && (hunk.old.is_empty() || is_open(start - 1, start)))
        || (is_changed_after
            && texts.has_whole_line(known.end..hunk.file.end)
            && (hunk.old.is_empty() || is_open(end - 1, end)))
}

/// Returns whether a line of the old text only changes in part, and the file has it once, as it is.
fn is_certain(merge: &Merge<'_, '_>, token: usize) -> bool {
    let (texts, old) = (merge.texts, &merge.texts.old);
    let line = old.line_of(token);
    let text = old.line_text(line.clone()).trim();
    let lines = [texts.before, texts.file.text, texts.after].into_iter().flat_map(str::lines);
    line.into_iter().any(|token| texts.is_kept(token)) && lines.filter(|other| other.trim() == text).count() == 1
}
