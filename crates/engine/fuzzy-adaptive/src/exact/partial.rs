//! Tells a needle that has only a part of a word or line which the edit takes for the whole: the paste would leave the
//! other part beside the new text.

use std::ops::Range;

use fuzzy_core::blank::{trim, trim_end, trim_start};
use fuzzy_core::{line_end, line_start};
use fuzzy_merge::is_word;

/// Returns whether the new text has another word instead of the needle's part of a word (file `timeout: 300`, needle
/// `timeout: 30`, new text `timeout: 60`), or has the other part of the line, too (file `a: 1,`, needle `a: 1`, new text
/// `a: 2,`), or another mark at its end.
pub(crate) fn check(haystack: &str, old: &Range<usize>, new: &str) -> bool {
    let text = &haystack[old.clone()];
    let before = &haystack[line_start(haystack, old.start)..old.start];
    let after = &haystack[old.end..line_end(haystack, old.end)];
    tears_word(before, text, after, new)
        || repeats_before(before, text, new)
        || repeats_after(text, after, new)
        || doubles_mark(text, after, new)
}

fn tears_word(before: &str, old: &str, after: &str, new: &str) -> bool {
    let first = &old[..old.len() - old.trim_start_matches(is_word).len()];
    let last = &old[old.trim_end_matches(is_word).len()..];
    (before.ends_with(is_word) && !first.is_empty() && !new.starts_with(first))
        || (after.starts_with(is_word) && !last.is_empty() && !new.ends_with(last))
}

/// Returns whether the new text has the words before the old one on its line.
fn repeats_before(before: &str, old: &str, new: &str) -> bool {
    let head = trim_start(before);
    head.contains(is_word) && new.starts_with(head) && !old.starts_with(head)
}

/// Returns whether the new text has what follows the old one on its line. Brackets count only if the new text closes as
/// many more than the old one.
fn repeats_after(old: &str, after: &str, new: &str) -> bool {
    let tail = trim_end(after);
    let ends = !trim(tail).is_empty() && new.ends_with(tail) && !old.ends_with(tail);
    ends && new.len() > tail.len() && depth(new) - depth(old) == depth(tail)
}

/// Returns whether the new text adds a mark before the one that ends the line.
fn doubles_mark(old: &str, after: &str, new: &str) -> bool {
    let has_mark = |text: &str| text.ends_with([',', ';']);
    matches!(trim(after), "," | ";") && has_mark(new) && !has_mark(old)
}

/// Returns the number of opening brackets less that of closing ones.
fn depth(text: &str) -> isize {
    text.matches(['(', '[', '{']).count().cast_signed() - text.matches([')', ']', '}']).count().cast_signed()
}
