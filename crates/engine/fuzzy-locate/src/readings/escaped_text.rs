//! Reads texts that were escaped as a whole: line breaks are written as `\n`, quotes have backslashes.

use std::borrow::Cow;

use fuzzy_core::blank::is_blank;
use fuzzy_merge::Brackets;

use super::escapes::Escape;
use crate::mechanisms::ESCAPED_TEXT;
use crate::variant::Variant;

/// Returns the variants with real line breaks, and without any escapes. A text that was escaped as a whole has few real
/// line breaks.
pub(super) fn read<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    if !needle.contains("\\n") || needle.trim_matches(is_blank).matches('\n').count() > 1 {
        return Vec::new();
    }
    let read = [false, true].map(|all| {
        let new = match (is_one_string(needle, replacement), all) {
            (true, _) => unescape_string(needle, replacement, all).map(Cow::Owned),
            (false, true) => Escape::Both.undo_in_new(&unescape_breaks(needle, false), replacement),
            (false, false) => Some(Cow::Borrowed(replacement)),
        };
        Variant::new(Cow::Owned(unescape_breaks(needle, all)), new, replacement, &ESCAPED_TEXT)
    });
    read.into()
}

/// Undoes the escapes of a class in a new text, for which the needle's lines are the evidence. Returns none if a line
/// leaves open whether it is escaped.
pub(crate) fn unescape_new(escape: Escape, needle: &str, new: &str) -> Option<String> {
    let is_of_quotes = matches!(escape, Escape::Quotes | Escape::Both);
    if is_of_quotes && has_escaped_quotes(new) && is_one_string(needle, new) {
        return Some(unescape_breaks(new, true));
    }
    escape.undo_in_new(needle, new).map(Cow::into_owned)
}

/// Unescapes a new text that has escaped line breaks. Returns none if neither text shows whether its backslashes are
/// escaped, too.
fn unescape_string(needle: &str, new: &str, all: bool) -> Option<String> {
    let is_escaped = has_escaped_quotes(new) || (all && (needle.contains("\\\"") || needle.contains("\\\\")));
    let is_open = !is_escaped && new.contains("\\\\") && !new.contains('"');
    (!is_open).then(|| unescape_breaks(new, is_escaped))
}

/// Returns whether a text has double quotes, each with a backslash before it.
fn has_escaped_quotes(text: &str) -> bool {
    let mut quotes = text.match_indices('"').peekable();
    quotes.peek().is_some() && quotes.all(|(at, _)| text[..at].ends_with('\\'))
}

/// Returns whether a new text has escaped line breaks instead of real ones, by its own evidence: a line between them is
/// the needle's, or one of them is outside a string.
fn is_one_string(needle: &str, new: &str) -> bool {
    let new = new.trim_matches(is_blank);
    if new.contains('\n') || !new.contains("\\n") {
        return false;
    }
    let [old, lines] = [needle, new].map(|text| unescape_breaks(text, false));
    let of_old: Vec<&str> = old.split('\n').map(|line| line.trim_matches(is_blank)).collect();
    let lines: Vec<&str> = lines.split('\n').map(|line| line.trim_matches(is_blank)).collect();
    let is_kept = |line: &&str| !line.is_empty() && of_old.contains(line);
    let is_whole = |line: &&str| Brackets::of(line).quote().is_none();
    lines.iter().any(is_kept) || lines[..lines.len() - 1].iter().any(is_whole)
}

fn unescape_breaks(text: &str, all: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let put = match chars.peek() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(&other @ ('"' | '\'' | '`' | '\\')) if all => other,
            Some('\\') => {
                // An escaped backslash remains escaped, so the letter after it is not part of an escape.
                out.push_str("\\\\");
                chars.next();
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push(put);
        chars.next();
    }
    out
}
