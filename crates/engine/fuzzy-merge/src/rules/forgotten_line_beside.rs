//! Forgotten lines are between two lines that the edit changes.
//!
//! They may need the change, too, or belong to the deleted ones. They do not matter if each of both lines becomes one line,
//! and the file has both as they are, and only once: the author knew what is changed.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `c()`.

use std::ops::Range;

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::tokens::Tokens;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let (start, end) = (hunk.old.start, hunk.old.end);
    let (is_first, is_last) = (start == 0, end == texts.old.len());
    let is_changed_before = !is_first && (is_last || texts.is_on_touched_line(start - 1));
    let is_changed_after = !is_last && (is_first || texts.is_on_touched_line(end));
    let is_open = |one: usize, other: usize| ![one, other].iter().all(|&token| is_certain(merge, hunk, token));
    (is_changed_before
        && texts.has_whole_line(hunk.file.start..known.start)
        && (hunk.old.is_empty() || is_open(start - 1, start)))
        || (is_changed_after
            && texts.has_whole_line(known.end..hunk.file.end)
            && (hunk.old.is_empty() || is_open(end - 1, end)))
}

/// Returns whether a line of the old text becomes one line of the new text, and the file has it once, as it is.
fn is_certain(merge: &Merge<'_, '_>, hunk: &Hunk, token: usize) -> bool {
    let (texts, old) = (merge.texts, &merge.texts.old);
    let line = old.line_of(token);
    let text = old.line_text(line.clone()).trim();
    let lines = [texts.before, texts.file.text, texts.after].into_iter().flat_map(str::lines);
    let count = |tokens: &Tokens<'_>, range: &Range<usize>| tokens.line_starts(range.clone()).count();
    let is_replaced = || hunk.old.contains(&token) && count(old, &hunk.old) == count(&texts.new, &hunk.new);
    let mut tokens = line.into_iter();
    (tokens.any(|token| texts.is_kept(token)) || is_replaced())
        && lines.filter(|other| other.trim() == text).count() == 1
}
