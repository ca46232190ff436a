//! The rest of a line of which the old text is a part: it stays where it is, and is written once.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, trim, trim_end, trim_start};
use fuzzy_core::{line_end, line_start};
use fuzzy_merge::is_word;

/// Returns the new text without what it repeats of the line beside the old one; none if it repeats nothing.
///
/// Example: file `a: 1,`, old `a: 1`, new `a: 2,`.
pub(crate) fn written_once(haystack: &str, old: &Range<usize>, new: &str) -> Option<String> {
    let text = &haystack[old.clone()];
    let before = trim_start(&haystack[line_start(haystack, old.start)..old.start]);
    let after = &haystack[old.end..line_end(haystack, old.end)];
    let without = without_rest(text, after, new);
    let kept = without.as_deref().unwrap_or(new);
    let head = before.contains(is_word) && !text.starts_with(before);
    match kept.strip_prefix(before).filter(|rest| head && *rest != text) {
        Some(rest) => Some(rest.to_owned()),
        None => without,
    }
}

/// Returns the new text without the rest of the line after the old one, or without the first mark of this rest: a
/// closing bracket, a quote, or a separator, for which the new text may have the other one. A bracket counts only if the new text closes one more than the old one, and a
/// quote if the new text has one more.
///
/// Nothing is left out if the edit deletes the end of the old text, or would change nothing then.
pub(crate) fn without_rest(old: &str, after: &str, new: &str) -> Option<String> {
    let rest = trim_end(after);
    let mark = rest.chars().next().filter(|c| matches!(c, ')' | ']' | '}' | ',' | ';' | '"' | '\'' | '`'));
    let mark = mark.map_or("", |mark| &rest[..mark.len_utf8()]);
    let body = new.trim_end_matches(is_blank);
    if trim(old.rsplit('\n').next().unwrap_or_default()).is_empty() {
        // The rest is a whole line.
        return None;
    }
    let fits = |end: &&str| {
        !trim(end).is_empty()
            && !old.ends_with(*end)
            && depth(new) - depth(old) == depth(end)
            && QUOTES.iter().all(|quote| !is_odd(end, quote) || is_odd(new, quote) != is_odd(old, quote))
    };
    // The file's mark ends the item: a mark belongs to the sequence.
    let other = match mark {
        "," => ";",
        ";" => ",",
        _ => "",
    };
    let kept = [rest, mark, other].into_iter().filter(fits).find_map(|end| body.strip_suffix(end))?;
    (!kept.is_empty() && kept != old && !old.starts_with(body)).then(|| kept.to_owned())
}

const QUOTES: [&str; 3] = ["\"", "'", "`"];

/// Returns the number of opening brackets less that of closing ones.
fn depth(text: &str) -> isize {
    text.matches(['(', '[', '{']).count().cast_signed() - text.matches([')', ']', '}']).count().cast_signed()
}

fn is_odd(text: &str, quote: &str) -> bool {
    text.matches(quote).count() % 2 == 1
}
