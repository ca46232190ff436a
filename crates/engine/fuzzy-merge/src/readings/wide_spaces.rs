//! Reads texts with plain spaces instead of wide ones, such as U+00A0.

use rustc_hash::FxHashSet;

/// Returns both texts with plain spaces instead of wide ones that the document lacks. The new text's own evidence is such
/// a space between the same tokens as in the old text.
pub(super) fn read(document: &str, old: &str, new: &str) -> Option<[String; 2]> {
    if !old.contains(is_wide) || document.contains(is_wide) {
        return None;
    }
    let plain = |text: &str| text.replace(is_wide, " ");
    let in_old: FxHashSet<&str> = wide_spaces(old).collect();
    let has_slip = wide_spaces(new).any(|wide| in_old.contains(wide));
    Some([plain(old), if has_slip { plain(new) } else { new.to_owned() }])
}

/// Returns whether a character is a space that looks like a plain one.
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Yields each wide space of a text with the word or mark on each side.
fn wide_spaces(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| !c.is_alphanumeric();
    text.match_indices(is_wide).map(move |(at, wide)| {
        let (before, after) = (&text[..at], &text[at + wide.len()..]);
        let mark = |c: Option<char>| c.map_or(0, char::len_utf8);
        let left = before.len() - before.trim_end_matches(char::is_alphanumeric).len();
        let right = after.find(is_mark).unwrap_or(after.len());
        let left = if left > 0 { left } else { mark(before.chars().next_back()) };
        let right = if right > 0 { right } else { mark(after.chars().next()) };
        &text[at - left..at + wide.len() + right]
    })
}
