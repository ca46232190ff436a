//! Removes escape sequences.

use std::borrow::Cow;

/// Returns the character of the escape sequence of a backslash and `c`, if there is one.
const fn escape(c: u8) -> Option<char> {
    match c {
        b'n' | b'\n' => Some('\n'),
        b't' => Some('\t'),
        b'r' => Some('\r'),
        b'\'' | b'"' | b'`' | b'\\' | b'$' => Some(c as char),
        _ => None,
    }
}

/// Replaces the escape sequences in `text`, from left to right; keeps a backslash before any other character.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    let Some(first) = backslash(text, 0) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut next = Some(first);
    while let Some(at) = next {
        if let Some(c) = text.as_bytes().get(at + 1).and_then(|c| escape(*c)) {
            out.push_str(&text[done..at]);
            out.push(c);
            done = at + 2;
            next = backslash(text, done);
        } else {
            next = backslash(text, at + 1);
        }
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

fn backslash(text: &str, from: usize) -> Option<usize> {
    text[from..].find('\\').map(|at| from + at)
}

/// Returns `line` without the backslash that escapes the line break after it, if there is one.
///
/// The last backslash is removed even if an earlier one escapes it: that one is then literal, so that the text without
/// escape sequences is the same.
pub(crate) fn without_continuation(line: &str) -> &str {
    line.strip_suffix('\\').unwrap_or(line)
}

/// Returns the runs of `text` that occur literally in all of its escaped forms.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(escapable).filter(|run| !run.is_empty())
}

/// Returns whether an escape sequence can produce `c`.
const fn escapable(c: char) -> bool {
    matches!(c, '\n' | '\t' | '\r' | '\'' | '"' | '`' | '\\' | '$')
}
