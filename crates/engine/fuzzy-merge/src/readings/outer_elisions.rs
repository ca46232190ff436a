//! Reads texts without an elision at an end of both: it is for lines beyond the place.

use fuzzy_core::blank::is_blank;

use crate::text::lines::is_elision;

/// Leaves out the elisions at the ends of both texts.
pub(super) fn read(_: &str, old: &str, new: &str) -> Option<[String; 2]> {
    let mut rest = (old, new);
    for split in [split_last_elision, split_first_elision] {
        if let (Some((old_rest, old_line)), Some((new_rest, new_line))) = (split(rest.0), split(rest.1))
            && old_line.trim_matches(is_blank) == new_line.trim_matches(is_blank)
        {
            rest = (old_rest, new_rest);
        }
    }
    (rest != (old, new)).then(|| [rest.0.to_owned(), rest.1.to_owned()])
}

/// Returns a text without its last line, and that line, if it is an elision after other lines.
fn split_last_elision(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_end_matches(is_blank);
    let at = body.rfind('\n')?;
    is_elision(&body[at + 1..]).then(|| (&text[..at], &body[at + 1..]))
}

/// Returns a text without its first line, and that line, if it is an elision before other lines.
fn split_first_elision(text: &str) -> Option<(&str, &str)> {
    let (line, rest) = text.trim_start_matches(is_blank).split_once('\n')?;
    is_elision(line).then_some((rest, line))
}
