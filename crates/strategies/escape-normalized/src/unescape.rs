//! The escape sequences that are undone.

use std::borrow::Cow;

/// Returns the character that stands for a backslash and `c`, if there is such an escape sequence.
const fn escape(c: u8) -> Option<char> {
    match c {
        b'n' | b'\n' => Some('\n'),
        b't' => Some('\t'),
        b'r' => Some('\r'),
        b'\'' | b'"' | b'`' | b'\\' | b'$' => Some(c as char),
        _ => None,
    }
}

/// Undoes the escape sequences in `text`, left to right; a backslash before any other character stays.
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

/// Returns `line` without the backslash that takes the line break after it, if there is one.
///
/// The last backslash is cut off even where an earlier one escapes it: that one then stands for itself, so undoing the
/// escape sequences makes the same text.
pub(crate) fn without_continuation(line: &str) -> &str {
    line.strip_suffix('\\').unwrap_or(line)
}

/// Returns the runs of `text` that occur literally wherever its escaped forms do.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(escapable).filter(|run| !run.is_empty())
}

/// Returns whether an escape sequence can stand for `c`.
const fn escapable(c: char) -> bool {
    matches!(c, '\n' | '\t' | '\r' | '\'' | '"' | '`' | '\\' | '$')
}
